package dev.millrace.preprocess;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.millrace.column.Column;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.ColumnFunction;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.aggregate.NumericDoubles;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.util.Arrays;
import java.util.List;

/// Combines the numbers of a row into one vector: a tensor of floats. Missing numbers are NaN, and so are all elements
/// of a missing list.
///
/// @param element float32 or float64
/// @param places the index in the vector to which each column's number is added, for scalars only; empty to concatenate
///     the columns, lists and tensors with all their elements
/// @param width of the vector; 0 if it follows from the columns
record CombineFunction(DataType element, List<Integer> places, int width) implements ColumnFunction {
    /// The number of values that are combined at a time.
    private static final int CHUNK = 4096;

    public CombineFunction {
        places = List.copyOf(places);
    }

    @Override
    public String text(List<String> arguments) {
        String columns = String.join(", ", arguments);
        return places.isEmpty() ? "concatenate(" + columns + ")" : "hashFeatures(" + columns + ", " + width + ")";
    }

    @Override
    public DataType.Tensor type(List<DataType> arguments) {
        long sum = 0;
        for (DataType argument : arguments) {
            sum += widthOf(argument);
        }
        return DataType.tensor(element, Math.toIntExact(width > 0 ? width : sum));
    }

    private long widthOf(DataType type) {
        boolean single = places.isEmpty();
        return switch (type) {
            case DataType.Int _, DataType.Float _, DataType.Decimal _, DataType.Bool _ -> 1;
            case DataType.FixedList list when single && list.element().isNumeric() -> list.size();
            case DataType.Tensor tensor when single -> tensor.elements();
            case DataType.Null _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ ->
                throw MillraceException.user((single ? "concatenate" : "hashFeatures") + ": numbers"
                        + (single ? ", or lists and tensors of one size," : "") + " are needed, but a column is " + type
                        + ".");
        };
    }

    @Override
    public Column apply(List<Column> arguments, Allocator allocator) {
        DataType.Tensor type = type(arguments.stream().map(Column::type).toList());
        int all = Math.toIntExact(type.elements());
        int rows = Math.toIntExact(arguments.getFirst().length());
        boolean wide = element.equals(DataType.FLOAT64);
        int bytes = wide ? Double.BYTES : Float.BYTES;
        try (ResourceScope scope = new ResourceScope()) {
            Buffer data = scope.add(allocator.allocate(Math.max(1, (long) rows * all * bytes)));
            int step = Math.max(1, CHUNK / all);
            double[] vectors = new double[step * all];
            for (int from = 0; from < rows; from += step) {
                int count = Math.min(step, rows - from);
                fill(arguments, from, count, vectors, all);
                long start = (long) from * all;
                for (int i = 0; i < count * all; i++) {
                    if (wide) {
                        data.segment().setAtIndex(JAVA_DOUBLE, start + i, vectors[i]);
                    } else {
                        data.segment().setAtIndex(JAVA_FLOAT, start + i, (float) vectors[i]);
                    }
                }
            }
            return scope.keep(new TensorColumn(type, rows, data, null, 0, 0));
        }
    }

    private void fill(List<Column> arguments, int from, int count, double[] vectors, int all) {
        Arrays.fill(vectors, 0);
        int at = 0;
        for (int i = 0; i < arguments.size(); i++) {
            Column column = arguments.get(i);
            int each = (int) widthOf(column.type());
            int place = places.isEmpty() ? at : places.get(i);
            double[] numbers = new double[count * each];
            read(column, from, count, each, numbers);
            for (int row = 0; row < count; row++) {
                for (int k = 0; k < each; k++) {
                    vectors[row * all + place + k] += numbers[row * each + k];
                }
            }
            at += each;
        }
    }

    /// All elements of `count` rows.
    private static void read(Column column, int from, int count, int each, double[] numbers) {
        switch (column) {
            case FixedListColumn list ->
                NumericDoubles.read(list.elements(), (long) from * each, count * each, numbers);
            case TensorColumn tensor ->
                NumericDoubles.read(elements(tensor), (long) from * each, count * each, numbers);
            // One number in each row.
            default -> NumericDoubles.read(column, from, count, numbers);
        }
        if (each > 1 && column.hasNulls()) {
            for (int row = 0; row < count; row++) {
                if (column.isNull(from + row)) {
                    Arrays.fill(numbers, row * each, (row + 1) * each, Double.NaN);
                }
            }
        }
    }

    private static Column elements(TensorColumn tensor) {
        long each = tensor.type().elements();
        return FixedWidthColumn.of(
                tensor.type().element(), tensor.length() * each, tensor.dataBuffer(), null, tensor.offset() * each, 0);
    }
}
