package dev.millrace.internal.backpressure;

import dev.millrace.internal.operator.BlockChannel;
import dev.millrace.internal.operator.TaskOperator;

/// Holds back an operator whose output accumulates: when more of its blocks are queued than `ratio` times what the next
/// operator works on, and more than `floor`. Not while the next operator cannot continue without more input.
public final class DownstreamCapacity implements BackpressurePolicy {
    private final double ratio;
    private int floor;

    public DownstreamCapacity(double ratio) {
        this.ratio = ratio;
    }

    /// Sets the number of blocks that may always be queued.
    public void floor(int blocks) {
        floor = blocks;
    }

    @Override
    public String name() {
        return "DownstreamCapacity";
    }

    private static boolean needsMore(BlockChannel output) {
        return output.to().needsMore(output);
    }

    @Override
    public boolean allows(TaskOperator operator) {
        int queued = operator.queuedBlocks();
        return queued < floor
                || queued < limit(operator)
                || operator.reorderingBlocks() < floor && needsMore(operator.requireOutput());
    }

    private double limit(TaskOperator operator) {
        return operator.feeds() instanceof TaskOperator next ? Math.max(floor, ratio * next.blocksWorkedOn()) : floor;
    }

    @Override
    public String reason(TaskOperator operator) {
        return operator.queuedBlocks() + " blocks wait for " + operator.feeds().name() + ", at most "
                + (long) limit(operator);
    }

    @Override
    public boolean yieldsWhenNothingRuns() {
        return true;
    }
}
