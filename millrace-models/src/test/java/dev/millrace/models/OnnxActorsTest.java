package dev.millrace.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.compute.ActorContext;
import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.stats.Hint;
import dev.millrace.testing.LoopbackRuntime;
import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A model in the actors of an operator: its threads, its device, its way there.
class OnnxActorsTest {
    private static int threadsWith(double cpus) throws Exception {
        ActorContext actor = new ActorContext("mapBatches(OnnxModel)", Resources.cpus(cpus), List.of());
        try (LoadedModel model = actor.call(() -> TestModels.onnx("dense").create())) {
            return model.threads();
        }
    }

    @Test
    void oneCallRunsOnAsManyThreadsAsTheOperatorHasCpus() throws Exception {
        assertThat(threadsWith(3)).isEqualTo(3);
        assertThat(threadsWith(1)).isEqualTo(1);
        assertThat(threadsWith(0.5)).isEqualTo(1);
        assertThat(threadsWith(0)).isEqualTo(1);
        try (LoadedModel model = TestModels.onnx("dense").threads(2).create()) {
            assertThat(model.threads()).isEqualTo(2);
        }
        try (LoadedModel model = OnnxModel.load(TestModels.model("dense"))) {
            assertThat(model.threads()).isEqualTo(Runtime.getRuntime().availableProcessors());
        }
    }

    @Test
    void anOperatorThatAsksForGpusSaysWhatIsMissing() {
        ActorContext actor = new ActorContext("mapBatches(OnnxModel)", new Resources(0, 1, 0, Map.of()), List.of(1));
        assertThatThrownBy(() -> actor.call(() -> TestModels.onnx("dense").create()))
                .isInstanceOf(MillraceException.class)
                .hasMessageStartingWith(
                        "mapBatches(OnnxModel) asks for GPUs, and the onnxruntime on the class path is the"
                                + " one for CPUs.");
    }

    @Test
    void aModelThatIsLoadedForEachBatchIsPointedOut() {
        String path = TestModels.model("dense");
        try (Session session = Session.open()) {
            Dataset slow = session.range(64, 2)
                    .map(_ -> Row.of("x", Tensor.of(new float[6], 6)))
                    .mapBatches(
                            batch -> {
                                try (LoadedModel model = OnnxModel.load(path)) {
                                    return model.apply(batch);
                                }
                            },
                            Compute.tasks().batchSize(4));
            slow.takeAll();
            assertThat(slow.lastRun().orElseThrow().hints())
                    .filteredOn(hint -> hint.pattern() == Hint.Pattern.LOADED_IN_EACH_CALL)
                    .singleElement()
                    .extracting(Hint::sentence)
                    .asString()
                    .startsWith("OnnxModel is built for each batch (16 times in 16 calls");
            Dataset right = session.range(64, 2)
                    .map(_ -> Row.of("x", Tensor.of(new float[6], 6)))
                    .mapBatches(OnnxModel.of(path), Compute.actors(1).batchSize(64));
            right.takeAll();
            assertThat(right.lastRun().orElseThrow().hints())
                    .noneMatch(hint -> hint.pattern() == Hint.Pattern.LOADED_IN_EACH_CALL);
        }
    }

    /// The engine halves a batch for which there is no memory; here not even one row has enough.
    @Test
    void aModelWithoutMemoryIsTriedWithSmallerBatches() {
        try (Session session = Session.open()) {
            assertThatThrownBy(() -> session.range(4)
                            .map(_ -> Row.of("x", 1f))
                            .mapBatches(
                                    TestModels.onnx("huge"), Compute.actors(1).batchSize(4))
                            .takeAll())
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContaining("huge.onnx failed on 'x' float32 of 1 rows x [1]: ")
                    .extracting(e -> ((MillraceException) e).culprit())
                    .isEqualTo(Culprit.RESOURCES);
        }
    }

    @Test
    void theDescriptionTravelsAndTheLoadedModelDoesNot() throws Exception {
        try (Session session = Session.builder()
                .runtime(driver -> new LoopbackRuntime(driver, Resources.cpus(2)))
                .open()) {
            List<Row> rows = session.range(2)
                    .map(_ -> Row.of("x", Tensor.of(new float[6], 6)))
                    .mapBatches(
                            TestModels.onnx("dense").softmax().topK(2).labels(List.of("a", "b", "c", "d", "e")),
                            Compute.actors(1).batchSize(2))
                    .takeAll();
            assertThat(rows).hasSize(2);
            assertThat(rows.getFirst().columns()).containsExactly("class", "label", "score");
        }
        try (LoadedModel model = TestModels.onnx("dense").create();
                ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
            assertThatThrownBy(() -> out.writeObject(model))
                    .isInstanceOf(NotSerializableException.class)
                    .hasMessageContaining("ship the OnnxModel");
        }
    }
}
