package dev.millrace.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.util.passthrough.PassthroughNDManager;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtSession;
import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.compute.Compute;
import dev.millrace.error.MillraceException;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.iteration.TensorBatch;
import dev.millrace.iteration.TensorBatchOptions;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.type.DataType;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Batches of tensors in the hands of other libraries.
class TensorAdaptersTest {
    private final Session session =
            Session.builder().progress(ProgressSettings.OFF).open();

    @AfterEach
    void close() {
        session.close();
    }

    private CloseableIterator<TensorBatch> batches(TensorBatchOptions options) {
        return session.rangeTensor(8, 2, 3).iterTensorBatches(options);
    }

    @Test
    void onnxruntimeReadsTheMemoryOfTheBatch() throws Exception {
        try (CloseableIterator<TensorBatch> batches =
                batches(TensorBatchOptions.batchSize(4).dtype(DataType.FLOAT32).writable())) {
            batches.next();
            TensorBatch second = batches.next();
            try (OnnxTensors tensors = OnnxTensors.of(second)) {
                OnnxTensor data = tensors.tensor("data");
                assertThat(data.getInfo().getShape()).containsExactly(4, 2, 3);
                assertThat(((float[][][]) data.getValue())[3][1][2]).isEqualTo(7);
                // The same memory: what is written there is seen here.
                second.tensor("data").floats().put(0, 99);
                assertThat(data.getFloatBuffer().get(0)).isEqualTo(99);
            }
        }
    }

    @Test
    void neitherLibraryGetsAWayToWriteIntoTheDataset() {
        try (CloseableIterator<TensorBatch> batches = batches(TensorBatchOptions.batchSize(8))) {
            TensorBatch batch = batches.next();
            try (OnnxTensors tensors = OnnxTensors.of(batch)) {
                OnnxTensor data = tensors.tensor("data");
                assertThat(data.getLongBuffer().get(6)).isEqualTo(1);
                assertThat(data.getBufferRef()).isPresent();
                assertThat(data.getBufferRef().orElseThrow().isReadOnly()).isTrue();
            }
            NDArray array = DjlArrays.of(batch.tensor("data"), PassthroughNDManager.INSTANCE);
            array.toByteBuffer().putLong(0, 99);
            assertThat(batch.tensor("data").longs().get(0)).isZero();
        }
    }

    @Test
    void aSessionOfItsOwnRunsOnThem() throws Exception {
        Tensor[] rows = Arrays.stream(TestModels.floats("dense.x", 10))
                .map(row -> Tensor.of(row, row.length))
                .toArray(Tensor[]::new);
        try (OrtSession onnx = OnnxTensors.environment().createSession(TestModels.model("dense"));
                CloseableIterator<TensorBatch> batches =
                        session.fromBatches(Batch.of("x", rows)).iterTensorBatches(TensorBatchOptions.batchSize(10));
                OnnxTensors inputs = OnnxTensors.of(batches.next());
                OrtSession.Result result = onnx.run(inputs.map())) {
            float[][] logits = (float[][]) result.get(0).getValue();
            float[][] wanted = TestModels.floats("dense.logits", 10);
            for (int row = 0; row < 10; row++) {
                assertThat(logits[row]).containsExactly(wanted[row], within(1e-5f));
            }
        }
    }

    @Test
    void aModelThatIsLoadedForEachBatchIsPointedOut() {
        String path = TestModels.model("dense");
        Dataset slow = session.fromBatches(Batch.of(
                        "x",
                        Arrays.stream(TestModels.floats("dense.x", 10))
                                .map(row -> Tensor.of(row, row.length))
                                .toArray(Tensor[]::new)))
                .mapBatches(
                        batch -> {
                            try (LoadedModel model = OnnxModel.load(path)) {
                                return model.apply(batch);
                            }
                        },
                        Compute.tasks().batchSize(5).name("classify"));
        slow.takeAll();
        assertThat(slow.stats()).contains("OnnxModel is built for each batch (2 times in 2 calls of");
    }

    @Test
    void whatOnnxruntimeDoesNotTakeIsSaid() {
        try (CloseableIterator<TensorBatch> batches =
                batches(TensorBatchOptions.batchSize(4).dtype(DataType.UINT32))) {
            TensorBatch batch = batches.next();
            assertThatThrownBy(() -> OnnxTensors.of(batch))
                    .isInstanceOf(MillraceException.class)
                    .hasMessage(
                            "Tensor 'data' is of uint32, which onnxruntime's Java API does not take: ask for another"
                                    + " type with dtype(\"data\", ...).");
        }
    }

    @Test
    void djlGetsAnArrayForEachTensor() {
        try (CloseableIterator<TensorBatch> batches = session.items(
                        Row.of("x", 1.5f, "label", 3L, "ok", true, "small", (byte) 7),
                        Row.of("x", 2.5f, "label", 4L, "ok", false, "small", (byte) 8))
                .iterTensorBatches(TensorBatchOptions.batchSize(2))) {
            // The manager without an engine keeps the buffers as they are.
            NDList arrays = DjlArrays.of(batches.next(), PassthroughNDManager.INSTANCE);
            assertThat(arrays).extracting(NDArray::getName).containsExactly("x", "label", "ok", "small");
            assertThat(arrays)
                    .extracting(NDArray::getDataType)
                    .containsExactly(
                            ai.djl.ndarray.types.DataType.FLOAT32,
                            ai.djl.ndarray.types.DataType.INT64,
                            ai.djl.ndarray.types.DataType.BOOLEAN,
                            ai.djl.ndarray.types.DataType.INT8);
            assertThat(arrays.get("x").toFloatArray()).containsExactly(1.5f, 2.5f);
            assertThat(arrays.get("label").toLongArray()).containsExactly(3, 4);
            assertThat(arrays.get("ok").toBooleanArray()).containsExactly(true, false);
            assertThat(arrays.get("small").toByteArray()).containsExactly(7, 8);
            assertThat(arrays.get("x").getShape().getShape()).containsExactly(2);
        }
    }
}
