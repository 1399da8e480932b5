package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The distinct values of each group and their counts: two lists of equal lengths, in the order of first occurrence.
///
/// Each task counts its rows exactly, and keeps the `most` most frequent values of each group. A dropped value occurs
/// no more often than any of those, so in at most `1 / most` of the group's rows: summed over all tasks, that is the
/// error of a count.
final class FrequencyAccumulator extends GroupAccumulator {
    private static final int CHUNK = 2048;

    private final Column values;
    /// If states are merged: the lists of values and of their counts.
    private final @Nullable ListColumn lists;

    private final @Nullable ListColumn weights;
    private final int most;
    private final boolean keepNull;
    private final GroupCells groupOf;
    private int count;

    private FrequencyAccumulator(
            Allocator allocator,
            Column values,
            @Nullable ListColumn lists,
            @Nullable ListColumn weights,
            int most,
            boolean keepNull) {
        super(allocator);
        this.values = values;
        this.lists = lists;
        this.weights = weights;
        this.most = most;
        this.keepNull = keepNull;
        this.groupOf = new GroupCells(allocator, Integer.BYTES);
    }

    /// @param most the number of values of a group that are kept
    /// @param keepNull whether null is a value
    static FrequencyAccumulator of(Allocator allocator, Column values, int most, boolean keepNull) {
        return new FrequencyAccumulator(allocator, values, null, null, most, keepNull);
    }

    /// @param states as [#build] gives them
    static FrequencyAccumulator merge(Allocator allocator, List<Column> states, int most, boolean keepNull) {
        ListColumn lists = (ListColumn) states.getFirst();
        ListColumn weights = (ListColumn) states.getLast();
        return new FrequencyAccumulator(allocator, lists.elements(), lists, weights, most, keepNull);
    }

    @Override
    void reserve(int groups) {
        // Only one number for each value is kept.
    }

    @Override
    void update(int[] groups, long from, int rows) {
        if (lists == null) {
            groupOf.reserve(count + (long) rows);
            MemorySegment.copy(groups, 0, groupOf.segment, JAVA_INT, (long) count * Integer.BYTES, rows);
            count += rows;
            return;
        }
        for (int i = 0; i < rows; i++) {
            int size = (int) (lists.end(from + i) - lists.start(from + i));
            groupOf.reserve(count + (long) size);
            for (int j = 0; j < size; j++) {
                groupOf.segment.setAtIndex(JAVA_INT, count++, groups[i]);
            }
        }
    }

    @Override
    List<Column> build(int groups) {
        Column all = values.slice(lists != null && lists.length() > 0 ? lists.start(0) : 0, count);
        LongColumn known = weights != null && weights.length() > 0
                ? (LongColumn) weights.elements().slice(weights.start(0), count)
                : null;
        Buffer numbers = groupOf.take(count);
        try (GroupCells counts = new GroupCells(allocator, Long.BYTES);
                GroupTable table = table(all, numbers, groups)) {
            int[] assigned = new int[CHUNK];
            for (int from = 0; from < count; from += CHUNK) {
                int rows = Math.min(CHUNK, count - from);
                table.assign(from, rows, assigned);
                counts.reserve(table.groups());
                for (int i = 0; i < rows; i++) {
                    long more = known == null ? 1 : known.get(from + i);
                    long before = counts.segment.getAtIndex(JAVA_LONG, assigned[i]);
                    counts.segment.setAtIndex(JAVA_LONG, assigned[i], before + more);
                }
            }
            int[] firstRows = new int[table.groups()];
            MemorySegment.copy(table.firstRows(), JAVA_INT, 0, firstRows, 0, firstRows.length);
            return ValueFrequencies.cut(allocator, all, numbers, firstRows, counts.segment, groups, most, keepNull)
                    .lists(allocator, all);
        } finally {
            numbers.release();
        }
    }

    /// The hash table of values, of one group, or of groups and values.
    private GroupTable table(Column all, Buffer numbers, int groups) {
        if (groups <= 1) {
            return new GroupTable(allocator, List.of(all), CHUNK);
        }
        List<Column> keys = new ArrayList<>();
        keys.add(FixedWidthColumn.of(DataType.INT32, count, numbers, null, 0, 0));
        keys.add(all);
        return new GroupTable(allocator, keys, CHUNK);
    }

    @Override
    public void close() {
        groupOf.close();
    }
}
