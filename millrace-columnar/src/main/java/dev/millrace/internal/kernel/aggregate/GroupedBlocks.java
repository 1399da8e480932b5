package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.util.Objects.requireNonNull;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A group by: partial aggregation of rows into a block of keys and states ([#accumulate]), and final aggregation of
/// such blocks ([#finish]). Groups are in the order of their first rows. Without keys all rows are one group, even if
/// there are none.
public record GroupedBlocks(List<String> keys, List<Aggregate> aggregates) implements Serializable {
    /// The number of rows that are looked up, and then added to each aggregate, at a time: their groups stay in cache.
    static final int CHUNK = 2048;
    /// If [#merge] leaves no more states than this, each group has exactly one.
    public static final int SURELY_MERGED = 2 * GroupingTrial.ROWS;

    public GroupedBlocks {
        keys = List.copyOf(keys);
        aggregates = List.copyOf(aggregates);
    }

    /// The names of the key columns in a block of states.
    public List<String> stateKeys() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            names.add("key " + i);
        }
        return names;
    }

    /// The states of the groups of some rows, or, if there are too many groups for that to pay, of the rows. Then equal
    /// keys may occur more than once.
    public Block accumulate(Allocator allocator, Block rows) {
        AggregateTypes.result(rows.schema(), keys, aggregates);
        List<@Nullable Column> decoded = new ArrayList<>();
        try {
            List<Column> keyColumns = keys.stream().map(rows::column).toList();
            for (Aggregate aggregate : aggregates) {
                decoded.add(input(allocator, rows, aggregate));
            }
            StateMaker maker = () -> accumulating(allocator, decoded);
            int count = Math.toIntExact(rows.rows());
            Block grouped = group(allocator, keyColumns, count, maker, !keys.isEmpty());
            return grouped != null ? grouped : each(keyColumns, count, accumulating(allocator, decoded));
        } finally {
            decoded.stream().filter(column -> column != null).forEach(Column::release);
        }
    }

    /// A block with only the columns that are used.
    public Block narrow(Block block) {
        Set<String> used = new HashSet<>(keys);
        aggregates.forEach(aggregate -> used.add(aggregate.column()));
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < block.schema().size(); i++) {
            if (used.contains(block.schema().field(i).name())) {
                fields.add(block.schema().field(i));
                columns.add(block.column(i));
            }
        }
        return Block.sharing(Schema.of(fields), columns, block.rows());
    }

    private List<GroupAccumulator> accumulating(Allocator allocator, List<@Nullable Column> values) {
        List<GroupAccumulator> states = new ArrayList<>();
        for (int i = 0; i < aggregates.size(); i++) {
            states.add(AccumulatorFunctions.accumulate(
                    allocator, aggregates.get(i), values.get(i), CHUNK, keys.isEmpty()));
        }
        return states;
    }

    /// The state of each single row.
    Block each(Allocator allocator, Block rows) {
        List<@Nullable Column> decoded = new ArrayList<>();
        try {
            for (Aggregate aggregate : aggregates) {
                decoded.add(input(allocator, rows, aggregate));
            }
            List<Column> keyColumns = keys.stream().map(rows::column).toList();
            return each(keyColumns, Math.toIntExact(rows.rows()), accumulating(allocator, decoded));
        } finally {
            decoded.stream().filter(column -> column != null).forEach(Column::release);
        }
    }

    /// The input of an aggregate from the rows, which the caller releases; null for a count of rows.
    @Nullable
    Column input(Allocator allocator, Block rows, Aggregate aggregate) {
        return aggregate.column() == null
                ? null
                : AccumulatorFunctions.input(allocator, aggregate, rows.column(aggregate.column()), keys.isEmpty());
    }

    /// Merges states of the same groups; returns the same ones if that does not pay. The caller closes both.
    public Block merge(Allocator allocator, Block states) {
        Block merged = merge(allocator, states, !keys.isEmpty());
        return merged != null ? merged : states.slice(0, states.rows());
    }

    /// The same for several blocks of states, at least one.
    public Block merge(Allocator allocator, List<Block> states) {
        Schema schema = states.getFirst().schema();
        if (AccumulatorRun.isFor(this, schema)
                && states.stream().allMatch(block -> block.schema().equals(schema))) {
            Block merged = AccumulatorRun.merge(allocator, this, states);
            return merged != null ? merged : Blocks.concatenate(allocator, states);
        }
        try (Block all = Blocks.concatenate(allocator, states)) {
            return merge(allocator, all);
        }
    }

    /// The result of concatenated blocks of states.
    public Block finish(Allocator allocator, Block states) {
        try (Block merged = mergeAll(allocator, states)) {
            return result(allocator, merged);
        }
    }

    /// One state of each group.
    Block mergeAll(Allocator allocator, Block states) {
        return requireNonNull(merge(allocator, states, false), "it does not give up");
    }

    private @Nullable Block merge(Allocator allocator, Block states, boolean mayGiveUp) {
        List<Column> keyColumns = new ArrayList<>(states.columns().subList(0, keys.size()));
        StateMaker maker = () -> {
            List<GroupAccumulator> merged = new ArrayList<>();
            int at = keys.size();
            for (Aggregate aggregate : aggregates) {
                int width = AccumulatorFunctions.width(aggregate);
                merged.add(AccumulatorFunctions.merge(
                        allocator, aggregate, states.columns().subList(at, at + width), CHUNK));
                at += width;
            }
            return merged;
        };
        return group(allocator, keyColumns, Math.toIntExact(states.rows()), maker, mayGiveUp);
    }

    /// The single result row without keys and without rows.
    ///
    /// @param input the columns of the rows, as far as they are known
    public Block ofNothing(Allocator allocator, @Nullable Schema input) {
        List<String> names = AggregateTypes.names(keys, aggregates);
        List<Field> fields = input == null
                ? null
                : AggregateTypes.result(input, keys, aggregates).fields();
        List<Column> columns = new ArrayList<>();
        List<Field> made = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope()) {
            scope.addAll(columns);
            for (int i = 0; i < aggregates.size(); i++) {
                DataType type = fields == null ? DataType.NULL : fields.get(i).type();
                columns.add(AccumulatorFunctions.ofNothing(allocator, aggregates.get(i), type));
                made.add(new Field(names.get(i), columns.get(i).type()));
            }
            return scope.keep(Block.of(Schema.of(made), columns, 1));
        }
    }

    /// The result of states of which each group has exactly one.
    public Block result(Allocator allocator, Block merged) {
        List<String> names = AggregateTypes.names(keys, aggregates);
        List<Column> columns = new ArrayList<>();
        List<Field> fields = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope()) {
            scope.addAll(columns);
            for (int i = 0; i < keys.size(); i++) {
                columns.add(merged.column(i).retain());
            }
            int at = keys.size();
            for (Aggregate aggregate : aggregates) {
                int width = AccumulatorFunctions.width(aggregate);
                columns.add(AccumulatorFunctions.finish(
                        allocator, aggregate, merged.columns().subList(at, at + width)));
                at += width;
            }
            for (int i = 0; i < columns.size(); i++) {
                fields.add(new Field(names.get(i), columns.get(i).type()));
            }
            return scope.keep(Block.of(Schema.of(fields), columns, merged.rows()));
        }
    }

    private interface StateMaker {
        List<GroupAccumulator> make();
    }

    /// Keys and states of the groups; null if `mayGiveUp` and there are too many.
    private @Nullable Block group(
            Allocator allocator, List<Column> keyColumns, int rows, StateMaker maker, boolean mayGiveUp) {
        List<GroupAccumulator> states = maker.make();
        try (GroupTable table = new GroupTable(allocator, keyColumns, CHUNK)) {
            int[] groups = new int[CHUNK];
            for (int from = 0; from < rows; from += CHUNK) {
                int count = Math.min(CHUNK, rows - from);
                if (!keyColumns.isEmpty()) {
                    table.assign(from, count, groups);
                }
                int known = keyColumns.isEmpty() ? 1 : table.groups();
                for (GroupAccumulator state : states) {
                    state.reserve(known);
                    state.update(groups, from, count);
                }
                if (mayGiveUp
                        && from + count == GroupingTrial.ROWS
                        && rows > 2 * GroupingTrial.ROWS
                        && GroupingTrial.isVain(GroupingTrial.ROWS, known, rows)) {
                    return null;
                }
            }
            int known = keyColumns.isEmpty() ? Math.min(1, rows) : table.groups();
            int[] first = new int[keyColumns.isEmpty() ? 0 : known];
            MemorySegment.copy(table.firstRows(), JAVA_INT, 0, first, 0, first.length);
            try (ResourceScope scope = new ResourceScope()) {
                List<Column> columns = scope.list();
                for (Column key : keyColumns) {
                    columns.add(GatherKernel.take(allocator, key, first, known));
                }
                return scope.keep(block(columns, states, known));
            }
        } finally {
            states.forEach(GroupAccumulator::close);
        }
    }

    /// Every row as a group of its own.
    private static Block each(List<Column> keyColumns, int rows, List<GroupAccumulator> states) {
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> columns = scope.list();
            int[] groups = new int[CHUNK];
            for (GroupAccumulator state : states) {
                state.reserve(rows);
            }
            for (int from = 0; from < rows; from += CHUNK) {
                int count = Math.min(CHUNK, rows - from);
                int start = from;
                Arrays.setAll(groups, i -> start + i);
                for (GroupAccumulator state : states) {
                    state.update(groups, from, count);
                }
            }
            keyColumns.forEach(key -> columns.add(key.retain()));
            return scope.keep(block(columns, states, rows));
        } finally {
            states.forEach(GroupAccumulator::close);
        }
    }

    /// Adds the states' columns to those of the keys, of which it takes ownership, also when it throws.
    static Block block(List<Column> columns, List<GroupAccumulator> states, int groups) {
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            fields.add(new Field("key " + i, columns.get(i).type()));
        }
        try (ResourceScope scope = new ResourceScope()) {
            scope.addAll(columns);
            for (GroupAccumulator state : states) {
                for (Column column : state.build(groups)) {
                    columns.add(column);
                    fields.add(new Field("state " + fields.size(), column.type()));
                }
            }
            scope.keep();
        }
        return Block.of(Schema.of(fields), columns, groups);
    }
}
