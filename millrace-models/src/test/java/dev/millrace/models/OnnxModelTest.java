package dev.millrace.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.column.TensorColumn;
import dev.millrace.compute.Compute;
import dev.millrace.type.DataType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Models in pipelines; what they answer is compared with Python's onnxruntime. Closing the session checks that no byte
/// is held.
class OnnxModelTest {
    private static final int ROWS = 10;

    @TempDir
    Path folder;

    private final Session session = Session.open();

    @AfterEach
    void close() {
        session.close();
    }

    /// Rows of tensors with their numbers.
    private Dataset rows(String file, int rows, int... shape) {
        float[][] values = TestModels.floats(file, rows);
        List<Row> items = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            items.add(Row.of("n", i, "x", Tensor.of(values[i], shape)));
        }
        return session.items(items);
    }

    private Dataset rows() {
        return rows("dense.x", ROWS, 6);
    }

    private static void assertRows(List<Row> rows, String column, float[][] expected) {
        assertThat(rows).hasSize(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(rows.get(i).getTensor(column).toFloats()).containsExactly(expected[i], within(1e-5f));
        }
    }

    /// Softmax in doubles.
    private static double[] probabilities(float[] logits) {
        double[] made = new double[logits.length];
        double sum = 0;
        for (float logit : logits) {
            sum += Math.exp(logit);
        }
        for (int i = 0; i < made.length; i++) {
            made[i] = Math.exp(logits[i]) / sum;
        }
        return made;
    }

    private static int best(double[] values) {
        int best = 0;
        for (int i = 1; i < values.length; i++) {
            best = values[i] > values[best] ? i : best;
        }
        return best;
    }

    /// A model with a fixed batch of 4 gets the same rows in other runs, the last of them filled up.
    @ParameterizedTest
    @CsvSource({"dense, 3", "dense, 10", "fixed, 3", "fixed, 4", "fixed, 10"})
    void logitsAreThoseOfPython(String model, int batchSize) {
        List<Row> rows = rows().mapBatches(
                        TestModels.onnx(model), Compute.actors(2).batchSize(batchSize))
                .takeAll();
        assertRows(rows, "logits", TestModels.floats("dense.logits", ROWS));
        assertThat(rows).extracting(row -> row.get("n")).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void shortBatchesAreFilledUpToOneSizeWhereThatIsAsked() {
        float[][] x = TestModels.floats("dense.x", ROWS);
        float[][] logits = TestModels.floats("dense.logits", ROWS);
        try (LoadedModel model = TestModels.onnx("dense").oneBatchSize(true).create()) {
            for (int rows : new int[] {3, 1, 5, 2, 5}) {
                Tensor[] tensors = new Tensor[rows];
                for (int i = 0; i < rows; i++) {
                    tensors[i] = Tensor.of(x[i], 6);
                }
                Batch result = model.apply(Batch.of("x", tensors));
                assertThat(result.rows()).isEqualTo(rows);
                for (int i = 0; i < rows; i++) {
                    Tensor scores = ((TensorColumn) result.column("logits")).tensor(i);
                    assertThat(scores.toFloats()).containsExactly(logits[i], within(1e-4f));
                }
            }
        }
    }

    @Test
    void aModelLoadedByAFactoryTakesTheOnlyColumnThatFits() {
        String path = TestModels.model("dense");
        List<Row> rows = rows().mapBatches(
                        () -> OnnxModel.load(path), Compute.actors(1, 2).batchSize(4))
                .takeAll();
        assertRows(rows, "logits", TestModels.floats("dense.logits", ROWS));
    }

    @Test
    void imagesGoInAndTwoOutputsComeOut() {
        List<Row> rows = rows("image.pixels", 7, 3, 8, 8)
                .mapBatches(
                        TestModels.onnx("image").input("x"), Compute.actors(1).batchSize(4))
                .takeAll();
        assertRows(rows, "map", TestModels.floats("image.map", 7));
        assertRows(rows, "mean", TestModels.floats("image.mean", 7));
        assertThat(rows.getFirst().getTensor("map").shape()).containsExactly(4, 8, 8);
    }

    @Test
    void outputsAreChosenAndRenamed() {
        List<Row> rows = rows("image.pixels", 7, 3, 8, 8)
                .mapBatches(
                        TestModels.onnx("image").output("mean", "embedding"),
                        Compute.actors(1).batchSize(4))
                .takeAll();
        assertThat(rows.getFirst().columns()).containsExactly("n", "embedding");
        assertRows(rows, "embedding", TestModels.floats("image.mean", 7));
    }

    @Test
    void theTensorsThatAModelTakesAreLeftOutUnlessKept() {
        Compute one = Compute.actors(1).batchSize(4);
        assertThat(rows().mapBatches(TestModels.onnx("dense"), one)
                        .take(1)
                        .getFirst()
                        .columns())
                .containsExactly("n", "logits");
        assertThat(rows().mapBatches(TestModels.onnx("dense").keep("x"), one)
                        .take(1)
                        .getFirst()
                        .columns())
                .containsExactly("n", "x", "logits");
        assertThat(rows().mapBatches(TestModels.onnx("dense").drop("n").prefix("my_"), one)
                        .take(1)
                        .getFirst()
                        .columns())
                .containsExactly("my_logits");
    }

    @Test
    void softmaxMakesProbabilities() {
        List<Row> rows = rows().mapBatches(
                        TestModels.onnx("dense").softmax(), Compute.actors(1).batchSize(4))
                .takeAll();
        float[][] logits = TestModels.floats("dense.logits", ROWS);
        for (int i = 0; i < ROWS; i++) {
            assertThat(rows.get(i).getTensor("logits").toDoubles())
                    .containsExactly(probabilities(logits[i]), within(1e-6));
        }
    }

    @Test
    void probabilitiesHaveTheNameThatTheOutputWasGiven() {
        assertThat(rows().mapBatches(
                                TestModels.onnx("dense").output("logits", "p").softmax(),
                                Compute.actors(1).batchSize(4))
                        .takeAll())
                .allSatisfy(row -> assertThat(row.columns()).containsExactly("n", "p"));
    }

    @Test
    void theBestClassHasANumberALabelAndAScore() throws Exception {
        Path labels = Files.writeString(folder.resolve("labels.txt"), "cat\ndog\ntench\nBühne\nlast\n\n");
        List<Row> rows = rows().mapBatches(
                        TestModels.onnx("dense").softmax().topK(1).labels(labels.toString()),
                        Compute.actors(1).batchSize(4))
                .takeAll();
        List<String> names = List.of("cat", "dog", "tench", "Bühne", "last");
        float[][] logits = TestModels.floats("dense.logits", ROWS);
        for (int i = 0; i < ROWS; i++) {
            double[] expected = probabilities(logits[i]);
            Row row = rows.get(i);
            assertThat(row.columns()).containsExactly("n", "class", "label", "score");
            assertThat(row.getInt("class")).isEqualTo(best(expected));
            assertThat(row.getString("label")).isEqualTo(names.get(best(expected)));
            assertThat(row.getFloat("score")).isCloseTo((float) expected[best(expected)], within(1e-6f));
        }
    }

    @Test
    void severalClassesAreListsWithTheBestFirst() {
        List<Row> rows = rows().mapBatches(
                        TestModels.onnx("dense").topK(3).labels(List.of("a", "b", "c", "d", "e")),
                        Compute.actors(1).batchSize(4))
                .takeAll();
        float[][] logits = TestModels.floats("dense.logits", ROWS);
        for (int i = 0; i < ROWS; i++) {
            List<Integer> classes = new ArrayList<>();
            for (Object c : rows.get(i).getList("class")) {
                classes.add((Integer) c);
            }
            assertThat(classes).hasSize(3).doesNotHaveDuplicates();
            float[] row = logits[i];
            List<Object> scores = new ArrayList<>(rows.get(i).getList("score"));
            for (int k = 0; k < 3; k++) {
                assertThat((Float) scores.get(k)).isCloseTo(row[classes.get(k)], within(1e-5f));
            }
            assertThat((Float) scores.get(0)).isGreaterThanOrEqualTo((Float) scores.get(1));
            assertThat((Float) scores.get(1)).isGreaterThanOrEqualTo((Float) scores.get(2));
            List<Object> names = new ArrayList<>();
            classes.forEach(c -> names.add("abcde".substring(c, c + 1)));
            assertThat(new ArrayList<Object>(rows.get(i).getList("label"))).isEqualTo(names);
        }
    }

    @Test
    void twoInputsTakeTheColumnsOfTheirNamesOrThoseThatAreNamed() {
        List<Row> items = List.of(
                Row.of("a", Tensor.of(new float[] {1, 2, 3}, 3), "left", Tensor.of(new float[] {10, 20, 30}, 3)),
                Row.of("a", Tensor.of(new float[] {4, 5, 6}, 3), "left", Tensor.of(new float[] {40, 50, 60}, 3)));
        List<Row> rows = session.items(items)
                .mapBatches(
                        TestModels.onnx("two").input("b", "left"),
                        Compute.actors(1).batchSize(2))
                .takeAll();
        assertThat(rows.get(1).getTensor("sum").toFloats()).containsExactly(44, 55, 66);
        assertThat(rows.get(1).getTensor("difference").toFloats()).containsExactly(-36, -45, -54);
    }

    @Test
    void lengthsMayDifferFromBatchToBatch() {
        try (LoadedModel model = TestModels.onnx("tokens").create()) {
            for (int length : new int[] {2, 3, 2, 3, 2}) {
                long[] ids = new long[length];
                ids[length - 1] = 7;
                Tensor row = Tensor.of(ids, length);
                Batch result = model.apply(Batch.of("ids", new Tensor[] {row, row}));
                assertThat(result.row(1).getTensor("out").shape()).containsExactly(length);
                assertThat(result.row(1).getTensor("twice").toLongs()[2 * length - 1])
                        .isEqualTo(7);
            }
            // `twice` was copied for the first batch of each length; after that its shape was known.
            assertThat(model.copiedBytes()).isEqualTo(2 * (4 + 6) * Long.BYTES);
        }
    }

    @Test
    void aModelWhoseFileIsWrongAboutAShapeStillRuns() {
        try (LoadedModel model = TestModels.onnx("liar").create()) {
            for (int i = 0; i < 3; i++) {
                Batch result = model.apply(Batch.of("ids", new Tensor[] {Tensor.of(new long[] {1, i}, 2)}));
                assertThat(result.row(0).getTensor("twice").toLongs()).containsExactly(1, i, 1, i);
            }
        }
    }

    @Test
    void listsOfOneLengthAreRowsToo() {
        try (LoadedModel model = TestModels.onnx("tokens").output("out").create()) {
            Batch batch = Batch.of("ids", List.of(List.of(1L, 2L), List.of(3L, 4L), List.of(5L, 6L)))
                    .slice(1, 2);
            assertThat(batch.schema().type("ids")).isEqualTo(DataType.list(DataType.INT64));
            Batch result = model.apply(batch);
            assertThat(result.row(1).getTensor("out").toFloats()).containsExactly(5, 6);
            assertThat(model.copiedBytes()).isZero();
        }
    }

    /// What the model reads and writes is the memory of columns: of all that goes in and out nothing is copied, also
    /// not for a batch that begins in the middle of a block.
    @Test
    void nothingIsCopiedOnTheWayInAndOut() {
        float[][] x = TestModels.floats("image.pixels", 7);
        Tensor[] tensors = new Tensor[7];
        for (int i = 0; i < 7; i++) {
            tensors[i] = Tensor.of(x[i], 3, 8, 8);
        }
        try (LoadedModel model = TestModels.onnx("image").create()) {
            Batch result = model.apply(Batch.of("x", tensors).slice(2, 4));
            assertThat(result.row(3).getTensor("mean").toFloats())
                    .containsExactly(TestModels.floats("image.mean", 7)[5], within(1e-5f));
            assertThat(model.copiedBytes()).isZero();
        }
    }

    @Test
    void onlyTheRowsThatFillAFixedBatchAreCopied() {
        float[][] x = TestModels.floats("dense.x", ROWS);
        Tensor[] tensors = new Tensor[6];
        for (int i = 0; i < 6; i++) {
            tensors[i] = Tensor.of(x[i], 6);
        }
        try (LoadedModel model = TestModels.onnx("fixed").create()) {
            Batch result = model.apply(Batch.of("x", tensors));
            assertThat(result.rows()).isEqualTo(6);
            assertThat(model.copiedBytes()).isEqualTo(2 * (6 + 5) * Float.BYTES);
        }
    }
}
