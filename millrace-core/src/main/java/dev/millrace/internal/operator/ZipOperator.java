package dev.millrace.internal.operator;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.List;

/// Pairs rows of two inputs by position: each task gets slices of both sides with equal row counts. Needs both sides
/// in order. A task covers the larger of the two blocks in front, unless the other side has many small ones waiting.
public final class ZipOperator extends TaskOperator {
    private static final int MANY_BLOCKS = 8;

    private final PhysicalPlan.Zip plan;
    private final Programs programs;
    private final long[] rowsSeen = new long[2];

    ZipOperator(PhysicalPlan.Zip plan, Host host, Programs programs, Allocator account) {
        super(
                plan.name(),
                host,
                plan.resources(),
                Integer.MAX_VALUE,
                null,
                account,
                false,
                plan.chain().targetBytes());
        this.plan = plan;
        this.programs = programs;
    }

    @Override
    void inputArrived(Channel input) {
        rowsSeen[input == input(0) ? 0 : 1] += lastRows(input);
        settle();
    }

    private long pushed(Channel input) {
        return rowsSeen[input == input(0) ? 0 : 1];
    }

    /// Rows of the block that was pushed last.
    private static long lastRows(Channel input) {
        return input.last().rows();
    }

    @Override
    void inputEnded(Channel input) {
        settle();
        super.inputEnded(input);
    }

    /// A side that waits for more must not keep its producers waiting.
    private void creditScarce() {
        for (Channel input : inputs()) {
            if (!input.isEmpty() && needsMore(input)) {
                input.credit();
            }
        }
    }

    /// Empty blocks pair with nothing. When one side is over, rows of the other are one too many: they are counted to
    /// the end for the message.
    private void settle() {
        if (isStopped()) {
            return;
        }
        for (Channel input : inputs()) {
            while (!input.isEmpty() && input.peek().rows() == 0) {
                input.take().release();
            }
        }
        Channel left = input(0);
        Channel right = input(1);
        if (left.isExhausted() != right.isExhausted()) {
            (left.isExhausted() ? right : left).clear();
        }
        if (left.isEnded() && right.isEnded() && pushed(left) != pushed(right)) {
            host.fail(MillraceException.user(
                    "Cannot zip datasets of different number of rows: " + pushed(left) + ", " + pushed(right)));
        }
        creditScarce();
    }

    @Override
    public boolean inputReady() {
        return rowsToPair() > 0;
    }

    private long rowsToPair() {
        Channel left = input(0);
        Channel right = input(1);
        if (left.isEmpty() || right.isEmpty()) {
            return 0;
        }
        long whole = Math.max(left.peek().rows(), right.peek().rows());
        long there = Math.min(left.rows(), right.rows());
        if (there >= whole) {
            return whole;
        }
        Channel scarce = left.rows() < right.rows() ? left : right;
        return scarce.isEnded() || scarce.size() >= MANY_BLOCKS ? there : 0;
    }

    @Override
    public boolean needsMore(Channel input) {
        return !inputReady() && input.rows() <= other(input).rows();
    }

    private Channel other(Channel input) {
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
        return new TaskRun(this, programs.zip(leftInputs, plan.chain()), inputs, rows, bytes);
    }

    private long take(Channel input, long rows, List<BlockSlice> into) {
        long now = host.now();
        long bytes = 0;
        while (rows > 0) {
            boolean counted = input.bytes() > 0;
            long part = Math.min(rows, input.peek().rows());
            if (part == input.peek().rows()) {
                meter.waited(now - input.since());
            }
            BlockSlice slice = input.takeRows(part);
            bytes += counted ? slice.sizeBytes() : 0;
            into.add(slice);
            rows -= part;
        }
        return bytes;
    }

    @Override
    long guessOutputBytes() {
        long bytes = 0;
        for (Channel input : inputs()) {
            bytes += input.isEmpty() ? 0 : input.peek().sizeBytes();
        }
        return bytes;
    }

    @Override
    double rowsWanted(Channel input) {
        double wanted = output().to().rowsWanted(output());
        if (wanted == Double.POSITIVE_INFINITY) {
            return wanted;
        }
        wanted -= expectedRows() + input.rows();
        return wanted > 0 ? wanted : needsMore(input) ? 1 : 0;
    }
}
