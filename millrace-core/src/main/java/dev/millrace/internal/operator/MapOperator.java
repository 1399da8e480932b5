package dev.millrace.internal.operator;

import dev.millrace.compute.Compute;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.TaskProgram;
import java.util.ArrayList;
import java.util.List;

/// Runs steps over its input, a block or a bundle of small blocks per task. A bundle has the rows of a batch, or fewer
/// when it is so large that it would crowd out the tasks that fill it.
public final class MapOperator extends TaskOperator {
    /// A task has its bundle, the batch that is made of it and what comes out, while the next one collects.
    private static final int BUNDLES_IN_MEMORY = 8;

    private final PhysicalPlan.Map plan;
    private final TaskProgram program;
    private final long mostBundleBytes;

    MapOperator(PhysicalPlan.Map plan, Host host, TaskProgram program, ActorPool pool, Allocator account) {
        super(
                plan.name(),
                host,
                plan.resources(),
                plan.strategy() instanceof Compute.Tasks tasks ? tasks.maxConcurrency() : Integer.MAX_VALUE,
                pool,
                account,
                false,
                plan.chain().targetBytes());
        this.plan = plan;
        this.program = program;
        this.mostBundleBytes = account.limit() / BUNDLES_IN_MEMORY;
    }

    @Override
    void inputArrived(Channel input) {
        creditBundle();
    }

    /// An incomplete bundle waits for more, so it must not keep its producers waiting.
    private void creditBundle() {
        if (plan.bundleRows() > 0 && !inputReady()) {
            input(0).credit();
        }
    }

    @Override
    public boolean inputReady() {
        Channel input = input(0);
        return !input.isEmpty() && (input.isEnded() || isBundle(input.rows(), input.sizeBytes()));
    }

    private boolean isBundle(long rows, long sizeBytes) {
        return rows >= plan.bundleRows() || sizeBytes >= mostBundleBytes;
    }

    @Override
    boolean inputExhausted() {
        return input(0).isExhausted();
    }

    @Override
    public boolean needsMore(Channel input) {
        return !inputReady();
    }

    @Override
    TaskRun takeInput() {
        Channel input = input(0);
        long now = host.now();
        long rows = input.peek().rows();
        long bytes = input.bytes();
        meter.waited(now - input.since());
        BlockSlice first = input.take();
        List<BlockSlice> inputs;
        long size = first.sizeBytes();
        if (isBundle(rows, size) || input.isEmpty()) {
            inputs = List.of(first);
        } else {
            inputs = new ArrayList<>();
            inputs.add(first);
            while (!isBundle(rows, size) && !input.isEmpty()) {
                rows += input.peek().rows();
                size += input.peek().sizeBytes();
                bytes += input.bytes();
                meter.waited(now - input.since());
                inputs.add(input.take());
            }
        }
        if (rows < plan.bundleRows() && !input.isExhausted()) {
            meter.cutBundle();
        }
        creditBundle();
        TaskRun task = new TaskRun(this, program, inputs, rows, bytes);
        task.origin = commonOrigin(inputs);
        return task;
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

    /// As much as goes in.
    @Override
    long guessOutputBytes() {
        BlockSlice next = input(0).peek();
        return next == null ? 0 : next.sizeBytes();
    }

    @Override
    double rowsWanted(Channel input) {
        double wanted = output().to().rowsWanted(output());
        if (wanted == Double.POSITIVE_INFINITY) {
            return wanted;
        }
        wanted -= expectedRows();
        if (!(wanted > 0)) {
            return 0;
        }
        long in = meter.inputRows();
        double kept = in == 0 ? 1 : Math.max(meter.outputRows(), 1) / (double) in;
        return Math.max(wanted / kept, plan.bundleRows()) - input.rows();
    }
}
