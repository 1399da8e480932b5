package dev.millrace.internal.operator;

import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The side of an exchange that may be small. Holds its blocks until it has ended or has become too large. In the first
/// case one task builds from all of them what every task of the other side gets (broadcast); in the second they become
/// shards like any other.
///
/// What it holds is memory of the session, as shards are.
final class SmallSideOperator extends ShardOperator {
    private final PhysicalPlan.Broadcast plan;
    private final ProgramFactory programs;
    private final BroadcastChoice choice;
    private final @Nullable Allocator session;
    private final ArrayDeque<BlockSlice> held = new ArrayDeque<>();
    private long heldBytes;
    private long heldRows;
    private boolean made;

    SmallSideOperator(
            PhysicalPlan.Exchange plan,
            PhysicalPlan.Side side,
            BroadcastChoice choice,
            OperatorHost host,
            ProgramFactory programs,
            Allocator account) {
        super(plan, side, host, programs, account);
        this.plan = Objects.requireNonNull(plan.broadcast(), "the exchange may be a broadcast");
        this.programs = programs;
        this.choice = choice;
        Allocator run = account.parent();
        this.session = run == null ? null : run.parent();
    }

    @Override
    void inputArrived(BlockChannel input) {
        while (!isStopped() && choice.isOpen() && !input.isEmpty()) {
            hold(input);
            if (Math.max(heldBytes, heldRows * plan.rowBytes()) > plan.mostBytes()) {
                choice.exchange();
            }
        }
        if (!choice.isOpen()) {
            super.inputArrived(input);
        }
    }

    private void hold(BlockChannel input) {
        boolean counted = input.bytes() > 0;
        BlockSlice slice = input.take();
        heldBytes += slice.sizeBytes();
        heldRows += slice.rows();
        held.add(slice);
        if (counted && session != null) {
            slice.block().moveTo(session);
        }
        slice.block().maySpill();
    }

    @Override
    void inputEnded(BlockChannel input) {
        if (choice.isOpen() && !isStopped()) {
            made = held.isEmpty();
            choice.broadcast();
        }
        super.inputEnded(input);
    }

    @Override
    public boolean inputReady() {
        if (choice.isOpen()) {
            return false;
        }
        return choice.isBroadcast() ? !made : !held.isEmpty() || super.inputReady();
    }

    @Override
    boolean inputExhausted() {
        return choice.isBroadcast() ? made : held.isEmpty() && super.inputExhausted();
    }

    @Override
    public boolean needsMore(BlockChannel input) {
        return choice.isOpen() || super.needsMore(input);
    }

    @Override
    TaskRun takeInput() {
        if (choice.isBroadcast()) {
            made = true;
            List<BlockSlice> all = new ArrayList<>(held);
            held.clear();
            return new TaskRun(this, programs.shards(plan.maker(), 0, plan.mostBytes(), verb), all, heldRows, 0);
        }
        if (held.isEmpty()) {
            return super.takeInput();
        }
        List<BlockSlice> bundle = new ArrayList<>();
        long rows = 0;
        long bytes = 0;
        while (!held.isEmpty() && (bundle.isEmpty() || !isBundle(rows, bytes))) {
            rows += held.peek().rows();
            bytes += held.peek().sizeBytes();
            bundle.add(held.poll());
        }
        TaskRun task = task(bundle, rows, bytes, 0);
        // Blocks that arrived while a bundle was ready got no credit.
        creditBundle();
        return task;
    }

    @Override
    long guessOutputBytes() {
        return choice.isBroadcast() ? heldBytes + heldRows * plan.rowBytes() : super.guessOutputBytes();
    }

    @Override
    void onStop() {
        held.forEach(BlockSlice::release);
        held.clear();
        super.onStop();
    }
}
