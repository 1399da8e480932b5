package dev.millrace.internal.kernel.aggregate;

import dev.millrace.column.Column;
import dev.millrace.internal.buffer.ResourceScope;
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
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> columns = scope.list();
            columns.addAll(first.build(groups));
            columns.addAll(second.build(groups));
            return scope.keep(columns);
        }
    }

    @Override
    public void close() {
        first.close();
        second.close();
    }
}
