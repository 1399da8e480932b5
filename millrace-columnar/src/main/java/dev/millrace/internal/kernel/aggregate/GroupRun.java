package dev.millrace.internal.kernel.aggregate;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Partial aggregation over a stream of blocks: computes blocks of keys and states as [GroupedBlocks#accumulate] does,
/// but one hash table lives across all blocks, and no block is copied. States are emitted when there are many, and at
/// the end. If grouping seems to leave more than half of the rows ([GroupingTrial]), each row becomes a state.
///
/// What is emitted depends only on the rows, not on the blocks they arrive in. One thread.
public final class GroupRun implements AutoCloseable {
    /// More groups than this would not stay in cache; they are emitted, and grouping starts again.
    private static final int MAX_GROUPS = 1 << 17;
    /// The approximate bytes of a group's state, beside its key.
    private static final int STATE_BYTES = 24;

    /// Takes ownership of a block.
    public interface Output {
        void emit(Block states) throws Exception;
    }

    private final Allocator allocator;
    private final GroupedBlocks grouping;
    private final long mostBytes;
    private final int[] assigned = new int[GroupedBlocks.CHUNK];
    private @Nullable List<DataType> types;
    private @Nullable RunningGroups groups;
    private final List<GroupAccumulator> states = new ArrayList<>();
    /// Rows of the current groups, and of all.
    private long rows;
    private long allRows;
    private boolean each;

    /// @param mostBytes the approximate maximum size of groups before they are emitted
    public GroupRun(Allocator allocator, GroupedBlocks grouping, long mostBytes) {
        this.allocator = allocator;
        this.grouping = grouping;
        this.mostBytes = mostBytes;
    }

    /// Whether rows with these columns are grouped across blocks; others are accepted too, but are grouped one block at
    /// a time.
    public static boolean isFor(GroupedBlocks grouping, Schema schema) {
        for (String key : grouping.keys()) {
            int index = schema.indexOf(key);
            if (index < 0 || !KeyIds.areFor(schema.field(index).type())) {
                return false;
            }
        }
        for (Aggregate aggregate : grouping.aggregates()) {
            int index = aggregate.column() == null ? -1 : schema.indexOf(aggregate.column());
            if (aggregate.column() != null && index < 0
                    || !AccumulatorFunctions.goesOn(
                            aggregate,
                            index < 0
                                    ? null
                                    : AccumulatorFunctions.plain(
                                            schema.field(index).type()),
                            grouping.keys().isEmpty())) {
                return false;
            }
        }
        return true;
    }

    /// Keys may be dictionaries.
    private Schema plainKeys(Schema schema) {
        return Schema.of(schema.fields().stream()
                .map(field -> grouping.keys().contains(field.name())
                        ? new Field(field.name(), AccumulatorFunctions.plain(field.type()))
                        : field)
                .toList());
    }

    /// The columns that may be dictionaries of their values, for rows that this [#isFor].
    public static Set<String> encodable(GroupedBlocks grouping, Schema schema) {
        Set<String> names = new HashSet<>(grouping.keys());
        grouping.aggregates().stream()
                .map(Aggregate::column)
                .filter(Objects::nonNull)
                .forEach(names::add);
        for (Aggregate aggregate : grouping.aggregates()) {
            if (aggregate.column() != null
                    && !AccumulatorFunctions.takesCodes(
                            aggregate,
                            schema.type(aggregate.column()),
                            grouping.keys().isEmpty())) {
                names.remove(aggregate.column());
            }
        }
        return names;
    }

    /// Adds a block's rows. The caller keeps the block.
    public void add(Block block, Output out) throws Exception {
        if (block.rows() == 0 || !isFor(grouping, plainKeys(block.schema()))) {
            flush(out);
            out.emit(grouping.accumulate(allocator, block));
            return;
        }
        List<@Nullable Column> inputs = new ArrayList<>();
        try {
            for (Aggregate aggregate : grouping.aggregates()) {
                inputs.add(grouping.input(allocator, block, aggregate));
            }
            List<Column> keys = grouping.keys().stream().map(block::column).toList();
            List<DataType> now = types(keys, inputs);
            if (!now.equals(types)) {
                AggregateTypes.result(block.schema(), grouping.keys(), grouping.aggregates());
                flush(out);
                types = now;
            }
            add(block, keys, inputs, out);
        } finally {
            inputs.stream().filter(column -> column != null).forEach(Column::release);
        }
    }

    private static List<DataType> types(List<Column> keys, List<@Nullable Column> inputs) {
        List<DataType> types = new ArrayList<>();
        keys.forEach(key -> types.add(AccumulatorFunctions.plain(key.type())));
        inputs.forEach(input -> types.add(input == null ? DataType.NULL : AccumulatorFunctions.plain(input.type())));
        return types;
    }

    private void add(Block block, List<Column> keys, List<@Nullable Column> inputs, Output out) throws Exception {
        long end = block.rows();
        RunningGroups current = null;
        for (long from = 0; from < end; ) {
            if (each) {
                try (Block rest = block.slice(from, end - from);
                        Block plain = Blocks.widen(allocator, rest, plainKeys(rest.schema()))) {
                    out.emit(grouping.each(allocator, plain));
                }
                return;
            }
            if (current == null) {
                current = bind(keys, inputs);
            }
            // Stretches end where they would if all rows were in one block.
            int count = (int) Math.min(end - from, GroupedBlocks.CHUNK - allRows % GroupedBlocks.CHUNK);
            current.assign(from, count, assigned);
            int known = current.groups();
            for (GroupAccumulator state : states) {
                state.reserve(known);
                state.update(assigned, from, count);
            }
            from += count;
            rows += count;
            allRows += count;
            if (allRows % GroupedBlocks.CHUNK == 0 && isFull(current, known)) {
                each = isVain(known);
                flush(out);
                current = null;
            }
        }
    }

    private boolean isFull(RunningGroups current, int known) {
        if (grouping.keys().isEmpty()) {
            long bytes = 0;
            for (GroupAccumulator state : states) {
                bytes += state.estimatedBytes();
            }
            return bytes >= mostBytes;
        }
        return known >= MAX_GROUPS
                || rows == GroupingTrial.ROWS && isVain(known)
                || current.estimatedBytes() + (long) known * STATE_BYTES * states.size() >= mostBytes;
    }

    private boolean isVain(int known) {
        return !grouping.keys().isEmpty() && GroupingTrial.isVain(rows, known, 2L * MAX_GROUPS);
    }

    private RunningGroups bind(List<Column> keys, List<@Nullable Column> inputs) {
        RunningGroups current = groups;
        if (current == null) {
            current = new RunningGroups(allocator, types(keys, List.of()), GroupedBlocks.CHUNK);
            groups = current;
            for (int i = 0; i < inputs.size(); i++) {
                states.add(AccumulatorFunctions.accumulate(
                        allocator,
                        grouping.aggregates().get(i),
                        inputs.get(i),
                        GroupedBlocks.CHUNK,
                        grouping.keys().isEmpty()));
            }
        } else {
            for (int i = 0; i < inputs.size(); i++) {
                states.get(i).bind(inputs.get(i));
            }
        }
        current.bind(keys);
        return current;
    }

    /// Emits the current groups. None of the previous blocks is needed any more.
    public void flush(Output out) throws Exception {
        if (groups == null) {
            return;
        }
        Block made;
        try {
            made = GroupedBlocks.block(groups.build(), states, groups.groups());
        } finally {
            close();
        }
        rows = 0;
        out.emit(made);
    }

    @Override
    public void close() {
        if (groups != null) {
            groups.close();
            groups = null;
            states.forEach(GroupAccumulator::close);
            states.clear();
        }
    }
}
