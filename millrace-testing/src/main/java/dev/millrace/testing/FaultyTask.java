package dev.millrace.testing;

import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.BlocksLost;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.runtime.WorkerGone;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A task between a [FaultyRuntime] and the wrapped runtime: splits its blocks, does its own credit accounting, and
/// loses its worker.
///
/// The wrapped runtime gets credit for one block at a time, and only while there is credit here: one block of it may be
/// many blocks here. Guarded by its monitor; calls into the wrapped runtime and into the delivery never call back on
/// the same thread with another lock held.
final class FaultyTask {
    private final TaskSpec spec;
    private final long id;
    private final long first;
    private final Runtime below;
    private final LateDelivery delivery;
    private final LateDelivery.Lane lane = new LateDelivery.Lane();
    private final Consumer<TaskEvent> events;
    private final UnaryOperator<BlockRef> place;
    private final int rowsPerBlock;
    private final Runnable onEnd;
    /// Its inputs in the wrapped runtime, with references of their own, until it ends.
    private List<BlockSlice> inputs = List.of();
    private final ArrayDeque<BlockRef> waiting = new ArrayDeque<>();
    private int credit;
    private int creditBelow;
    /// The number of blocks after which the worker is lost; negative: never.
    private int blocksBeforeLoss;

    private boolean pauseTold;
    /// The wrapped task waits for credit, which it reports once.
    private boolean belowPaused;

    private boolean lost;
    private @Nullable BlocksLost blocksLost;
    private boolean unrun;
    private boolean cancelled;
    private boolean ended;
    /// The final event of the wrapped task, once received.
    private @Nullable TaskEvent end;

    /// @param place puts a block on a node
    FaultyTask(
            TaskSpec spec,
            Runtime below,
            LateDelivery delivery,
            Consumer<TaskEvent> events,
            UnaryOperator<BlockRef> place,
            int rowsPerBlock,
            int blocksBeforeLoss,
            Runnable onEnd) {
        this.spec = spec;
        this.id = spec.id();
        this.first = spec.first();
        this.credit = spec.credit();
        this.creditBelow = creditBelow(credit);
        this.below = below;
        this.delivery = delivery;
        this.events = events;
        this.place = place;
        this.rowsPerBlock = rowsPerBlock;
        this.blocksBeforeLoss = blocksBeforeLoss;
        this.onEnd = onEnd;
    }

    long first() {
        return first;
    }

    static int creditBelow(int credit) {
        return Math.min(credit, 1);
    }

    /// Handles an event of the wrapped task.
    synchronized void accept(TaskEvent event) {
        switch (event) {
            case TaskEvent.BlockReady ready -> {
                creditBelow--;
                waiting.addAll(CutBlock.cut(place.apply(ready.block()), rowsPerBlock));
            }
            case TaskEvent.Paused _ -> {
                // A grant may have been sent at the same time.
                belowPaused = creditBelow <= 0;
            }
            case TaskEvent.Finished _, TaskEvent.Failed _ -> end = event;
            case TaskEvent.ActorReady _, TaskEvent.ActorFailed _ -> throw new AssertionError(event);
        }
        proceed();
    }

    synchronized void grant(int blocks) {
        credit += blocks;
        pauseTold = false;
        proceed();
    }

    synchronized void cancel() {
        cancelled = true;
        below.cancel(id);
        proceed();
    }

    /// Loses the worker now.
    synchronized void lose() {
        if (!ended && !lost) {
            lost = true;
            below.cancel(id);
            proceed();
        }
    }

    /// The task for the wrapped runtime; null if an input is lost.
    synchronized @Nullable TaskSpec stored() {
        List<BlockSlice> found = new ArrayList<>();
        for (BlockSlice input : spec.inputs()) {
            BlockSlice stored = LosableBlock.tryStored(CutBlock.uncut(input));
            if (stored == null) {
                found.forEach(BlockSlice::release);
                return null;
            }
            found.add(stored);
        }
        inputs = found;
        return spec.with(found, creditBelow(spec.credit()));
    }

    /// The positions of inputs that are lost by now.
    private List<Integer> lostInputs() {
        List<Integer> lostOnes = new ArrayList<>();
        for (int i = 0; i < spec.inputs().size(); i++) {
            BlockSlice stored =
                    LosableBlock.tryStored(CutBlock.uncut(spec.inputs().get(i)));
            if (stored == null) {
                lostOnes.add(i);
            } else {
                stored.release();
            }
        }
        return lostOnes;
    }

    /// The wrapped runtime has the task: what would have ended it before does so now.
    synchronized void submitted() {
        checkInputs();
        if (isStopped() && !ended) {
            below.cancel(id);
        }
    }

    /// Nodes were lost: the task fails if it reads a block that they had.
    synchronized void checkInputs() {
        if (!ended && !lost && blocksLost == null) {
            List<Integer> lostOnes = lostInputs();
            if (!lostOnes.isEmpty()) {
                blocksLost = LosableBlock.lost(lostOnes);
                below.cancel(id);
                proceed();
            }
        }
    }

    /// Ends a task of which an input was lost before it came.
    synchronized void loseInputs() {
        blocksLost = LosableBlock.lost(lostInputs());
        end = new TaskEvent.Failed(id, new TaskCancelled(), false, TaskReport.EMPTY);
        proceed();
    }

    /// Ends a task that was never submitted to the wrapped runtime.
    synchronized void loseUnrun() {
        lost = true;
        unrun = true;
        end = new TaskEvent.Failed(id, new TaskCancelled(), false, TaskReport.EMPTY);
        proceed();
    }

    private void proceed() {
        if (ended) {
            waiting.forEach(BlockRef::release);
            waiting.clear();
            return;
        }
        while (!waiting.isEmpty() && credit > 0 && !isStopped() && blocksBeforeLoss != 0) {
            credit--;
            blocksBeforeLoss--;
            send(new TaskEvent.BlockReady(id, waiting.pollFirst()));
        }
        if (blocksBeforeLoss == 0 && !lost) {
            lost = true;
            below.cancel(id);
        }
        if (isStopped()) {
            waiting.forEach(BlockRef::release);
            waiting.clear();
        }
        if (!waiting.isEmpty()) {
            tellPause();
        } else if (end != null) {
            finish(end);
        } else if (credit > 0 && creditBelow <= 0) {
            creditBelow++;
            belowPaused = false;
            below.grant(id, 1);
        } else if (credit <= 0 && belowPaused) {
            tellPause();
        }
    }

    private boolean isStopped() {
        return lost || cancelled || blocksLost != null;
    }

    private void tellPause() {
        if (!pauseTold && !isStopped()) {
            pauseTold = true;
            send(new TaskEvent.Paused(id));
        }
    }

    private void finish(TaskEvent last) {
        ended = true;
        onEnd.run();
        inputs.forEach(BlockSlice::release);
        TaskReport report =
                last instanceof TaskEvent.Finished finished ? finished.report() : ((TaskEvent.Failed) last).report();
        if (cancelled) {
            send(new TaskEvent.Failed(id, new TaskCancelled(), false, report));
        } else if (lost) {
            send(new TaskEvent.Failed(
                    id, unrun ? new WorkerGone("the actor was lost before") : lostWorker(), true, report));
        } else if (blocksLost != null) {
            send(new TaskEvent.Failed(id, blocksLost, false, report));
        } else {
            send(last);
        }
    }

    static MillraceException lostWorker() {
        return MillraceException.resources("the worker was lost (on purpose)");
    }

    private void send(TaskEvent event) {
        delivery.send(lane, () -> events.accept(event));
    }
}
