package dev.millrace.internal.kernel.aggregate;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import java.util.Arrays;

/// Numbers of any type as doubles, null as NaN, true as 1.
public final class NumericDoubles {
    private NumericDoubles() {}

    /// Values `from` to `from + count` into the front of `numbers`.
    public static void read(Column column, long from, int count, double[] numbers) {
        Arrays.fill(numbers, 0, count, Double.NaN);
        boolean truths = column instanceof BooleanColumn;
        ValueArrays values = new ValueArrays(column, count, !truths);
        values.select(new int[count], from, count);
        if (truths) {
            values.readLongs();
        } else {
            values.readDoubles();
        }
        double scale = MeanAccumulator.scaleOf(column.type());
        for (int i = 0; i < values.count; i++) {
            double number = truths ? values.longs[i] : values.doubles[i] / scale;
            numbers[(int) (values.row(i) - from)] = number;
        }
    }
}
