package dev.millrace.internal.parquet.read;

import dev.millrace.column.Column;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// Converts lists and structs to the fixed lists and tensors of the Arrow schema. Each method takes over the column's
/// references.
final class ShapedColumns {
    /// The maximum number of elements that are created for nulls and values together: a damaged size must not exhaust
    /// memory.
    private static final long MOST = 1 << 28;

    private ShapedColumns() {}

    static Column list(DataType type, ListColumn list, Allocator allocator) {
        return switch (type) {
            case DataType.FixedList fixed -> {
                Column elements = elements(list, fixed.size(), allocator);
                list.offsetsBuffer().release();
                yield new FixedListColumn(fixed, list.length(), elements, list.validityBuffer(), 0, list.nullCount());
            }
            case DataType.Tensor tensor -> {
                if (list.elements().hasNulls()) {
                    throw new MalformedParquet("an element of a tensor is null");
                }
                FixedWidthColumn elements =
                        (FixedWidthColumn) elements(list, Math.toIntExact(tensor.elements()), allocator);
                list.offsetsBuffer().release();
                drop(elements.validityBuffer());
                yield new TensorColumn(
                        tensor, list.length(), elements.dataBuffer(), list.validityBuffer(), 0, list.nullCount());
            }
            // Lists stay lists.
            default -> list;
        };
    }

    /// The elements, `size` of them for each list, including null lists; releases those of the list if they are
    /// replaced.
    private static Column elements(ListColumn list, int size, Allocator allocator) {
        for (long i = 0; i < list.length(); i++) {
            long length = list.end(i) - list.start(i);
            if (length != size && !list.isNull(i)) {
                throw new MalformedParquet("a list has " + length + " elements, where all should have " + size);
            }
        }
        long all = list.length() * size;
        if (!list.hasNulls()) {
            return list.elements();
        }
        if (all > MOST) {
            throw new MalformedParquet("lists of " + size + " elements, " + list.length() + " of them");
        }
        int[] positions = new int[(int) all];
        for (int i = 0; i < list.length(); i++) {
            boolean there = !list.isNull(i);
            for (int j = 0; j < size; j++) {
                positions[i * size + j] = there ? (int) list.start(i) + j : -1;
            }
        }
        Column elements = GatherKernel.takeOrNull(allocator, list.elements(), positions, (int) all);
        list.elements().release();
        return elements;
    }

    static Column struct(DataType type, StructColumn struct) {
        if (!(type instanceof DataType.VariableTensor tensor)) {
            return struct;
        }
        // Values under a null are meaningless: only the tensor's own nulls count.
        ListColumn data = (ListColumn) struct.child(0);
        FixedListColumn shapes = (FixedListColumn) struct.child(1);
        FixedWidthColumn dimensions = (FixedWidthColumn) shapes.elements();
        if (data.elements().hasNulls()) {
            throw new MalformedParquet("an element of a tensor is null");
        }
        ListColumn values =
                new ListColumn(data.type(), data.length(), data.offsetsBuffer(), 4, data.elements(), null, 0, 0);
        FixedListColumn sizes = new FixedListColumn(
                shapes.type(),
                shapes.length(),
                FixedWidthColumn.of(dimensions.type(), dimensions.length(), dimensions.dataBuffer(), null, 0, 0),
                null,
                0,
                0);
        drop(data.validityBuffer());
        drop(shapes.validityBuffer());
        drop(dimensions.validityBuffer());
        return new VariableTensorColumn(
                tensor, struct.length(), values, sizes, struct.validityBuffer(), 0, struct.nullCount());
    }

    private static void drop(@Nullable Buffer validity) {
        if (validity != null) {
            validity.release();
        }
    }
}
