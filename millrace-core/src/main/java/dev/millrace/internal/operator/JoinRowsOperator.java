package dev.millrace.internal.operator;

import dev.millrace.internal.exchange.ConcatenateReducer;
import dev.millrace.internal.exchange.ReduceLayout;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.List;

/// Makes blocks of exactly so many rows, the last one of the remainder, in the order of the input: each task
/// concatenates the slices of one block.
final class JoinRowsOperator extends BundleOperator {
    private final PhysicalPlan.Rows plan;
    private final ProgramFactory programs;

    JoinRowsOperator(PhysicalPlan.Rows plan, OperatorHost host, ProgramFactory programs, Allocator account) {
        super(plan.name(), host, plan.resources(), Integer.MAX_VALUE, null, account, plan.targetBytes());
        this.plan = plan;
        this.programs = programs;
    }

    @Override
    boolean isBundle(long rows, long sizeBytes) {
        return rows >= plan.rows();
    }

    @Override
    TaskRun takeInput() {
        BlockChannel input = input(0);
        long now = host.now();
        List<BlockSlice> inputs = new ArrayList<>();
        long missing = plan.rows();
        long bytes = 0;
        while (!input.isEmpty() && (missing > 0 || input.peek().rows() == 0)) {
            boolean counted = input.bytes() > 0;
            long part = Math.min(missing, input.peek().rows());
            if (part == input.peek().rows()) {
                meter.waited(now - input.since());
            }
            BlockSlice slice = input.takeRows(part);
            bytes += counted ? slice.sizeBytes() : 0;
            inputs.add(slice);
            missing -= part;
        }
        creditBundle();
        long rows = plan.rows() - missing;
        ReduceLayout layout = new ReduceLayout(
                0,
                1,
                List.of(List.of(new ReduceLayout.Run(0, inputs.size(), rows, null))),
                null,
                plan.targetBytes(),
                plan.targetBytes());
        return new TaskRun(
                this, programs.reduce(new ConcatenateReducer(), layout, null, plan.verb()), inputs, rows, bytes);
    }

    @Override
    long guessOutputBytes() {
        BlockChannel input = input(0);
        return input.rows() == 0 ? 0 : (long) (input.sizeBytes() * Math.min(1, (double) plan.rows() / input.rows()));
    }

    @Override
    double rowsWanted(BlockChannel input) {
        double wanted = requireOutput().to().rowsWanted(requireOutput());
        if (wanted == Double.POSITIVE_INFINITY) {
            return wanted;
        }
        wanted -= expectedRows();
        return wanted > 0 ? Math.max(wanted, (double) plan.rows()) - input.rows() : 0;
    }

    @Override
    String site() {
        return plan.site();
    }
}
