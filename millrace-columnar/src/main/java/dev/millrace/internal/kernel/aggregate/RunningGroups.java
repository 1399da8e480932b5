package dev.millrace.internal.kernel.aggregate;

import dev.millrace.column.Column;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;

/// Assigns group ids to rows that arrive block by block, and keeps the groups' keys; groups are numbered in order of
/// occurrence. Each key column has ids for its values, and groups are pairs of the id of the previous columns and that
/// of the next. Without keys there is one group. One thread.
final class RunningGroups implements AutoCloseable {
    private final List<KeyIds> keys = new ArrayList<>();
    /// One for each key after the first.
    private final List<PairIds> pairs = new ArrayList<>();
    private final int[] others;

    /// @param types for which [KeyIds#areFor] is true
    RunningGroups(Allocator allocator, List<DataType> types, int mostRows) {
        for (DataType type : types) {
            if (!keys.isEmpty()) {
                pairs.add(new PairIds(allocator, mostRows));
            }
            keys.add(KeyIds.of(allocator, type, mostRows));
        }
        this.others = new int[pairs.isEmpty() ? 0 : mostRows];
    }

    /// Continues with these columns, which must live until the next.
    void bind(List<Column> columns) {
        for (int i = 0; i < keys.size(); i++) {
            keys.get(i).bind(columns.get(i));
        }
    }

    int groups() {
        if (keys.isEmpty()) {
            return 1;
        }
        return pairs.isEmpty() ? keys.getFirst().known() : pairs.getLast().known();
    }

    /// Its approximate size, depending only on the values that occurred.
    long estimatedBytes() {
        long bytes = 0;
        for (KeyIds key : keys) {
            bytes += key.estimatedBytes();
        }
        for (PairIds pair : pairs) {
            bytes += pair.estimatedBytes();
        }
        return bytes;
    }

    /// Writes the group ids of rows `from` to `from + count` to the front of `groups`, which is all zero if there are
    /// no keys.
    void assign(long from, int count, int[] groups) {
        if (keys.isEmpty()) {
            return;
        }
        keys.getFirst().assign(from, count, groups);
        int known = keys.getFirst().known();
        for (int i = 1; i < keys.size(); i++) {
            keys.get(i).assign(from, count, others);
            PairIds pair = pairs.get(i - 1);
            pair.assign(groups, others, count, PairIds.areFew(known, keys.get(i).known()));
            known = pair.known();
        }
    }

    /// The keys of all groups as columns that the caller releases.
    List<Column> build() {
        int count = groups();
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> columns = scope.list();
            if (keys.size() == 1) {
                columns.add(keys.getFirst().build(null, count));
            } else if (!keys.isEmpty()) {
                int[] numbers = new int[count];
                int[] ofKey = new int[count];
                for (int i = 0; i < count; i++) {
                    numbers[i] = i;
                }
                for (int key = keys.size() - 1; key > 0; key--) {
                    pairs.get(key - 1).split(numbers, ofKey, count);
                    columns.addFirst(keys.get(key).build(ofKey, count));
                }
                columns.addFirst(keys.getFirst().build(numbers, count));
            }
            return scope.keep(columns);
        }
    }

    @Override
    public void close() {
        keys.forEach(KeyIds::close);
        pairs.forEach(PairIds::close);
    }
}
