package dev.millrace.internal.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.Tensor;
import dev.millrace.error.MillraceException;
import dev.millrace.iteration.DirectTensor;
import dev.millrace.iteration.TensorBatchOptions;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BatchTensorsTest {
    private static final TensorBatchOptions DEFAULTS = TensorBatchOptions.defaults();

    private final Allocator root = Allocator.root("test", 1L << 30);

    @AfterEach
    void nothingIsHeld() {
        root.close();
    }

    private Block block(DataType type, Object... values) {
        try (ColumnBuilder builder = ColumnBuilder.of(root, type, values.length)) {
            Arrays.stream(values).forEach(builder::append);
            return Block.of(Schema.of("x", type), List.of(builder.build()), values.length);
        }
    }

    private double[] doubles(Block block, TensorBatchOptions options, long... shape) {
        try (BatchTensors.Made made = BatchTensors.of(block, options.dtype("x", DataType.FLOAT64), root)) {
            DirectTensor tensor = made.batch().tensor("x");
            assertThat(tensor.shape()).containsExactly(shape);
            double[] values = new double[Math.toIntExact(tensor.elements())];
            tensor.doubles().get(values);
            return values;
        }
    }

    @Test
    void rowsOfOneBlockAreNotCopied() {
        DataType type = DataType.tensor(DataType.FLOAT32, 2, 2);
        try (Block block = block(
                type,
                Tensor.of(new float[] {1, 2, 3, 4}, 2, 2),
                Tensor.of(new float[] {5, 6, 7, 8}, 2, 2),
                Tensor.of(new float[] {9, 10, 11, 12}, 2, 2))) {
            long held = root.heldBytes();
            Column column = block.column(0);
            try (BatchTensors.Made made = BatchTensors.of(block.slice(1, 2), DEFAULTS, root)) {
                assertThat(root.heldBytes()).isEqualTo(held);
                DirectTensor tensor = made.batch().tensor("x");
                assertThat(tensor.shape()).containsExactly(2, 2, 2);
                assertThat(tensor.segment().address())
                        .isEqualTo(((FixedWidthColumn) column).values().address() + 16);
                assertThat(tensor.floats().get(0)).isEqualTo(5);
            }
        }
    }

    @Test
    void listsOfOneLengthAreNotCopiedEither() {
        DataType type = DataType.list(DataType.INT64);
        try (Block block = block(type, List.of(1L), List.of(2L, 3L), List.of(4L, 5L))) {
            long held = root.heldBytes();
            try (BatchTensors.Made made = BatchTensors.of(block.slice(1, 2), DEFAULTS, root)) {
                assertThat(root.heldBytes()).isEqualTo(held);
                assertThat(made.batch().tensor("x").shape()).containsExactly(2, 2);
                assertThat(made.batch().tensor("x").longs().get(3)).isEqualTo(5);
            }
        }
    }

    @Test
    void fixedListsOfFixedListsHaveADimensionEach() {
        DataType type = DataType.fixedList(DataType.fixedList(DataType.INT16, 2), 2);
        Block block = block(
                type,
                List.of(List.of((short) 1, (short) 2), List.of((short) 3, (short) 4)),
                List.of(List.of((short) 5, (short) 6), List.of((short) 7, (short) 8)));
        assertThat(doubles(block, DEFAULTS, 2, 2, 2)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    }

    @Test
    void listsOfPiecesOfOneSizeArePadded() {
        DataType type = DataType.list(DataType.fixedList(DataType.INT32, 2));
        Block block = block(type, List.of(List.of(1, 2)), List.of(List.of(3, 4), List.of(5, 6)));
        assertThat(doubles(block, DEFAULTS.pad(-1), 2, 2, 2)).containsExactly(1, 2, -1, -1, 3, 4, 5, 6);
    }

    @Test
    void nullRowsAndNullElementsAreFilled() {
        DataType type = DataType.list(DataType.INT32);
        Block lists = block(type, Arrays.asList(1, null), null, List.of(2, 3));
        assertThat(doubles(lists, DEFAULTS.fillNulls(9).pad(0), 3, 2)).containsExactly(1, 9, 9, 9, 2, 3);
        Block tensors = block(DataType.tensor(DataType.UINT8, 2), Tensor.ofUnsigned(new byte[] {1, 2}, 2), null);
        assertThat(doubles(tensors, DEFAULTS.fillNulls("x", 7), 2, 2)).containsExactly(1, 2, 7, 7);
        assertThatThrownBy(() -> BatchTensors.of(block(type, Arrays.asList(1, null)), DEFAULTS, root))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("column 'x' has 1 null inside its values in this batch");
    }

    @Test
    void dictionariesOfNumbersAreNumbers() {
        DataType type = new DataType.Dictionary(new DataType.Int(32, true), DataType.FLOAT64, false);
        assertThat(doubles(block(type, 1.5, 2.5, 1.5), DEFAULTS, 3)).containsExactly(1.5, 2.5, 1.5);
    }

    @Test
    void nestedListsOfDifferingLengthsAreRefused() {
        DataType type = DataType.list(DataType.list(DataType.INT32));
        assertThatThrownBy(() -> BatchTensors.of(block(type, List.of(List.of(1), List.of(2, 3))), DEFAULTS, root))
                .isInstanceOf(MillraceException.class)
                .hasMessage(
                        "iterTensorBatches: column 'x' is of list<list<int32>>, which no tensor holds: make numbers of"
                                + " it before, or in a function with collate(...), or leave it out with columns(...).");
    }

    @Test
    void twoTensorsOfOneNameAreRefused() {
        assertThatThrownBy(() -> BatchTensors.of(
                        block(DataType.list(DataType.INT32), List.of(1)), DEFAULTS.mask("x", "x"), root))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("there are two tensors 'x'");
    }
}
