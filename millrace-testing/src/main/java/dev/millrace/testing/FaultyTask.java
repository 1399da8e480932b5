package dev.millrace.testing;

import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskReport;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A task between a [FaultyRuntime] and the wrapped runtime: splits its blocks, does its own credit accounting, and
/// loses its worker.
///
/// The wrapped runtime gets credit for one block at a time, and only while there is credit here: one block of it may be
/// many blocks here. Guarded by its monitor; calls into the wrapped runtime and into the delivery never call back on
/// the same thread with another lock held.
final class FaultyTask {
    private final long id;
    private final Runtime below;
    private final LateDelivery delivery;
    private final LateDelivery.Lane lane = new LateDelivery.Lane();
    private final Consumer<TaskEvent> events;
    private final int rowsPerBlock;
    private final Runnable onEnd;
    private final ArrayDeque<BlockRef> waiting = new ArrayDeque<>();
    private int credit;
    private int creditBelow;
    /// The number of blocks after which the worker is lost; negative: never.
    private int blocksBeforeLoss;

    private boolean pauseTold;
    /// The wrapped task waits for credit, which it reports once.
    private boolean belowPaused;

    private boolean lost;
    private boolean cancelled;
    private boolean ended;
    /// The final event of the wrapped task, once received.
    private @Nullable TaskEvent end;

    FaultyTask(
            long id,
            int credit,
            Runtime below,
            LateDelivery delivery,
            Consumer<TaskEvent> events,
            int rowsPerBlock,
            int blocksBeforeLoss,
            Runnable onEnd) {
        this.id = id;
        this.credit = credit;
        this.creditBelow = creditBelow(credit);
        this.below = below;
        this.delivery = delivery;
        this.events = events;
        this.rowsPerBlock = rowsPerBlock;
        this.blocksBeforeLoss = blocksBeforeLoss;
        this.onEnd = onEnd;
    }

    static int creditBelow(int credit) {
        return Math.min(credit, 1);
    }

    /// Handles an event of the wrapped task.
    synchronized void accept(TaskEvent event) {
        switch (event) {
            case TaskEvent.BlockReady ready -> {
                creditBelow--;
                waiting.addAll(CutBlock.cut(ready.block(), rowsPerBlock));
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

    /// Ends a task that was never submitted to the wrapped runtime.
    synchronized void loseUnrun() {
        lost = true;
        end = new TaskEvent.Failed(id, new TaskCancelled(), false, TaskReport.EMPTY);
        proceed();
    }

    private void proceed() {
        if (ended) {
            waiting.forEach(BlockRef::release);
            waiting.clear();
            return;
        }
        while (!waiting.isEmpty() && credit > 0 && !lost && !cancelled && blocksBeforeLoss != 0) {
            credit--;
            blocksBeforeLoss--;
            send(new TaskEvent.BlockReady(id, waiting.pollFirst()));
        }
        if (blocksBeforeLoss == 0 && !lost) {
            lost = true;
            below.cancel(id);
        }
        if (lost || cancelled) {
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

    private void tellPause() {
        if (!pauseTold && !lost && !cancelled) {
            pauseTold = true;
            send(new TaskEvent.Paused(id));
        }
    }

    private void finish(TaskEvent last) {
        ended = true;
        onEnd.run();
        TaskReport report =
                last instanceof TaskEvent.Finished finished ? finished.report() : ((TaskEvent.Failed) last).report();
        if (cancelled) {
            send(new TaskEvent.Failed(id, new TaskCancelled(), false, report));
        } else if (lost) {
            send(new TaskEvent.Failed(id, lostWorker(), true, report));
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
