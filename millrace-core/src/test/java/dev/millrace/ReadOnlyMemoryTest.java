package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.Tensor;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.iteration.DirectTensor;
import dev.millrace.iteration.TensorBatch;
import dev.millrace.iteration.TensorBatchOptions;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.nio.FloatBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a user's program gets of the memory of blocks cannot be written to; who asks for a copy can write to that.
class ReadOnlyMemoryTest {
    private final Session session =
            Session.builder().progress(ProgressSettings.OFF).open();

    @AfterEach
    void close() {
        session.close();
    }

    private static TensorBatchOptions batches() {
        return TensorBatchOptions.batchSize(7).prefetch(0);
    }

    /// 10 rows of float32 [2, 3], each element the number of its row.
    private MaterializedDataset images() {
        return session.rangeTensor(10, 2, 3)
                .mapBatches(batch -> {
                    Tensor[] rows = new Tensor[(int) batch.rows()];
                    TensorColumn data = (TensorColumn) batch.column("data");
                    for (int i = 0; i < rows.length; i++) {
                        rows[i] = Tensor.of(data.tensor(i).toFloats(), 2, 3);
                    }
                    return Batch.of("data", rows);
                })
                .materialize();
    }

    @Test
    void aBatchOfTensorsRefusesToBeWrittenTo() {
        try (MaterializedDataset images = images();
                CloseableIterator<TensorBatch> epoch = images.iterTensorBatches(batches())) {
            while (epoch.hasNext()) {
                DirectTensor data = epoch.next().tensor("data");
                assertThat(data.isWritable()).isFalse();
                assertThatThrownBy(() -> data.floats().put(0, 1)).isInstanceOf(ReadOnlyBufferException.class);
                assertThatThrownBy(() -> data.bytes().put(0, (byte) 1)).isInstanceOf(ReadOnlyBufferException.class);
                assertThatThrownBy(() -> data.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void whatWasCopiedAnywayIsReadOnlyTooSoThatNothingDependsOnTheBordersOfBlocks() {
        TensorBatchOptions converted = batches()
                .dtype("data", DataType.FLOAT64)
                .padTo("data", 0, 4, 4)
                .mask("data", "mask")
                .lengths("data", "lengths");
        try (CloseableIterator<TensorBatch> epoch =
                session.rangeTensor(10, 2, 3).iterTensorBatches(converted)) {
            assertThat(epoch.next().tensors())
                    .hasSize(3)
                    .allMatch(tensor -> tensor.segment().isReadOnly() && !tensor.isWritable());
        }
    }

    @Test
    void aTrainingLoopThatDividesInPlaceSeesTheSameValuesInEveryEpoch() {
        try (MaterializedDataset images = images()) {
            for (int epoch = 0; epoch < 3; epoch++) {
                List<Float> firsts = new ArrayList<>();
                try (CloseableIterator<TensorBatch> tensors =
                        images.iterTensorBatches(batches().writable())) {
                    while (tensors.hasNext()) {
                        DirectTensor data = tensors.next().tensor("data");
                        assertThat(data.isWritable()).isTrue();
                        FloatBuffer values = data.floats();
                        for (int i = 0; i < values.capacity(); i++) {
                            values.put(i, values.get(i) / 10);
                        }
                        for (int i = 0; i < values.capacity(); i += 6) {
                            firsts.add(values.get(i));
                        }
                    }
                }
                assertThat(firsts).containsExactly(0f, 0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f, 0.9f);
            }
        }
    }

    @Test
    void writableTensorsCanBeMadeInsideAFunctionToo() {
        Dataset halved = session.range(4).mapBatches(batch -> {
            TensorBatch tensors =
                    Tensors.of(batch, TensorBatchOptions.defaults().writable());
            DirectTensor ids = tensors.tensor("id");
            ids.longs().put(0, 99);
            assertThatThrownBy(() -> Tensors.of(batch, TensorBatchOptions.defaults())
                            .tensor("id")
                            .longs()
                            .put(0, 99))
                    .isInstanceOf(ReadOnlyBufferException.class);
            return batch;
        });
        assertThat(halved.takeAll()).first().isEqualTo(Row.of("id", 0L));
    }

    @Test
    void tensorsThatACollateFunctionMakesAreItsOwnToWrite() {
        TensorBatchOptions collated = batches().collate((batch, out) -> {
            out.add("id");
            out.add("ones", DataType.FLOAT32, batch.rows()).floats().put(0, 1f);
        });
        try (CloseableIterator<TensorBatch> epoch = session.range(4).iterTensorBatches(collated)) {
            TensorBatch batch = epoch.next();
            assertThat(batch.tensor("ones").floats().get(0)).isEqualTo(1f);
            assertThat(batch.tensor("id").isWritable()).isFalse();
        }
    }

    @Test
    void everySegmentAndBufferOfEveryKindOfColumnIsReadOnly() {
        Row row = Row.of(
                "long",
                1L,
                "float",
                2f,
                "bool",
                true,
                "text",
                "a",
                "bytes",
                new byte[] {1},
                "list",
                List.of(1L, 2L),
                "tensor",
                Tensor.of(new float[] {1, 2}, 2),
                "decimal",
                new BigDecimal("1.5"),
                "struct",
                Map.of("x", 1L, "y", "b"));
        Row nulls = Row.of(
                "long", null, "float", null, "bool", null, "text", null, "bytes", null, "list", null, "tensor", null,
                "decimal", null, "struct", null);
        session.items(row, nulls)
                .mapBatches(batch -> {
                    batch.columns().forEach(name -> requireReadOnly(batch.column(name)));
                    return batch;
                })
                .takeAll();
        try (CloseableIterator<Batch> batches = session.items(row, nulls).iterBatches(1)) {
            Batch batch = batches.next();
            batch.columns().forEach(name -> requireReadOnly(batch.column(name)));
        }
    }

    private static void requireReadOnly(Column column) {
        column.forEachBuffer(buffer -> requireReadOnly(buffer.segment()));
        column.slice(0, 1).forEachBuffer(buffer -> requireReadOnly(buffer.segment()));
        switch (column) {
            case TensorColumn tensors -> requireReadOnly(tensors.segment(0));
            case FixedWidthColumn numbers -> requireReadOnly(numbers.values());
            case VariableTensorColumn tensors -> requireReadOnly(tensors.segment(0));
            case VariableWidthColumn texts -> {
                requireReadOnly(texts.dataSegment());
                requireReadOnly(texts.bytes(0));
                requireReadOnly(texts.offsets());
            }
            case OffsetColumn lists -> requireReadOnly(lists.offsets());
            default -> {}
        }
    }

    private static void requireReadOnly(MemorySegment segment) {
        assertThat(segment.isReadOnly() || segment.byteSize() == 0).isTrue();
    }
}
