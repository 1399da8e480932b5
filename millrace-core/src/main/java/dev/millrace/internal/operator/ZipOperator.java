package dev.millrace.internal.operator;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.List;

/// Pairs rows of two inputs by position: each task gets slices of both sides with equal row counts. Needs both sides in
/// order. A task covers the larger of the two first blocks, unless the other side has many small ones queued.
final class ZipOperator extends AlignedOperator {
    private static final int MANY_BLOCKS = 8;

    private final PhysicalPlan.Zip plan;
    private final ProgramFactory programs;
    private final long[] rowsSeen = new long[2];

    ZipOperator(PhysicalPlan.Zip plan, OperatorHost host, ProgramFactory programs, Allocator account) {
        super(plan, host, plan.resources(), account, plan.chain().targetBytes());
        this.plan = plan;
        this.programs = programs;
    }

    @Override
    void inputArrived(BlockChannel input) {
        rowsSeen[input == input(0) ? 0 : 1] += lastRows(input);
        settle();
    }

    private long pushed(BlockChannel input) {
        return rowsSeen[input == input(0) ? 0 : 1];
    }

    /// Rows of the block that was pushed last.
    private static long lastRows(BlockChannel input) {
        return input.last().rows();
    }

    @Override
    void inputEnded(BlockChannel input) {
        settle();
        super.inputEnded(input);
    }

    /// Returns credit for a side that needs more rows, so that its producers are not blocked.
    private void creditScarce() {
        for (BlockChannel input : inputs()) {
            if (!input.isEmpty() && needsMore(input)) {
                input.credit();
            }
        }
    }

    /// Empty blocks pair with nothing. When one side has ended, further rows of the other are an error: they are
    /// counted to the end for the message.
    private void settle() {
        if (isStopped()) {
            return;
        }
        dropEmptyBlocks();
        BlockChannel left = input(0);
        BlockChannel right = input(1);
        if (left.isExhausted() != right.isExhausted()) {
            (left.isExhausted() ? right : left).clear();
        }
        if (left.isEnded() && right.isEnded() && pushed(left) != pushed(right)) {
            host.fail(MillraceException.user("Cannot zip datasets of different number of rows: " + pushed(left) + ", "
                    + pushed(right) + plan.verb().suffix()));
        }
        creditScarce();
    }

    @Override
    public boolean inputReady() {
        return rowsToPair() > 0;
    }

    private long rowsToPair() {
        BlockChannel left = input(0);
        BlockChannel right = input(1);
        if (left.isEmpty() || right.isEmpty()) {
            return 0;
        }
        long whole = Math.max(left.peek().rows(), right.peek().rows());
        long there = Math.min(left.rows(), right.rows());
        if (there >= whole) {
            return whole;
        }
        BlockChannel scarce = left.rows() < right.rows() ? left : right;
        return scarce.isEnded() || scarce.size() >= MANY_BLOCKS ? there : 0;
    }

    @Override
    public boolean needsMore(BlockChannel input) {
        return !inputReady() && input.rows() <= other(input).rows();
    }

    private BlockChannel other(BlockChannel input) {
        return input == input(0) ? input(1) : input(0);
    }

    @Override
    boolean inputExhausted() {
        return input(0).isExhausted() && input(1).isExhausted();
    }

    @Override
    TaskRun takeInput() {
        long rows = rowsToPair();
        List<BlockSlice> inputs = new ArrayList<>();
        long bytes = take(input(0), rows, inputs);
        int leftInputs = inputs.size();
        bytes += take(input(1), rows, inputs);
        settle();
        return new TaskRun(this, programs.zip(leftInputs, plan.chain(), plan.verb()), inputs, rows, bytes);
    }

    @Override
    String site() {
        return plan.site();
    }

    @Override
    String lines() {
        return CallSite.joined(plan.site(), plan.chain().lines());
    }

    @Override
    boolean writes() {
        return plan.chain().writes();
    }
}
