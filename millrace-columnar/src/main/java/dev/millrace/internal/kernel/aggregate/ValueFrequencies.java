package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.ListColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Values of groups with their counts: those of group `g` are entries `starts[g]` to `starts[g + 1]`.
///
/// @param rows the position of each entry's value in a column
record ValueFrequencies(int[] rows, long[] counts, int[] starts) {
    /// The result type for values of a type.
    static DataType.Struct entryType(DataType value) {
        return DataType.struct(new Field("value", value), new Field("count", DataType.INT64));
    }

    /// Entries by group, of each group the `most` most frequent.
    ///
    /// @param groupOf the group of each row
    /// @param firstRows a row for each entry
    /// @param counts of each entry
    static ValueFrequencies cut(
            Allocator allocator,
            Column values,
            Buffer groupOf,
            int[] firstRows,
            MemorySegment counts,
            int groups,
            int most,
            boolean keepNull) {
        int[] ofEntry = new int[firstRows.length];
        if (groups > 1) {
            Arrays.setAll(ofEntry, entry -> groupOf.segment().getAtIndex(JAVA_INT, firstRows[entry]));
        }
        try (RowGroups clustered = RowGroups.of(allocator, ofEntry, ofEntry.length, groups)) {
            return cut(clustered, values, firstRows, counts, groups, most, keepNull);
        }
    }

    private static ValueFrequencies cut(
            RowGroups clustered,
            Column values,
            int[] firstRows,
            MemorySegment counts,
            int groups,
            int most,
            boolean keepNull) {
        int[] entries = clustered.rows();
        int[] starts = new int[groups + 1];
        int[] rows = new int[entries.length];
        long[] kept = new long[entries.length];
        int at = 0;
        for (int group = 0; group < groups; group++) {
            int from = at;
            for (int i = clustered.starts()[group]; i < clustered.starts()[group + 1]; i++) {
                int row = firstRows[entries[i]];
                if (keepNull || !values.isNull(row)) {
                    rows[at] = row;
                    kept[at++] = counts.getAtIndex(JAVA_LONG, entries[i]);
                }
            }
            at = cut(rows, kept, from, at, most);
            starts[group + 1] = at;
        }
        return new ValueFrequencies(Arrays.copyOf(rows, at), Arrays.copyOf(kept, at), starts);
    }

    /// Returns where the entries of the group end afterwards.
    private static int cut(int[] rows, long[] counts, int from, int end, int most) {
        if (end - from <= most) {
            return end;
        }
        long[] sorted = Arrays.copyOfRange(counts, from, end);
        Arrays.sort(sorted);
        long last = sorted[sorted.length - most];
        int ofLast = 0;
        for (int i = sorted.length - most; i < sorted.length && sorted[i] == last; i++) {
            ofLast++;
        }
        int at = from;
        for (int i = from; i < end; i++) {
            if (counts[i] > last || counts[i] == last && ofLast-- > 0) {
                rows[at] = rows[i];
                counts[at++] = counts[i];
            }
        }
        return at;
    }

    /// As two columns of lists, of values and of counts, that the caller releases.
    List<Column> lists(Allocator allocator, Column values) {
        Column taken = GatherKernel.take(allocator, values, rows, rows.length);
        try (ResourceScope scope = new ResourceScope()) {
            Column valueLists = scope.add(list(allocator, taken, starts, false));
            Column numbers = Columns.ofLongs(allocator, counts);
            return scope.keep(List.of(valueLists, list(allocator, numbers, starts, false)));
        }
    }

    /// One column of lists of values with their counts, the most frequent first, at most `most` of each group; null if
    /// there are none.
    static Column finish(Allocator allocator, List<Column> states, int most) {
        ListColumn values = (ListColumn) states.getFirst();
        ListColumn weights = (ListColumn) states.getLast();
        int groups = Math.toIntExact(values.length());
        int[] starts = new int[groups + 1];
        int entries = 0;
        for (int group = 0; group < groups; group++) {
            entries += (int) (values.end(group) - values.start(group));
        }
        int[] rows = new int[entries];
        long[] counts = new long[entries];
        LongColumn numbers = (LongColumn) weights.elements();
        int at = 0;
        for (int group = 0; group < groups; group++) {
            long start = values.start(group);
            long offset = weights.start(group) - start;
            List<Long> order = new ArrayList<>();
            for (long i = start; i < values.end(group); i++) {
                order.add(i);
            }
            order.sort((a, b) -> Long.compare(numbers.get(b + offset), numbers.get(a + offset)));
            for (long entry : order.subList(0, Math.min(most, order.size()))) {
                rows[at] = (int) entry;
                counts[at++] = numbers.get(entry + offset);
            }
            starts[group + 1] = at;
        }
        Column structs;
        try (ResourceScope scope = new ResourceScope()) {
            Column taken = scope.add(GatherKernel.take(allocator, values.elements(), rows, at));
            Column made = Columns.ofLongs(allocator, Arrays.copyOf(counts, at));
            structs = scope.keep(new StructColumn(entryType(taken.type()), at, List.of(taken, made), null, 0, 0));
        }
        return list(allocator, structs, starts, true);
    }

    /// @param elements the list takes over their reference
    /// @param emptyIsNull whether an empty list is null
    private static Column list(Allocator allocator, Column elements, int[] starts, boolean emptyIsNull) {
        int groups = starts.length - 1;
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(elements);
            Buffer validity = emptyIsNull ? validity(allocator, starts) : null;
            if (validity != null) {
                scope.add(validity);
            }
            Buffer offsets = allocator.allocate((groups + 1L) * Integer.BYTES);
            MemorySegment.copy(starts, 0, offsets.segment(), JAVA_INT, 0, groups + 1);
            return scope.keep(new ListColumn(
                    DataType.list(elements.type()),
                    groups,
                    offsets,
                    Integer.BYTES,
                    elements,
                    validity,
                    0,
                    validity == null ? 0 : Column.UNKNOWN_NULLS));
        }
    }

    private static @Nullable Buffer validity(Allocator allocator, int[] starts) {
        int groups = starts.length - 1;
        Buffer seen = allocator.allocate(Math.max(1, groups));
        try {
            for (int group = 0; group < groups; group++) {
                seen.segment().set(JAVA_BYTE, group, (byte) (starts[group + 1] > starts[group] ? 1 : 0));
            }
            return GroupAccumulator.validity(allocator, seen.segment(), groups);
        } finally {
            seen.release();
        }
    }
}
