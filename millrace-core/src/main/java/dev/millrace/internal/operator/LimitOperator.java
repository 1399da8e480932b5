package dev.millrace.internal.operator;

import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.runtime.BlockSlice;

/// Passes on rows `offset` to `offset + rows` of its input, cut by metadata alone. The block that reaches the limit
/// stops everything upstream.
final class LimitOperator extends RunningOperator {
    private long skipLeft;
    private long rowsLeft;

    LimitOperator(PhysicalPlan.Limit plan) {
        super(plan.name());
        this.skipLeft = plan.offset();
        this.rowsLeft = plan.rows();
    }

    @Override
    void open() {
        if (rowsLeft == 0) {
            stopInput();
        }
    }

    @Override
    void inputArrived(BlockChannel input) {
        while (!isStopped() && !isFinished() && !input.isEmpty()) {
            pass(input);
        }
    }

    private void pass(BlockChannel input) {
        long rows = input.peek().rows();
        long skip = Math.min(skipLeft, rows);
        long kept = Math.min(rows - skip, rowsLeft);
        skipLeft -= skip;
        rowsLeft -= kept;
        if (kept == 0 && rows > 0) {
            input.take().release();
            return;
        }
        TaskRun producer = input.producer();
        long bytes = input.bytes();
        long since = input.since();
        BlockSlice slice = input.poll();
        emit(kept == rows ? slice : new BlockSlice(slice.block(), slice.from() + skip, kept), producer, bytes, since);
        if (rowsLeft == 0) {
            stopInput();
        }
    }

    private void stopInput() {
        input(0).from().stop();
        input(0).clear();
        finish();
    }

    @Override
    void inputEnded(BlockChannel input) {
        if (input.isEmpty()) {
            finish();
        }
    }

    @Override
    double rowsWanted(BlockChannel input) {
        double wanted = requireOutput().to().rowsWanted(requireOutput());
        return Math.min((double) rowsLeft, wanted) + skipLeft;
    }

    @Override
    public boolean needsMore(BlockChannel input) {
        return requireOutput().to().needsMore(requireOutput());
    }
}
