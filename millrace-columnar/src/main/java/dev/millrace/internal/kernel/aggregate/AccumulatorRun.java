package dev.millrace.internal.kernel.aggregate;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Merges blocks of states into one with each group once, as [GroupedBlocks#merge] does for one block: by the same code
/// that grouped the rows, and without concatenating the blocks first. One thread.
final class AccumulatorRun implements AutoCloseable {
    private final Allocator allocator;
    private final GroupedBlocks grouping;
    private final RunningGroups groups;
    private final int[] assigned = new int[GroupedBlocks.CHUNK];
    private final List<GroupAccumulator> states = new ArrayList<>();
    private long rows;

    private AccumulatorRun(Allocator allocator, GroupedBlocks grouping, Schema schema) {
        this.allocator = allocator;
        this.grouping = grouping;
        List<DataType> types = schema.fields().stream().map(Field::type).toList();
        this.groups =
                new RunningGroups(allocator, types.subList(0, grouping.keys().size()), GroupedBlocks.CHUNK);
    }

    /// Whether [#merge] supports blocks of states with these columns.
    static boolean isFor(GroupedBlocks grouping, Schema schema) {
        int at = 0;
        for (; at < grouping.keys().size(); at++) {
            if (!KeyIds.areFor(schema.field(at).type())) {
                return false;
            }
        }
        for (Aggregate aggregate : grouping.aggregates()) {
            if (!AccumulatorFunctions.mergeGoesOn(aggregate, schema.field(at).type())) {
                return false;
            }
            at += AccumulatorFunctions.width(aggregate);
        }
        return true;
    }

    /// @param blocks all of one schema that this [#isFor]; the caller keeps them
    /// @return null if there are keys, and merging would leave more than half of many states
    static @Nullable Block merge(Allocator allocator, GroupedBlocks grouping, List<Block> blocks) {
        long rows = blocks.stream().mapToLong(Block::rows).sum();
        int keys = grouping.keys().size();
        if (keys > 0 && rows > GroupedBlocks.SURELY_MERGED && HashSample.isVain(allocator, blocks, keys)) {
            return null;
        }
        try (AccumulatorRun run =
                new AccumulatorRun(allocator, grouping, blocks.getFirst().schema())) {
            for (Block block : blocks) {
                run.add(block);
            }
            return run.build();
        }
    }

    private void add(Block block) {
        bind(block);
        groups.bind(block.columns().subList(0, grouping.keys().size()));
        for (long from = 0; from < block.rows(); from += GroupedBlocks.CHUNK) {
            int count = (int) Math.min(GroupedBlocks.CHUNK, block.rows() - from);
            groups.assign(from, count, assigned);
            int known = groups.groups();
            for (GroupAccumulator state : states) {
                state.reserve(known);
                state.update(assigned, from, count);
            }
            rows += count;
        }
    }

    private void bind(Block block) {
        boolean first = states.isEmpty();
        int at = grouping.keys().size();
        for (int i = 0; i < grouping.aggregates().size(); i++) {
            Aggregate aggregate = grouping.aggregates().get(i);
            List<Column> columns = block.columns().subList(at, at + AccumulatorFunctions.width(aggregate));
            if (first) {
                states.add(AccumulatorFunctions.merge(allocator, aggregate, columns, GroupedBlocks.CHUNK));
            } else {
                states.get(i).bind(columns);
            }
            at += columns.size();
        }
    }

    private Block build() {
        return GroupedBlocks.block(groups.build(), states, rows == 0 ? 0 : groups.groups());
    }

    @Override
    public void close() {
        groups.close();
        states.forEach(GroupAccumulator::close);
    }
}
