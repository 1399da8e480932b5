package dev.millrace.internal.kernel.aggregate;

import dev.millrace.column.BinaryBuilder;
import dev.millrace.column.BinaryColumn;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.internal.kernel.hash.RowHash;
import dev.millrace.memory.Allocator;
import java.util.List;

/// A [DistinctSketch] of each group's non-null values, as bytes.
final class DistinctAccumulator extends ClusteredAccumulator {
    private static final int CHUNK = 2048;

    private final boolean merging;

    /// @param merging the column contains sketches, as [#build] gives them
    DistinctAccumulator(Allocator allocator, Column column, boolean merging) {
        super(allocator, column);
        this.merging = merging;
    }

    @Override
    List<Column> build(Column values, int[] starts, int groups) {
        DistinctSketch sketch = new DistinctSketch();
        RowHash hash = merging ? null : RowHash.of(List.of(values));
        long[] hashes = new long[CHUNK];
        try (BinaryBuilder builder = new BinaryBuilder(allocator, groups)) {
            for (int group = 0; group < groups; group++) {
                sketch.clear();
                int end = starts[group + 1];
                if (hash == null) {
                    for (int row = starts[group]; row < end; row++) {
                        sketch.merge(((BinaryColumn) values).bytes(row));
                    }
                } else {
                    for (int from = starts[group]; from < end; from += CHUNK) {
                        int count = Math.min(CHUNK, end - from);
                        hash.compute(from, count, hashes);
                        add(sketch, values, from, count, hashes);
                    }
                }
                builder.append(sketch.write());
            }
            return List.of(builder.build());
        }
    }

    /// Adds the hashes of non-null values; the array is overwritten.
    static void add(DistinctSketch sketch, Column values, long from, int count, long[] hashes) {
        int there = count;
        if (values.hasNulls()) {
            there = 0;
            for (int i = 0; i < count; i++) {
                if (!values.isNull(from + i)) {
                    hashes[there++] = hashes[i];
                }
            }
        }
        sketch.add(hashes, there);
    }

    /// The count of each sketch.
    static Column finish(Allocator allocator, Column states) {
        BinaryColumn sketches = (BinaryColumn) states;
        DistinctSketch sketch = new DistinctSketch();
        long[] counts = new long[Math.toIntExact(sketches.length())];
        for (int group = 0; group < counts.length; group++) {
            sketch.clear();
            sketch.merge(sketches.bytes(group));
            counts[group] = sketch.estimate();
        }
        return Columns.ofLongs(allocator, counts);
    }
}
