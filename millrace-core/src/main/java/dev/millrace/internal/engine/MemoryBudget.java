package dev.millrace.internal.engine;

import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.internal.resource.NodeMemory;
import dev.millrace.memory.Allocator;
import java.util.List;
import java.util.function.LongUnaryOperator;

/// The number of bytes that one run may currently plan with.
final class MemoryBudget {
    private final List<TaskOperator> operators;
    private final Allocator account;
    private final LongUnaryOperator limits;
    private NodeMemory workers = NodeMemory.NONE;

    /// @param account of the run
    /// @param limits of the run, on the block memory of all runs together
    MemoryBudget(List<TaskOperator> operators, Allocator account, LongUnaryOperator limits) {
        this.operators = operators;
        this.account = account;
        this.limits = limits;
    }

    /// Sets the memory of the workers from now on.
    void workers(NodeMemory memory) {
        workers = memory;
    }

    /// A run may plan with half of the memory, divided among the runs that want some: the rest is for what tasks need
    /// beside their blocks and for what consumers hold. What other runs hold is subtracted from that, and what this
    /// run's tasks hold beyond their expected size counts as used. Workers with a memory of their own know that better:
    /// there tasks wait, spill and make room, and the engine counts blocks.
    ///
    /// @param part this run's fraction, among the runs that want some
    long bytes(double part) {
        if (workers.isKnown()) {
            return (long) (limits.applyAsLong(workers.bytes()) * part / 2);
        }
        long half = limits.applyAsLong(account.limit()) / 2;
        long share = (long) (half * part);
        long there = Math.min(share, account.calmLimit() - account.heldBySiblings());
        long counted = 0;
        for (int i = 0; i < operators.size(); i++) {
            counted += operators.get(i).storeBytes();
        }
        return Math.max(0, there - Math.max(0, account.heldBytes() - counted));
    }
}
