package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.ListColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.ColumnCollector;
import dev.millrace.internal.kernel.aggregate.GlobalAggregates;
import dev.millrace.internal.kernel.aggregate.GlobalPart;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.relation.SortKey;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One row with a list of all values of its runs: those of [GlobalPart.Kind#LIST] in input order; those of `SET` and
/// `VALUE_COUNTS`, whose runs are sorted, in their order. A few blocks are in memory beside the list.
///
/// @param name of the aggregate, for errors
/// @param keys that the runs are sorted by; none: they are not
record ListReducer(GlobalPart.Kind kind, String name, String column, List<SortKey> keys) implements ShuffleReducer {
    public ListReducer {
        keys = List.copyOf(keys);
    }

    @Override
    public void reduce(ReduceTask task) {
        long rows = task.rows(0);
        if (rows == 0) {
            return;
        }
        boolean counted = kind == GlobalPart.Kind.VALUE_COUNTS;
        long beside = rows * ((keys.isEmpty() ? 0 : 2 * Long.BYTES) + Integer.BYTES);
        long values = Math.max(0, (long) task.requireArgument() - beside);
        try (ColumnCollector collected = new ColumnCollector(task.allocator(), rows, values);
                ColumnCollector counts = new ColumnCollector(task.allocator(), rows, 0)) {
            if (keys.isEmpty()) {
                collect(task, collected);
            } else {
                merge(task, collected, counted ? counts : null);
            }
            emit(task, collected, counts);
        } catch (MemoryRefused e) {
            long bytes = (long) task.requireArgument() - (keys.isEmpty() ? 0 : rows * (counted ? 1 : 2) * Long.BYTES);
            throw new ListSize(name, column, rows, bytes).refusal(task.allocator(), e);
        }
    }

    private static void collect(ReduceTask task, ColumnCollector collected) {
        for (int run = 0; run < task.runs(0); run++) {
            for (int i = 0; i < task.blocks(0, run); i++) {
                try (Block block = task.block(0, run, i)) {
                    collected.add(block.column(0));
                }
            }
        }
    }

    private void merge(ReduceTask task, ColumnCollector collected, @Nullable ColumnCollector counts) {
        try (MergedRuns runs = new MergedRuns(task, keys, new KeyRange(null, null))) {
            runs.load();
            for (Block rows = runs.next(); rows != null; rows = runs.next()) {
                try (Block merged = rows) {
                    collected.add(merged.column(GlobalAggregates.VALUE));
                    if (counts != null) {
                        counts.add(merged.column(GlobalAggregates.COUNT));
                    }
                }
            }
        }
    }

    private void emit(ReduceTask task, ColumnCollector collected, ColumnCollector counts) {
        Allocator allocator = task.allocator();
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope()) {
            Column values = scope.add(built(collected));
            long distinct = keys.isEmpty() ? 0 : present(values);
            Column elements = values;
            if (kind == GlobalPart.Kind.VALUE_COUNTS) {
                Column numbers = scope.add(built(counts));
                elements = new StructColumn(
                        DataType.struct(
                                new Field(GlobalAggregates.VALUE, values.type()),
                                new Field(GlobalAggregates.COUNT, DataType.INT64)),
                        values.length(),
                        List.of(values, numbers),
                        null,
                        0,
                        0);
                scope.keep();
                scope.add(elements);
            }
            Column list = list(allocator, elements);
            scope.keep();
            columns.add(scope.add(list));
            fields.add(new Field("list", list.type()));
            if (!keys.isEmpty()) {
                columns.add(scope.add(Columns.ofLongs(allocator, distinct)));
                fields.add(new Field("distinct", DataType.INT64));
            }
            scope.keep();
        }
        task.emit(Block.of(Schema.of(fields), columns, 1));
    }

    private static Column built(ColumnCollector collected) {
        return Objects.requireNonNull(collected.build(), "a task with rows collected a column of them");
    }

    private static long present(Column values) {
        long present = 0;
        for (long i = 0; i < values.length(); i++) {
            present += values.isNull(i) ? 0 : 1;
        }
        return present;
    }

    /// @param elements the list takes over their reference, unless this throws
    private static Column list(Allocator allocator, Column elements) {
        boolean wide = elements.length() > Integer.MAX_VALUE;
        Buffer offsets = allocator.allocate(2 * Long.BYTES);
        if (wide) {
            offsets.segment().setAtIndex(JAVA_LONG, 0, 0);
            offsets.segment().setAtIndex(JAVA_LONG, 1, elements.length());
        } else {
            offsets.segment().setAtIndex(JAVA_INT, 0, 0);
            offsets.segment().setAtIndex(JAVA_INT, 1, (int) elements.length());
        }
        return new ListColumn(
                DataType.list(elements.type()), 1, offsets, wide ? Long.BYTES : Integer.BYTES, elements, null, 0, 0);
    }
}
