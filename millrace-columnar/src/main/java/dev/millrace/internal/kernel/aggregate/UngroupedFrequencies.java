package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// All distinct values, including null, and their counts, of the only group without keys: states like those of
/// [FrequencyAccumulator]. Incremental over any number of columns.
final class UngroupedFrequencies extends GroupAccumulator {
    private final KeyIds numbers;
    private final GroupCells counts;
    private final int[] assigned;

    /// @param column of a type that [KeyIds#areFor]
    UngroupedFrequencies(Allocator allocator, Column column, int mostRows) {
        super(allocator);
        this.numbers = KeyIds.of(allocator, AccumulatorFunctions.plain(column.type()), mostRows);
        this.counts = new GroupCells(allocator, Long.BYTES);
        this.assigned = new int[mostRows];
        numbers.bind(column);
    }

    @Override
    void bind(Column column) {
        numbers.bind(column);
    }

    @Override
    void reserve(int groups) {
        // There is one group.
    }

    @Override
    void update(int[] groups, long from, int count) {
        numbers.assign(from, count, assigned);
        counts.reserve(numbers.known());
        MemorySegment cells = counts.segment;
        for (int i = 0; i < count; i++) {
            cells.setAtIndex(JAVA_LONG, assigned[i], cells.getAtIndex(JAVA_LONG, assigned[i]) + 1);
        }
    }

    @Override
    long estimatedBytes() {
        return numbers.estimatedBytes() + (long) numbers.known() * Long.BYTES;
    }

    @Override
    List<Column> build(int groups) {
        int known = groups == 0 ? 0 : numbers.known();
        int[] rows = new int[known];
        Arrays.setAll(rows, row -> row);
        long[] found = new long[known];
        MemorySegment.copy(counts.segment, JAVA_LONG, 0, found, 0, known);
        Column values = numbers.build(null, known);
        try {
            return new ValueFrequencies(rows, found, groups == 0 ? new int[1] : new int[] {0, known})
                    .lists(allocator, values);
        } finally {
            values.release();
        }
    }

    @Override
    public void close() {
        numbers.close();
        counts.close();
    }
}
