package dev.millrace.internal.kernel.aggregate;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DoubleBuilder;
import dev.millrace.column.ListColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.util.Arrays;

/// Exact quantiles of lists of numbers: between two values, the part of the way that the quantile says.
final class Quantiles {
    private Quantiles() {}

    /// Null where a list has no values but null.
    static Column of(Allocator allocator, ListColumn lists, double quantile) {
        if (lists.length() == 0) {
            return Columns.empty(DataType.FLOAT64);
        }
        int longest = 0;
        for (long i = 0; i < lists.length(); i++) {
            longest = Math.max(longest, (int) (lists.end(i) - lists.start(i)));
        }
        Values values = new Values(lists.elements(), longest, true);
        double scale = MeanStates.scaleOf(lists.elements().type());
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
                double between = place - below;
                builder.append((between == 0 ? low : low + (high - low) * between) / scale);
            }
            return builder.build();
        }
    }
}
