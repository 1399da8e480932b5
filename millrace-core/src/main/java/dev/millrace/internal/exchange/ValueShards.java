package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.internal.kernel.aggregate.GlobalAggregates;
import dev.millrace.internal.kernel.aggregate.GroupRun;
import dev.millrace.memory.Allocator;
import java.util.ArrayList;
import java.util.List;

/// Counts the values of a column before the shuffle, as a group by this column would: the shards are the distinct
/// values of the bundle, with the count of each and its position among the values of all bundles.
///
/// @param counted whether the bundle already contains counted values, of the tasks that produced the rows
record ValueShards(int partitions, boolean counted) implements ShardMaker {
    /// A bundle has fewer values than two to the power of this.
    private static final int VALUES = 31;

    @Override
    public void make(MapTask task) throws Exception {
        // A row of counted values has any number of them, other rows have one.
        PositionedStates states =
                new PositionedStates(task.allocator(), counted ? task.firstRow() << VALUES : task.firstRow());
        try {
            if (counted) {
                for (int i = 0; i < task.blocks(); i++) {
                    states.add(task.block(i));
                }
            } else {
                count(task, states);
            }
            if (states.blocks.isEmpty()) {
                task.tell(new MapShards.Counted(new int[partitions]));
                return;
            }
            List<Block> taken = new ArrayList<>(states.blocks);
            states.blocks.clear();
            try (BundleRows rows = BundleRows.of(task.allocator(), taken)) {
                PartitionShards.write(
                        task, rows, new HashPartitioner(GlobalAggregates.BY_VALUE.stateKeys(), partitions), 0);
            }
        } finally {
            states.blocks.forEach(Block::close);
        }
    }

    private static void count(MapTask task, PositionedStates states) throws Exception {
        try (GroupRun run = new GroupRun(task.allocator(), GlobalAggregates.COUNTED, Long.MAX_VALUE)) {
            for (int i = 0; i < task.blocks(); i++) {
                try (Block rows = task.block(i)) {
                    run.add(rows, states::add);
                }
            }
            run.flush(states::add);
        }
    }

    /// States of counted values, which get their positions in order of arrival, those of later bundles after those of
    /// earlier ones.
    private static final class PositionedStates {
        private final Allocator allocator;
        private final List<Block> blocks = new ArrayList<>();
        private long next;

        PositionedStates(Allocator allocator, long first) {
            this.allocator = allocator;
            this.next = first;
        }

        void add(Block states) {
            try (states) {
                if (states.rows() > 0) {
                    blocks.add(GlobalAggregates.placed(allocator, states, next));
                    next += states.rows();
                }
            }
        }
    }
}
