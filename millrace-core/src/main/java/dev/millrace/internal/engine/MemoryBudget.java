package dev.millrace.internal.engine;

import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.memory.Allocator;
import java.util.List;

/// The number of bytes that one run may currently plan with.
final class MemoryBudget {
    private final List<TaskOperator> operators;
    private final Allocator account;
    private final long blockBytes;

    /// @param account of the run
    /// @param blockBytes block memory of all runs together
    MemoryBudget(List<TaskOperator> operators, Allocator account, long blockBytes) {
        this.operators = operators;
        this.account = account;
        this.blockBytes = blockBytes;
    }

    /// A run may plan with half of the memory, divided among the runs that want some: the rest is for what tasks need
    /// beside their blocks and for what consumers hold. What other runs hold is subtracted from that, and what this
    /// run's tasks hold beyond their expected size counts as used.
    ///
    /// @param part this run's fraction, among the runs that want some
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
