package dev.millrace.internal.kernel.aggregate;

import dev.millrace.column.Column;
import java.util.ArrayList;
import java.util.List;

/// Two states side by side.
final class PairAccumulator extends GroupAccumulator {
    private final GroupAccumulator first;
    private final GroupAccumulator second;

    PairAccumulator(GroupAccumulator first, GroupAccumulator second) {
        super(first.allocator);
        this.first = first;
        this.second = second;
    }

    @Override
    void bind(List<Column> columns) {
        first.bind(columns.getFirst());
        second.bind(columns.getLast());
    }

    @Override
    void reserve(int groups) {
        first.reserve(groups);
        second.reserve(groups);
    }

    @Override
    void update(int[] groups, long from, int count) {
        first.update(groups, from, count);
        second.update(groups, from, count);
    }

    @Override
    List<Column> build(int groups) {
        List<Column> columns = new ArrayList<>(first.build(groups));
        try {
            columns.addAll(second.build(groups));
            return columns;
        } catch (RuntimeException | Error e) {
            columns.forEach(Column::release);
            throw e;
        }
    }

    @Override
    public void close() {
        first.close();
        second.close();
    }
}
