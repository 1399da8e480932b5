package dev.millrace.internal.tensor;

import dev.millrace.column.Column;
import dev.millrace.column.ListColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.type.DataType;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A column whose rows have shapes of their own: lists of numbers or of equal pieces, tensors of any shape. The
/// elements of all rows are consecutive in `elements`, except for nulls.
///
/// @param starts the first element of each row in `elements`
/// @param shapes of each row; a null has an empty shape
record RaggedColumn(FlatColumn elements, long[] starts, int[][] shapes, boolean[] nulls, int dimensions) {
    /// Null if the column is of another kind.
    static @Nullable RaggedColumn of(Column column, @Nullable DataType wanted, TensorMemory memory) {
        return switch (column) {
            case ListColumn lists -> {
                Column all = lists.elements().slice(lists.first(), lists.extent());
                FlatColumn inner = FlatColumn.of(all, wanted, memory);
                yield inner == null ? null : lists(lists, inner);
            }
            case VariableTensorColumn tensors -> tensors(tensors, wanted, memory);
            // Not lists of numbers.
            default -> null;
        };
    }

    private static RaggedColumn lists(ListColumn lists, FlatColumn inner) {
        int rows = Math.toIntExact(lists.length());
        long[] starts = new long[rows];
        int[][] shapes = new int[rows][];
        boolean[] nulls = new boolean[rows];
        List<Integer> rest = inner.shape();
        for (int row = 0; row < rows; row++) {
            nulls[row] = lists.isNull(row);
            starts[row] = (lists.start(row) - lists.first()) * inner.perValue();
            int[] shape = new int[1 + rest.size()];
            shape[0] = nulls[row] ? 0 : Math.toIntExact(lists.end(row) - lists.start(row));
            for (int i = 0; i < rest.size(); i++) {
                shape[i + 1] = rest.get(i);
            }
            shapes[row] = shape;
        }
        return new RaggedColumn(inner, starts, shapes, nulls, 1 + rest.size());
    }

    private static RaggedColumn tensors(VariableTensorColumn tensors, @Nullable DataType wanted, TensorMemory memory) {
        ListColumn data = tensors.data();
        Column all = data.elements().slice(data.first(), data.extent());
        int rows = Math.toIntExact(tensors.length());
        int dimensions = tensors.type().dimensions();
        long[] starts = new long[rows];
        int[][] shapes = new int[rows][];
        boolean[] nulls = new boolean[rows];
        for (int row = 0; row < rows; row++) {
            nulls[row] = tensors.isNull(row);
            starts[row] = data.start(row) - data.first();
            shapes[row] = nulls[row] ? new int[dimensions] : tensors.shape(row);
        }
        FlatColumn elements =
                Objects.requireNonNull(FlatColumn.of(all, wanted, memory), "the elements of tensors are numbers");
        return new RaggedColumn(elements, starts, shapes, nulls, dimensions);
    }

    RaggedColumn with(FlatColumn converted) {
        return new RaggedColumn(converted, starts, shapes, nulls, dimensions);
    }

    int rows() {
        return starts.length;
    }

    int nullCount() {
        int count = 0;
        for (boolean isNull : nulls) {
            count += isNull ? 1 : 0;
        }
        return count;
    }

    /// The largest size in each dimension.
    int[] largest() {
        int[] most = new int[dimensions];
        for (int[] shape : shapes) {
            for (int i = 0; i < dimensions; i++) {
                most[i] = Math.max(most[i], shape[i]);
            }
        }
        return most;
    }

    /// True if every row has this shape.
    boolean isAll(int[] shape) {
        return Arrays.stream(shapes).allMatch(each -> Arrays.equals(each, shape));
    }
}
