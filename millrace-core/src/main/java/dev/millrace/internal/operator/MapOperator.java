package dev.millrace.internal.operator;

import dev.millrace.compute.Compute;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockPlace;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.TaskProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Runs steps over its input, a block or a bundle of small blocks per task. A bundle has the rows of a batch, or fewer
/// when it is so large that it would take the memory of the upstream tasks that fill it. Actors get whole batches: the
/// rest of the last block begins the next bundle, since a model may take as long for a few rows as for a full batch. Of
/// a block with several batches an actor gets its share of the queued rows (guided self-scheduling), so that a large
/// block is distributed over the whole pool.
final class MapOperator extends BundleOperator {
    /// A task holds its bundle, the batch made of it and its output, while the next bundle is collected.
    private static final int BUNDLES_IN_MEMORY = 8;

    private final PhysicalPlan.Map plan;
    private final ProgramFactory programs;
    /// The number of calls that share the queued rows; 0 for tasks, which take whole blocks.
    private final int sharers;
    /// For blocks of unknown origin.
    private final TaskProgram program;
    private final long mostBundleBytes;
    /// The average observed so far.
    private double blocksPerTask = 1;

    MapOperator(
            PhysicalPlan.Map plan,
            OperatorHost host,
            ProgramFactory programs,
            @Nullable ActorPool pool,
            Allocator account) {
        super(
                plan.name(),
                host,
                plan.resources(),
                plan.strategy() instanceof Compute.Tasks tasks ? tasks.maxConcurrency() : Integer.MAX_VALUE,
                pool,
                account,
                plan.chain().targetBytes());
        this.plan = plan;
        this.sharers = pool == null ? 0 : pool.mostAtWork();
        this.programs = programs;
        this.program = programs.map(plan.chain(), List.of());
        this.mostBundleBytes = host.taskMemory() / BUNDLES_IN_MEMORY;
    }

    @Override
    boolean isBundle(long rows, long sizeBytes) {
        return rows >= plan.bundleRows() || sizeBytes >= mostBundleBytes;
    }

    @Override
    double blocksPerTask() {
        BlockChannel input = input(0);
        if (input.rows() > 0) {
            double share =
                    Math.max(input.rows() / (double) plan.bundleRows(), input.sizeBytes() / (double) mostBundleBytes);
            blocksPerTask = Math.max(1, input.size() / share);
        }
        return blocksPerTask;
    }

    @Override
    TaskRun takeInput() {
        BlockChannel input = input(0);
        List<BlockSlice> inputs = new ArrayList<>(4);
        long share = share(input);
        long rows = 0;
        long size = 0;
        long bytes = 0;
        while (inputs.isEmpty() || !isBundle(rows, size) && !input.isEmpty()) {
            long part = Math.min(wholeBatches(rows, input), share - rows);
            boolean all = part == input.peek().rows();
            if (all) {
                bytes += input.bytes();
                meter.waited(host.now() - input.since());
            }
            BlockSlice slice = all ? input.take() : input.takeRows(part);
            inputs.add(slice);
            rows += part;
            size += slice.sizeBytes();
        }
        if (rows < plan.bundleRows() && !input.isExhausted()) {
            meter.cutBundle();
        }
        creditBundle();
        return new TaskRun(this, program(inputs), inputs, rows, bytes, commonOrigin(inputs), null);
    }

    private TaskProgram program(List<BlockSlice> inputs) {
        List<BlockPlace> places = new ArrayList<>(inputs.size());
        for (BlockSlice input : inputs) {
            BlockPlace place = input.block().place();
            if (place == null) {
                return program;
            }
            places.add(place.rows(input.from(), input.rows()));
        }
        return programs.map(plan.chain(), places);
    }

    /// The maximum number of rows of one task: whole batches, at least one.
    private long share(BlockChannel input) {
        if (sharers == 0 || plan.bundleRows() < 1) {
            return Long.MAX_VALUE;
        }
        return Math.ceilDiv(Math.ceilDiv(Math.max(1, input.rows()), sharers), plan.bundleRows()) * plan.bundleRows();
    }

    /// How many rows of the first queued block are added to the rows before it.
    private long wholeBatches(long before, BlockChannel input) {
        long block = input.peek().rows();
        long over = plan.bundleRows() > 1 ? (before + block) % plan.bundleRows() : 0;
        boolean last = input.isEnded() && input.size() == 1;
        return sharers == 0 || last || over >= block ? block : block - over;
    }

    private static long commonOrigin(List<BlockSlice> inputs) {
        long first = inputs.getFirst().block().origin();
        for (BlockSlice input : inputs) {
            if (input.block().origin() != first) {
                return BlockRef.NO_ORIGIN;
            }
        }
        return first;
    }

    @Override
    String lines() {
        return plan.chain().lines();
    }

    @Override
    boolean writes() {
        return plan.chain().writes();
    }

    /// What the operator below puts out, where that is known; all that came, once there is no more to come.
    @Override
    OptionalLong totalInputRows() {
        BlockChannel input = input(0);
        if (input.isEnded()) {
            return OptionalLong.of(meter.inputRows() + input.rows());
        }
        return input.from() instanceof TaskOperator below ? below.totalRows() : OptionalLong.empty();
    }

    /// The size of its input.
    @Override
    long guessOutputBytes() {
        BlockSlice next = input(0).peek();
        return next == null ? 0 : next.sizeBytes();
    }

    @Override
    double rowsWanted(BlockChannel input) {
        double wanted = requireOutput().to().rowsWanted(requireOutput());
        if (wanted == Double.POSITIVE_INFINITY) {
            return wanted;
        }
        wanted -= expectedRows();
        if (!(wanted > 0)) {
            return 0;
        }
        long in = meter.inputRows();
        double kept = in == 0 ? 1 : Math.max(meter.outputRows(), 1) / (double) in;
        return Math.max(wanted / kept, (double) plan.bundleRows()) - input.rows();
    }
}
