package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.RowOrigin;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.runtime.ForwardingContext;
import dev.millrace.runtime.TaskProgress;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Makes the shards of several lanes from one bundle, one lane after the other: their blocks follow each other.
public record LaneShards(List<Lane> lanes) implements ShardMaker {
    public LaneShards {
        lanes = List.copyOf(lanes);
    }

    /// The part of a lane that map tasks need.
    record Lane(LaneInput input, ShardMaker maker) implements Serializable {}

    public static LaneShards of(List<ExchangeLane> lanes) {
        return new LaneShards(
                lanes.stream().map(lane -> new Lane(lane.input(), lane.maker())).toList());
    }

    /// What a map task reported for all of its lanes.
    record Told(List<OfLane> lanes) implements MapShards {}

    /// @param rows that it emitted
    /// @param bytes of these, before narrowing
    /// @param shards what its maker reported; null if the lane took nothing of the bundle
    /// @param narrow the schema of the original rows, if they are [NarrowRows]; else null
    record OfLane(
            long rows,
            long bytes,
            @Nullable MapShards shards,
            @Nullable Schema narrow) implements Serializable {}

    @Override
    public ShardMaker ofAll() {
        return new LaneShards(lanes.stream()
                .map(lane -> new Lane(lane.input(), lane.maker().ofAll()))
                .toList());
    }

    @Override
    public void make(MapTask task) throws Exception {
        List<OfLane> told = new ArrayList<>();
        for (Lane lane : lanes) {
            try (LaneContext view = new LaneContext(task, lane)) {
                if (!view.blocks.isEmpty()) {
                    lane.maker().make(new MapTask(view, task.firstRow(), task.shardBytes()));
                }
                told.add(view.told());
            }
        }
        task.tell(new Told(told));
    }

    /// The bundle as one lane sees it.
    private static final class LaneContext extends ForwardingContext implements AutoCloseable {
        private final List<Block> blocks = new ArrayList<>();
        private long rows;
        private long bytes;
        private @Nullable MapShards shards;

        LaneContext(MapTask task, Lane lane) {
            super(task.context());
            try (ResourceScope scope = new ResourceScope()) {
                scope.add(this);
                for (int i = 0; i < task.blocks(); i++) {
                    try (Block block = task.block(i)) {
                        Block taken = lane.input().of(allocator(), block);
                        if (taken != null) {
                            blocks.add(taken);
                        }
                    }
                }
                scope.keep();
            }
        }

        OfLane told() {
            return shards instanceof NarrowShards narrow
                    ? new OfLane(rows, narrow.bytes(), narrow.shards(), narrow.rows())
                    : new OfLane(rows, bytes, shards, null);
        }

        @Override
        public int inputs() {
            return blocks.size();
        }

        @Override
        public Block input(int index) {
            return blocks.get(index).retain();
        }

        @Override
        public void emit(Block block) {
            rows += block.rows();
            bytes += block.sizeBytes();
            super.emit(block);
        }

        @Override
        public void emit(Block block, List<RowOrigin> origins) {
            emit(block);
        }

        /// The lanes of a task have no progress of their own.
        @Override
        public void watch(Supplier<TaskProgress> progress) {}

        @Override
        public void tell(Serializable value) {
            shards = (MapShards) value;
        }

        @Override
        public void close() {
            blocks.forEach(Block::close);
        }
    }
}
