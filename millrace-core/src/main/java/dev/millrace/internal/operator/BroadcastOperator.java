package dev.millrace.internal.operator;

import dev.millrace.internal.exchange.LastTaskInput;
import dev.millrace.internal.exchange.ProbeFeedback;
import dev.millrace.internal.exchange.ReduceLayout;
import dev.millrace.internal.exchange.ShuffleReducer;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The last operator of an exchange one side of which may be small. If it was small, each block of the other side is a
/// task (or several very small blocks are), together with the hash table or other result built from the small side. If
/// not, it reduces shards.
///
/// If the plan asks for it, one more task gets what all of these reported about the small side, after they have ended.
///
/// The result built from the small side is memory of the session and stays until the last task has begun.
final class BroadcastOperator extends ReduceOperator {
    private static final long MIN_BUNDLE = 1L << 20;

    private final PhysicalPlan.Exchange plan;
    private final PhysicalPlan.Broadcast broadcast;
    private final ProgramFactory programs;
    private final BroadcastChoice choice;
    private final @Nullable Allocator session;
    private final List<BlockSlice> made = new ArrayList<>();
    private @Nullable TaskRun maker;
    /// Tasks of the other side whose reports have not been collected yet.
    private final List<TaskRun> probing = new ArrayList<>();

    private @Nullable ProbeFeedback found;
    private boolean ready;
    private boolean begun;
    /// Whether the last task has begun, or there is none.
    private boolean lastTaskBegun;

    BroadcastOperator(
            PhysicalPlan.Exchange plan,
            BroadcastChoice choice,
            OperatorHost host,
            ProgramFactory programs,
            Allocator account) {
        super(plan, host, programs, account);
        this.plan = plan;
        this.broadcast = Objects.requireNonNull(plan.broadcast(), "the exchange may be a broadcast");
        this.programs = programs;
        this.choice = choice;
        Allocator run = account.parent();
        this.session = run == null ? null : run.parent();
        this.lastTaskBegun = broadcast.lastReducer() == null;
    }

    private BlockChannel small() {
        return input(broadcast.side());
    }

    private BlockChannel large() {
        return input(1 - broadcast.side());
    }

    @Override
    void inputArrived(BlockChannel input) {
        if (!choice.isBroadcast()) {
            super.inputArrived(input);
        } else if (input == small()) {
            while (!isStopped() && !input.isEmpty()) {
                maker = input.producer();
                boolean counted = input.bytes() > 0;
                BlockSlice slice = input.take();
                made.add(slice);
                if (counted && session != null) {
                    slice.block().moveTo(session);
                }
            }
        }
    }

    @Override
    void inputEnded(BlockChannel ended) {
        if (!choice.isBroadcast()) {
            super.inputEnded(ended);
            return;
        }
        ready |= ended == small();
        if (begun && lastTaskBegun && large().isExhausted()) {
            releaseUnneeded();
        }
        checkFinished();
    }

    @Override
    public boolean inputReady() {
        if (!choice.isBroadcast()) {
            return super.inputReady();
        }
        // One task runs even without rows, so that the output has columns.
        return ready && (!large().isEmpty() || large().isEnded() && !begun || isTimeForLastTask());
    }

    private boolean isTimeForLastTask() {
        return begun && !lastTaskBegun && large().isExhausted() && inFlight() == 0;
    }

    @Override
    boolean inputExhausted() {
        return choice.isBroadcast() ? ready && begun && lastTaskBegun && large().isExhausted() : super.inputExhausted();
    }

    @Override
    public boolean needsMore(BlockChannel input) {
        return choice.isBroadcast() ? input == small() ? !ready : ready && input.isEmpty() : super.needsMore(input);
    }

    @Override
    TaskRun takeInput() {
        if (!choice.isBroadcast()) {
            return super.takeInput();
        }
        collect();
        boolean isLastTask = isTimeForLastTask();
        begun = true;
        List<BlockSlice> inputs = new ArrayList<>();
        for (BlockSlice slice : made) {
            inputs.add(slice.slice(0, slice.rows()));
        }
        long now = host.now();
        long rows = 0;
        long size = 0;
        long counted = 0;
        while (!large().isEmpty() && (rows == 0 || size < Math.min(MIN_BUNDLE, plan.targetBytes()))) {
            rows += large().peek().rows();
            size += large().peek().sizeBytes();
            counted += large().bytes();
            meter.waited(now - large().since());
            inputs.add(large().take());
        }
        ReduceLayout.Run table = new ReduceLayout.Run(0, made.size(), 0, null);
        ReduceLayout.Run passing = new ReduceLayout.Run(made.size(), inputs.size() - made.size(), rows, null);
        boolean first = broadcast.side() == 0;
        Serializable told = maker == null ? null : maker.told();
        ReduceLayout layout = new ReduceLayout(
                0,
                1,
                first ? List.of(List.of(table), List.of(passing)) : List.of(List.of(passing), List.of(table)),
                isLastTask ? new LastTaskInput(told, found) : told,
                plan.targetBytes(),
                plan.mostBytes());
        lastTaskBegun |= isLastTask;
        if (lastTaskBegun && large().isExhausted()) {
            releaseUnneeded();
        }
        ShuffleReducer reducer = isLastTask
                ? Objects.requireNonNull(broadcast.lastReducer(), "there is a last task")
                : broadcast.reducer();
        TaskRun task =
                new TaskRun(this, programs.reduce(reducer, layout, plan.tail(), plan.verb()), inputs, rows, counted);
        if (!lastTaskBegun) {
            probing.add(task);
        }
        return task;
    }

    /// Merges the reports of tasks that have ended, so that little has to be kept.
    private void collect() {
        probing.removeIf(task -> {
            if (!task.isEnded()) {
                return false;
            }
            if (task.told() instanceof ProbeFeedback more) {
                found = found == null ? more : found.with(more);
            }
            return true;
        });
    }

    @Override
    long guessOutputBytes() {
        if (!choice.isBroadcast()) {
            return super.guessOutputBytes();
        }
        return large().isEmpty() ? 0 : large().peek().sizeBytes();
    }

    @Override
    OptionalLong totalTasks() {
        return choice.isBroadcast() ? OptionalLong.empty() : super.totalTasks();
    }

    private void releaseUnneeded() {
        made.forEach(BlockSlice::release);
        made.clear();
    }

    @Override
    void onStop() {
        releaseUnneeded();
        super.onStop();
    }
}
