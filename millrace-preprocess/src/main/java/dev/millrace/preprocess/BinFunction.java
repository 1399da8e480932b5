package dev.millrace.preprocess;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.column.LongColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.ColumnFunction;
import dev.millrace.internal.kernel.aggregate.NumericDoubles;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.util.Arrays;
import java.util.List;

/// The number of the bin of a number, as int64; null if it is missing or in no bin.
///
/// @param edges in ascending order; bin `i` is between edges `i` and `i + 1`
/// @param right whether a bin contains its upper edge, else its lower one
record BinFunction(List<Double> edges, boolean right) implements ColumnFunction {
    /// The number of values that are read at a time.
    private static final int CHUNK = 4096;

    BinFunction {
        edges = List.copyOf(edges);
    }

    @Override
    public String text(List<String> arguments) {
        return "bin(" + arguments.getFirst() + ", " + edges + ")";
    }

    @Override
    public DataType type(List<DataType> arguments) {
        DataType type = arguments.getFirst();
        if (!type.isNumeric() && !(type instanceof DataType.Decimal) && !(type instanceof DataType.Null)) {
            throw MillraceException.user("bin: numbers are needed, but a column is " + type + ".");
        }
        return DataType.INT64;
    }

    @Override
    public Column apply(List<Column> arguments, Allocator allocator) {
        Column column = arguments.getFirst();
        int rows = Math.toIntExact(column.length());
        double[] borders = edges.stream().mapToDouble(Double::doubleValue).toArray();
        double[] numbers = new double[CHUNK];
        Buffer validity = allocator.allocateZeroed(Math.max(1, (rows + 7) / 8));
        try {
            Buffer data = allocator.allocateZeroed(Math.max(1, (long) rows * Long.BYTES));
            for (int from = 0; from < rows; from += CHUNK) {
                int count = Math.min(CHUNK, rows - from);
                NumericDoubles.read(column, from, count, numbers);
                for (int i = 0; i < count; i++) {
                    int bin = bin(borders, numbers[i]);
                    if (bin >= 0) {
                        Bits.set(validity.segment(), from + i, true);
                        data.segment().setAtIndex(JAVA_LONG, from + i, bin);
                    }
                }
            }
            return new LongColumn(DataType.INT64, rows, data, validity.retain(), 0, Column.UNKNOWN_NULLS);
        } finally {
            validity.release();
        }
    }

    /// The bin, or -1.
    private int bin(double[] borders, double number) {
        if (Double.isNaN(number)) {
            return -1;
        }
        // Adding 0.0 makes 0.0 of -0.0, which the search would put before it.
        int at = Arrays.binarySearch(borders, number + 0.0);
        int below = at >= 0 ? (right ? at - 1 : at) : -at - 2;
        return below < 0 || below >= borders.length - 1 ? -1 : below;
    }
}
