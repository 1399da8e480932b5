package dev.millrace.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.column.Columns;
import dev.millrace.column.Tensor;
import dev.millrace.compute.Compute;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a user is told when a model and the data do not go together.
class OnnxErrorsTest {
    @TempDir
    Path folder;

    private static Batch tensors(String column, int... shape) {
        float[] values = new float[Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
        return Batch.of(column, new Tensor[] {Tensor.of(values, shape), Tensor.of(values, shape)});
    }

    private static AbstractThrowableAssert<?, ?> assertFails(OnnxModel options, Batch batch) {
        return assertThatThrownBy(() -> {
                    try (LoadedModel model = options.create()) {
                        model.apply(batch);
                    }
                })
                .isInstanceOf(MillraceException.class)
                .satisfies(e -> assertThat(((MillraceException) e).culprit()).isIn(Culprit.USER, Culprit.DATA));
    }

    @Test
    void aMissingFileIsToldWithThoseThatAreThere() throws Exception {
        Files.createFile(folder.resolve("resnet50.onnx"));
        assertThatThrownBy(() -> OnnxModel.load(folder.resolve("resnet5.onnx").toString()))
                .isInstanceOf(MillraceException.class)
                .hasMessage("There is no file '" + folder.resolve("resnet5.onnx") + "'. In '" + folder
                        + "' there are resnet50.onnx.");
        assertThatThrownBy(() -> OnnxModel.load(folder.toString()))
                .hasMessage("'" + folder + "' is a folder, not a file. In '" + folder + "' there are resnet50.onnx.");
        assertThatThrownBy(() -> OnnxModel.load(folder.resolve("no/model.onnx").toString()))
                .hasMessage("There is no file '" + folder.resolve("no/model.onnx") + "'. There is no folder '"
                        + folder.resolve("no") + "' either.");
    }

    @Test
    void aFileThatIsNoModelIsToldSo() throws Exception {
        Path text = Files.writeString(folder.resolve("notes.onnx"), "weights are in the other folder");
        assertThatThrownBy(() -> OnnxModel.load(text.toString()))
                .hasMessageStartingWith("'" + text + "' is not an ONNX model, or is cut off:")
                .hasMessageEndingWith("Export the model again, e.g. with torch.onnx.export.");
        byte[] whole = Files.readAllBytes(Path.of(TestModels.model("image")));
        Path cut = Files.write(folder.resolve("cut.onnx"), Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> OnnxModel.load(cut.toString()))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining(cut.toString());
    }

    @Test
    void namesThatTheModelDoesNotHaveAreToldWithThoseItHas() {
        assertThatThrownBy(() -> TestModels.onnx("dense").input("image", "x").create())
                .hasMessage("dense.onnx has no input 'image'. Its inputs are 'x' (float32 [batch, 6]).");
        assertThatThrownBy(() -> TestModels.onnx("image").output("label").create())
                .hasMessage("image.onnx has no output 'label'. Its outputs are 'map' (float32 [n, 4, 8, 8]), 'mean'"
                        + " (float32 [n, 4]).");
        assertThatThrownBy(() -> TestModels.onnx("two").input("x").create())
                .hasMessage(
                        "two.onnx has 2 inputs, 'a' (float32 [batch, 3]), 'b' (float32 [batch, 3]): say which of them"
                                + " takes column 'x', with input(\"name\", \"column\").");
    }

    @Test
    void columnsThatAreNotThereAreToldWithThoseThatAre() {
        Batch batch = tensors("picture", 3, 8, 8).with("n", new int[] {1, 2});
        assertFails(TestModels.onnx("image").input("image"), batch)
                .hasMessage("image.onnx: there is no column 'image' for its input 'pixels' (float32 [n, 3, 8, 8]). The"
                        + " columns are 'picture' (tensor<float32, 3x8x8>), 'n' (int32).");
        assertFails(TestModels.onnx("two"), tensors("a", 3))
                .hasMessage(
                        "two.onnx: which column is its input 'b' (float32 [batch, 3])? None of that name is there: 'a'"
                                + " (tensor<float32, 3>). Say it with input(\"b\", \"column\").");
    }

    @Test
    void ofSeveralColumnsThatFitNoneIsGuessed() {
        Batch batch = tensors("left", 6).with("right", tensors("right", 6).column("right"));
        assertFails(TestModels.onnx("dense"), batch)
                .hasMessage(
                        "dense.onnx: which column is its input 'x' (float32 [batch, 6])? Several fit: left, right. Say"
                                + " it with input(\"x\", \"column\").");
    }

    @Test
    void shapesThatDoNotFitAreBothToldAndWhatToDo() {
        assertFails(TestModels.onnx("image").input("picture"), tensors("picture", 8, 8, 3))
                .hasMessage(
                        "image.onnx: column 'picture' is tensor<float32, 8x8x3>, and the input 'pixels' takes float32"
                                + " [n, 3, 8, 8]. The column has its channels last, the model wants them first: transpose to CHW"
                                + " before.");
        assertFails(TestModels.onnx("image").input("picture"), tensors("picture", 3, 16, 16))
                .hasMessage(
                        "image.onnx: column 'picture' is tensor<float32, 3x16x16>, and the input 'pixels' takes float32"
                                + " [n, 3, 8, 8].");
        Batch pixels = Batch.of("picture", new Tensor[] {Tensor.ofUnsigned(new byte[192], 3, 8, 8)});
        assertFails(TestModels.onnx("image").input("picture"), pixels)
                .hasMessage(
                        "image.onnx: column 'picture' is tensor<uint8, 3x8x8>, and the input 'pixels' takes float32 [n,"
                                + " 3, 8, 8]. Pixels become floats by a preprocessing step, e.g. ImageNetPreprocess.");
        assertFails(TestModels.onnx("dense").input("f"), Batch.of("f", new byte[][] {{1}}))
                .hasMessageContaining("column 'f' is binary, and the input 'x' takes float32 [batch, 6].");
    }

    @Test
    void rowsOfDifferentShapesAreToldWithTheirNumbers() {
        DataType type = DataType.variableTensor(DataType.FLOAT32, 3);
        List<Tensor> values = List.of(
                Tensor.of(new float[192], 3, 8, 8),
                Tensor.of(new float[192], 3, 8, 8),
                Tensor.of(new float[96], 3, 4, 8));
        Batch batch = Batch.of("pixels", Columns.of(Allocator.collected("test"), type, values));
        assertFails(TestModels.onnx("image"), batch)
                .hasMessage(
                        "image.onnx: column 'pixels' has tensors of shape [3, 8, 8] (row 0 of the batch) and [3, 4, 8]"
                                + " (row 2), and the input 'pixels' takes float32 [n, 3, 8, 8]: all rows of a batch must be of one"
                                + " shape. Resize or pad them before.");
        assertFails(TestModels.onnx("image"), batch.slice(2, 1))
                .hasMessage(
                        "image.onnx: column 'pixels' has a value of shape [3, 4, 8] (row 0 of the batch), and the input"
                                + " 'pixels' takes float32 [n, 3, 8, 8].");
        try (LoadedModel model = TestModels.onnx("image").create()) {
            assertThat(model.apply(batch.slice(0, 2)).rows()).isEqualTo(2);
            assertThat(model.copiedBytes()).isZero();
        }
        Batch lists = Batch.of("ids", List.of(List.of(1L, 2L), List.of(3L)));
        assertFails(TestModels.onnx("tokens"), lists)
                .hasMessage(
                        "tokens.onnx: column 'ids' has lists of 2 elements (row 0 of the batch) and of 1 (row 1), and the"
                                + " input 'ids' takes int64 [batch, length]: all rows of a batch must be of one length. Pad them"
                                + " before.");
    }

    @Test
    void nullsAreCountedAndPlaced() {
        Batch batch = Batch.of("x", new Tensor[] {Tensor.of(new float[6], 6), null, null});
        assertFails(TestModels.onnx("dense"), batch)
                .hasMessage("dense.onnx: column 'x' has 2 nulls in a batch of 3 (the first in row 1), and a model takes"
                        + " none. Leave those rows out before: filter(col(...).isNotNull()).");
    }

    @Test
    void columnsAreNeverReplacedSilently() {
        Batch batch = tensors("x", 6).with("label", new String[] {"cat", "dog"});
        OnnxModel model = TestModels.onnx("dense").topK(1).labels(List.of("a", "b", "c", "d", "e"));
        assertFails(model, batch)
                .hasMessage("dense.onnx makes a column 'label', and there is one already. Rename it, leave it out with"
                        + " drop(\"label\"), or give the model's columns a prefix(...).");
        try (LoadedModel loaded = model.prefix("predicted_").create()) {
            assertThat(loaded.apply(batch).columns())
                    .containsExactly("label", "predicted_class", "predicted_label", "predicted_score");
        }
    }

    @Test
    void scoresThatAreNoneAndLabelsThatAreTooFewAreTold() {
        assertThatThrownBy(() -> TestModels.onnx("dense").topK(6).create())
                .hasMessage("dense.onnx: topK(6) of an output with 5 classes.");
        assertThatThrownBy(() -> TestModels.onnx("dense")
                        .topK(1)
                        .labels(List.of("a", "b"))
                        .create())
                .hasMessage(
                        "dense.onnx: 2 labels for 5 classes of its output 'logits'. There must be one for each, class 0"
                                + " first.");
        assertThatThrownBy(() ->
                        TestModels.onnx("dense").softmax().labels(List.of("a")).create())
                .hasMessage("labels name the best classes: ask for them with topK(1).");
        assertThatThrownBy(() -> TestModels.onnx("image").topK(1).create())
                .hasMessageStartingWith(
                        "image.onnx: softmax and topK need one output of floats with a score for each class,"
                                + " [batch, classes], and its outputs are 'map' (float32 [n, 4, 8, 8]), 'mean'");
        assertThatThrownBy(
                        () -> TestModels.onnx("image").output("map").softmax().create())
                .hasMessage("image.onnx: softmax and topK need a score for each class, [batch, classes], and the output"
                        + " 'map' has rows of shape [4, 8, 8].");
        assertThatThrownBy(() -> OnnxModel.of("x").topK(0)).hasMessage("topK: 1 or more classes, not 0.");
    }

    @Test
    void anOutputThatIsNotPerRowIsTold() {
        assertFails(TestModels.onnx("total"), tensors("x", 2))
                .hasMessage(
                        "total.onnx: its output 'total' has shape [1, 1] for 2 rows, and a column needs one value for"
                                + " each row: the first dimension must be the batch. Choose others with output(...).");
    }

    @Test
    void anOutputOfATypeThatNoColumnHasIsTold() {
        assertThatThrownBy(() -> TestModels.onnx("bfloat").create())
                .hasMessage("bfloat.onnx: its output 'y' is a tensor of a type that no column has. Choose others with"
                        + " output(...), or export the model with another type.");
        try (Session session = Session.open()) {
            assertThatThrownBy(() -> session.items(List.of(Row.of("x", Tensor.of(new float[] {1, 2}, 2))))
                            .mapBatches(
                                    TestModels.onnx("bfloat"), Compute.actors(1).batchSize(4))
                            .takeAll())
                    .hasMessageContaining("its output 'y' is a tensor of a type that no column has");
        }
    }

    @Test
    void inputsThatJavaCannotGiveAreTold() {
        assertThatThrownBy(() -> TestModels.onnx("value-uint32").create())
                .hasMessage(
                        "value-uint32.onnx: its input 'in' (uint32 [batch]) cannot be given from Java: onnxruntime has"
                                + " no uint32 there. Export it with a signed type.");
    }

    @Test
    void aPipelineNamesTheOperatorAndThePlace() {
        try (Session session = Session.open()) {
            assertThatThrownBy(() -> session.range(10)
                            .mapBatches(batch -> batch)
                            .mapBatches(
                                    TestModels.onnx("dense"), Compute.actors(1).batchSize(4))
                            .takeAll())
                    .isInstanceOf(MillraceException.class)
                    .hasMessageMatching("(?s)mapBatches\\(OnnxModel OnnxErrorsTest:\\d+\\) failed on .*")
                    .hasMessageContaining(
                            "dense.onnx: which column is its input 'x' (float32 [batch, 6])? None of that name"
                                    + " or of that type and shape is there: 'id' (int64).");
            assertThatThrownBy(() -> session.items(List.of(Row.of("x", 1)))
                            .mapBatches(
                                    OnnxModel.of("/nowhere/model.onnx"),
                                    Compute.actors(1).batchSize(4))
                            .takeAll())
                    .hasMessageContaining("There is no file '/nowhere/model.onnx'.");
        }
    }

    @Test
    void gpusNeedTheOtherArtifact() {
        assertThatThrownBy(() -> TestModels.onnx("dense").gpu(0).create())
                .hasMessage(
                        "The model is to run on GPU 0, and the onnxruntime on the class path is the one for CPUs. Replace"
                                + " the artifact com.microsoft.onnxruntime:onnxruntime by"
                                + " com.microsoft.onnxruntime:onnxruntime_gpu of the same version.");
    }
}
