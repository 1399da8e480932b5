package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.TaskContext;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The input and output of a [ShardMaker]: a bundle of blocks in, shards out. One thread.
public final class MapTask {
    private final TaskContext context;
    private final long firstRow;
    private final long shardBytes;
    private @Nullable Schema narrowed;
    private long plainBytes;

    MapTask(TaskContext context, long firstRow, long shardBytes) {
        this.context = context;
        this.firstRow = firstRow;
        this.shardBytes = shardBytes;
    }

    public Allocator allocator() {
        return context.allocator();
    }

    /// The number of the first row in the dataset; if order is not kept, in the order of arrival.
    public long firstRow() {
        return firstRow;
    }

    /// The target size of emitted blocks: each is the unit in which shards are spilled and read back.
    public long shardBytes() {
        return shardBytes;
    }

    /// At least one.
    public int blocks() {
        return context.inputs();
    }

    /// One block of the bundle, which the caller closes.
    public Block block(int index) {
        requireRunning();
        return context.input(index);
    }

    /// All rows of the bundle under their common schema, as a block that the caller closes.
    public Block all() {
        List<Block> blocks = open();
        try {
            return Blocks.concatenate(allocator(), blocks);
        } finally {
            blocks.forEach(Block::close);
        }
    }

    /// The same rows in the blocks of the bundle, without concatenation. Closed by the caller.
    BundleRows rows() {
        return BundleRows.of(allocator(), open());
    }

    /// The blocks of the bundle, which the caller closes.
    List<Block> open() {
        try (ResourceScope scope = new ResourceScope()) {
            List<Block> blocks = new ArrayList<>();
            for (int i = 0; i < blocks(); i++) {
                blocks.add(scope.add(block(i)));
            }
            return scope.keep(blocks);
        }
    }

    /// The context of the task.
    TaskContext context() {
        return context;
    }

    /// Emits the next rows of the shards.
    public void emit(Block block) {
        context.emit(block);
    }

    /// The emitted blocks are [NarrowRows] of these rows. Once, before [#tell].
    void emitsNarrow(Schema rows, long bytes) {
        narrowed = rows;
        plainBytes = bytes;
    }

    /// Reports which of the emitted rows belong to which partition. Once, at the end.
    public void tell(MapShards shards) {
        context.tell(narrowed == null ? shards : new NarrowShards(shards, narrowed, plainBytes));
    }

    public void requireRunning() {
        if (context.isCancelled()) {
            throw new TaskCancelled();
        }
    }
}
