package dev.millrace.internal.engine;

import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.memory.Allocator;
import java.util.List;

/// How many bytes one run may plan with, now.
final class MemoryBudget {
    private final List<TaskOperator> operators;
    private final Allocator account;
    private final long blockBytes;

    /// @param account the run's
    /// @param blockBytes block memory of all runs together
    MemoryBudget(List<TaskOperator> operators, Allocator account, long blockBytes) {
        this.operators = operators;
        this.account = account;
        this.blockBytes = blockBytes;
    }

    /// A run may plan with half of the memory, divided among those that want some: the rest is for what tasks need
    /// beside their blocks and for what consumers keep. Of that, what other runs hold is not there, and what this run's
    /// tasks hold beyond what they were expected to is used already.
    ///
    /// @param part this run's, of all that want some
    long bytes(double part) {
        long share = (long) (blockBytes / 2 * part);
        long there = Math.min(share, account.calmLimit() - account.heldBySiblings());
        long counted = 0;
        for (int i = 0; i < operators.size(); i++) {
            counted += operators.get(i).storeBytes();
        }
        return Math.max(0, there - Math.max(0, account.heldBytes() - counted));
    }
}
