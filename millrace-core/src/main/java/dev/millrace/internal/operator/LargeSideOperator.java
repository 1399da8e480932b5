package dev.millrace.internal.operator;

import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;

/// The large side of an exchange whose other side may be small. Waits for the broadcast decision, then makes shards, or
/// passes its blocks on as they arrive.
final class LargeSideOperator extends ShardOperator {
    private final BroadcastChoice choice;

    LargeSideOperator(
            PhysicalPlan.Exchange plan,
            PhysicalPlan.Side side,
            BroadcastChoice choice,
            OperatorHost host,
            ProgramFactory programs,
            Allocator account) {
        super(plan, side, host, programs, account);
        this.choice = choice;
        choice.tell(this);
    }

    @Override
    void chosen() {
        if (!isStopped()) {
            inputArrived(input(0));
            checkFinished();
        }
    }

    @Override
    void inputArrived(BlockChannel input) {
        if (choice.isBroadcast()) {
            while (!isStopped() && !input.isEmpty()) {
                TaskRun producer = input.producer();
                long bytes = input.bytes();
                long since = input.since();
                BlockSlice slice = input.poll();
                emit(slice, producer, bytes, since);
            }
        } else if (!choice.isOpen()) {
            super.inputArrived(input);
        }
    }

    @Override
    public boolean inputReady() {
        return !choice.isOpen() && super.inputReady();
    }

    /// Before the decision, what is queued is enough.
    @Override
    public boolean needsMore(BlockChannel input) {
        return choice.isBroadcast()
                ? requireOutput().to().needsMore(requireOutput())
                : !choice.isOpen() && super.needsMore(input);
    }

    @Override
    boolean inputExhausted() {
        return !choice.isOpen() && super.inputExhausted();
    }
}
