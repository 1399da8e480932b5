package dev.millrace.internal.kernel.aggregate;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DoubleBuilder;
import dev.millrace.column.ListColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.util.Arrays;

/// Exact quantiles of numbers, interpolated linearly between two values.
public final class ExactQuantiles {
    private static final int CHUNK = 2048;

    private ExactQuantiles() {}

    /// The divisor of numbers of a type as [#read] gives them: decimals are read without their scale.
    public static double scaleOf(DataType type) {
        return MeanAccumulator.scaleOf(type);
    }

    /// Reads the non-null numbers of a column; returns their count.
    ///
    /// @param column not a dictionary
    /// @param into gets them from `at` on
    public static int read(Column column, double[] into, int at) {
        if (column instanceof NullColumn) {
            return 0;
        }
        ValueArrays values = new ValueArrays(column, CHUNK, true);
        int[] nobody = new int[CHUNK];
        int end = at;
        for (long from = 0; from < column.length(); from += CHUNK) {
            values.select(nobody, from, (int) Math.min(CHUNK, column.length() - from));
            values.readDoubles();
            System.arraycopy(values.doubles, 0, into, end, values.count);
            end += values.count;
        }
        return end - at;
    }

    /// The quantile at a fraction of the way from one number to the next.
    public static double between(double low, double high, double part, double scale) {
        // Infinities that are equal have no difference.
        return (part == 0 || low == high ? low : low + (high - low) * part) / scale;
    }

    /// Null if a list has only nulls.
    static Column of(Allocator allocator, ListColumn lists, double quantile) {
        if (lists.length() == 0) {
            return Columns.empty(DataType.FLOAT64);
        }
        int longest = 0;
        for (long i = 0; i < lists.length(); i++) {
            longest = Math.max(longest, (int) (lists.end(i) - lists.start(i)));
        }
        ValueArrays values = new ValueArrays(lists.elements(), longest, true);
        double scale = MeanAccumulator.scaleOf(lists.elements().type());
        int[] nobody = new int[longest];
        try (DoubleBuilder builder = new DoubleBuilder(allocator, DataType.FLOAT64, lists.length())) {
            for (long i = 0; i < lists.length(); i++) {
                values.select(nobody, lists.start(i), (int) (lists.end(i) - lists.start(i)));
                if (values.count == 0) {
                    builder.appendNull();
                    continue;
                }
                values.readDoubles();
                Arrays.sort(values.doubles, 0, values.count);
                double place = quantile * (values.count - 1);
                int below = (int) place;
                double low = values.doubles[below];
                double high = values.doubles[Math.min(below + 1, values.count - 1)];
                builder.append(between(low, high, place - below, scale));
            }
            return builder.build();
        }
    }
}
