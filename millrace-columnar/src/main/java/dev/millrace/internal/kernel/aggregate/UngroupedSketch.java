package dev.millrace.internal.kernel.aggregate;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.internal.kernel.hash.RowHash;
import dev.millrace.memory.Allocator;
import java.util.List;

/// The sketch of the only group without keys, as bytes, like those of [QuantileAccumulator] and [DistinctAccumulator].
/// Incremental over any number of columns.
abstract sealed class UngroupedSketch extends GroupAccumulator {
    private UngroupedSketch(Allocator allocator) {
        super(allocator);
    }

    static UngroupedSketch quantiles(Allocator allocator, Column column, int mostRows) {
        return new OfQuantiles(allocator, column, mostRows);
    }

    static UngroupedSketch distinct(Allocator allocator, Column column, int mostRows) {
        return new OfDistinct(allocator, column, mostRows);
    }

    abstract byte[] write();

    @Override
    void reserve(int groups) {
        // There is one group.
    }

    @Override
    List<Column> build(int groups) {
        return List.of(groups == 0 ? Columns.ofBytes(allocator) : Columns.ofBytes(allocator, write()));
    }

    @Override
    public void close() {
        // A sketch is on the heap.
    }

    private static final class OfQuantiles extends UngroupedSketch {
        private final QuantileSketch sketch = new QuantileSketch();
        private final ValueArrays numbers;
        private final double scale;

        OfQuantiles(Allocator allocator, Column column, int mostRows) {
            super(allocator);
            this.numbers = new ValueArrays(column, mostRows, true);
            this.scale = MeanAccumulator.scaleOf(column.type());
        }

        @Override
        void bind(Column column) {
            numbers.bind(column);
        }

        @Override
        void update(int[] groups, long from, int count) {
            numbers.select(groups, from, count);
            QuantileAccumulator.add(sketch, numbers, scale);
        }

        @Override
        byte[] write() {
            return sketch.write();
        }
    }

    private static final class OfDistinct extends UngroupedSketch {
        private final DistinctSketch sketch = new DistinctSketch();
        private final long[] hashes;
        private Column column;
        private RowHash hash;

        OfDistinct(Allocator allocator, Column column, int mostRows) {
            super(allocator);
            this.hashes = new long[mostRows];
            bind(column);
        }

        @Override
        void bind(Column next) {
            column = next;
            hash = RowHash.of(List.of(next));
        }

        @Override
        void update(int[] groups, long from, int count) {
            hash.compute(from, count, hashes);
            DistinctAccumulator.add(sketch, column, from, count, hashes);
        }

        @Override
        byte[] write() {
            return sketch.write();
        }
    }
}
