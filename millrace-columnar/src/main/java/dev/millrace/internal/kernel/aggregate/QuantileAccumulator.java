package dev.millrace.internal.kernel.aggregate;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.AggregateFunction;
import dev.millrace.column.BinaryBuilder;
import dev.millrace.column.BinaryColumn;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.util.Arrays;
import java.util.List;

/// A [QuantileSketch] of each group's numbers that are neither null nor NaN, as bytes.
final class QuantileAccumulator extends ClusteredAccumulator {
    private static final int CHUNK = 2048;

    private final boolean merging;

    /// @param merging the column contains sketches, as [#build] gives them
    QuantileAccumulator(Allocator allocator, Column column, boolean merging) {
        super(allocator, column);
        this.merging = merging;
    }

    @Override
    List<Column> build(Column values, int[] starts, int groups) {
        QuantileSketch sketch = new QuantileSketch();
        ValueArrays numbers = merging ? null : new ValueArrays(values, CHUNK, true);
        int[] nobody = new int[CHUNK];
        double scale = merging ? 1 : MeanAccumulator.scaleOf(values.type());
        try (BinaryBuilder builder = new BinaryBuilder(allocator, groups)) {
            for (int group = 0; group < groups; group++) {
                sketch.clear();
                int end = starts[group + 1];
                if (numbers == null) {
                    for (int row = starts[group]; row < end; row++) {
                        sketch.merge(((BinaryColumn) values).bytes(row).asByteBuffer());
                    }
                } else {
                    for (int from = starts[group]; from < end; from += CHUNK) {
                        numbers.select(nobody, from, Math.min(CHUNK, end - from));
                        add(sketch, numbers, scale);
                    }
                }
                builder.append(sketch.write());
            }
            return List.of(builder.build());
        }
    }

    /// Adds the values that `numbers` selected and has not read.
    static void add(QuantileSketch sketch, ValueArrays numbers, double scale) {
        numbers.readDoubles();
        double[] doubles = numbers.doubles;
        int kept = 0;
        for (int i = 0; i < numbers.count; i++) {
            double value = doubles[i] / scale;
            doubles[kept] = value;
            kept += Double.isNaN(value) ? 0 : 1;
        }
        sketch.add(doubles, kept);
    }

    /// The quantile, or the list of them, of each sketch; null if it has no values.
    static Column finish(Allocator allocator, Aggregate aggregate, Column states) {
        boolean several = aggregate.function() == AggregateFunction.APPROXIMATE_QUANTILES;
        DataType type = several ? DataType.list(DataType.FLOAT64) : DataType.FLOAT64;
        BinaryColumn sketches = (BinaryColumn) states;
        QuantileSketch sketch = new QuantileSketch();
        try (ColumnBuilder builder = ColumnBuilder.of(allocator, type, sketches.length())) {
            for (long group = 0; group < sketches.length(); group++) {
                sketch.clear();
                sketch.merge(sketches.bytes(group).asByteBuffer());
                if (sketch.count() == 0) {
                    builder.appendNull();
                    continue;
                }
                double[] found = sketch.quantiles(aggregate.arguments());
                builder.append(several ? Arrays.stream(found).boxed().toList() : (Object) found[0]);
            }
            return builder.build();
        }
    }
}
