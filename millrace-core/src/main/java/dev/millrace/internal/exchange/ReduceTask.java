package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.block.BlockShaper;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.TaskContext;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a [ShuffleReducer] works with: the shards of its part in, blocks out. Shards of a side come as runs, one for
/// each map task that has rows here, in the order of these tasks; the blocks of a run in their order. One thread.
final class ReduceTask {
    private static final int MAX_WASTE = 3;

    private final TaskContext context;
    private final ReduceLayout layout;
    private final Consumer<Block> output;
    private final boolean isChained;

    /// @param output takes blocks over
    /// @param chained whether steps follow in this task
    ReduceTask(TaskContext context, ReduceLayout layout, Consumer<Block> output, boolean chained) {
        this.context = context;
        this.layout = layout;
        this.output = output;
        this.isChained = chained;
    }

    /// The same task over other shards of its own, with other places for what comes out.
    ReduceTask with(ReduceLayout other, Consumer<Block> out) {
        return new ReduceTask(context, other, out, false);
    }

    ReduceLayout layout() {
        return layout;
    }

    /// True when steps follow in this task, which assemble blocks themselves: small blocks, which are in cache, are
    /// best for them.
    public boolean isChained() {
        return isChained;
    }

    public Allocator allocator() {
        return context.allocator();
    }

    /// The target size of output blocks.
    public long targetBytes() {
        return layout.targetBytes();
    }

    /// The size up to which rows that belong together may be one block.
    public long mostBytes() {
        return layout.mostBytes();
    }

    /// The number of the first of its partitions.
    public int firstPartition() {
        return layout.firstPartition();
    }

    /// How many partitions it has.
    public int partitions() {
        return layout.partitions();
    }

    /// The argument that the [ReduceAssignment] gave to this part.
    public @Nullable Serializable argument() {
        return layout.argument();
    }

    public int runs(int side) {
        return layout.sides().get(side).size();
    }

    /// Rows of one run.
    public long rows(int side, int run) {
        return layout.sides().get(side).get(run).rows();
    }

    /// Rows of one side.
    public long rows(int side) {
        return layout.sides().get(side).stream()
                .mapToLong(ReduceLayout.Run::rows)
                .sum();
    }

    public int blocks(int side, int run) {
        return layout.sides().get(side).get(run).inputs();
    }

    /// One block of a run, which the caller closes. Read back if it was spilled. When memory is tight, a few rows of a
    /// large block are copied, so that they do not keep all of it in memory.
    public Block block(int side, int run, int index) {
        return block(side, run, index, List.of());
    }

    /// @param coded columns of text that may come as dictionaries
    Block block(int side, int run, int index, List<String> coded) {
        Block block = narrow(side, run, index);
        Schema schema = schema(side, run);
        if (schema != null) {
            try (block) {
                return NarrowRows.restore(allocator(), List.of(block), schema, coded);
            }
        }
        if (!allocator().isTight() || block.heldBytes() <= MAX_WASTE * block.sizeBytes()) {
            return block;
        }
        try (block) {
            return Blocks.compact(allocator(), block);
        }
    }

    /// The same block unwidened, perhaps as [NarrowRows].
    Block narrow(int side, int run, int index) {
        requireRunning();
        return context.input(layout.sides().get(side).get(run).firstInput() + index);
    }

    /// The schema of the original rows of a run, if they are [NarrowRows]; else null.
    @Nullable
    Schema schema(int side, int run) {
        return layout.sides().get(side).get(run).schema();
    }

    /// The argument, of an assignment that gives one to every part.
    Serializable requireArgument() {
        return Objects.requireNonNull(argument(), "the assignment gives every part an argument");
    }

    /// All rows of a side, run by run, as a block that the caller closes; null if it has no block, not even one without
    /// rows.
    public @Nullable Block all(int side) {
        return all(side, List.of());
    }

    /// @param coded columns of text that may come as dictionaries
    @Nullable
    Block all(int side, List<String> coded) {
        Schema schema = schema(side);
        List<Block> blocks = new ArrayList<>();
        try {
            for (int run = 0; run < runs(side); run++) {
                for (int i = 0; i < blocks(side, run); i++) {
                    blocks.add(schema == null ? block(side, run, i) : narrow(side, run, i));
                }
            }
            if (blocks.isEmpty()) {
                return null;
            }
            return schema == null
                    ? Blocks.concatenate(allocator(), blocks)
                    : NarrowRows.restore(allocator(), blocks, schema, coded);
        } finally {
            blocks.forEach(Block::close);
        }
    }

    /// The schema of the original rows of a side, if all of its runs are [NarrowRows] of one schema; else null.
    @Nullable
    Schema schema(int side) {
        List<ReduceLayout.Run> runs = layout.sides().get(side);
        Schema first = runs.isEmpty() ? null : runs.getFirst().schema();
        return first != null && runs.stream().allMatch(run -> Objects.equals(first, run.schema())) ? first : null;
    }

    /// The rows of a side, partition by partition. Closed by the caller.
    public PartitionFeed partitionsOf(int side) {
        return partitionsOf(side, List.of());
    }

    /// @param coded columns of text that may come as dictionaries
    PartitionFeed partitionsOf(int side, List<String> coded) {
        return new PartitionFeed(this, layout.sides().get(side), side, coded);
    }

    /// Emits the next rows of the output.
    public void emit(Block block) {
        output.accept(block);
    }

    /// Emits the finished blocks of a shaper.
    public void pass(BlockShaper shaper) {
        for (Block block = shaper.poll(); block != null; block = shaper.poll()) {
            emit(block);
        }
    }

    /// Reports what it matched in a side that all tasks share.
    void tell(ProbeFeedback findings) {
        context.tell(findings);
    }

    /// Adds to a number in the operator's stats.
    public void count(String counter, long amount) {
        context.count(counter, amount);
    }

    public void requireRunning() {
        if (context.isCancelled()) {
            throw new TaskCancelled();
        }
    }
}
