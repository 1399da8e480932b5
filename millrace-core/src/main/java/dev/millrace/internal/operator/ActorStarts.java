package dev.millrace.internal.operator;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.fault.FaultKind;
import dev.millrace.internal.fault.RetryBackoff;
import dev.millrace.internal.fault.RetryRule;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.settings.FaultSettings;
import org.jspecify.annotations.Nullable;

/// The failed starts of a pool's actors: when the next start is allowed, and when it is the run that fails. Loop thread
/// only.
final class ActorStarts {
    private final TaskOperator operator;
    /// The number of consecutive failed starts, and when the next start is allowed.
    private int failed;

    private long notBefore;
    /// The number of workers that were lost in a row while actors started there.
    private int lost;

    ActorStarts(TaskOperator operator) {
        this.operator = operator;
    }

    /// Whether an actor may start now, as far as earlier starts say.
    boolean mayStart(long now) {
        return now >= notBefore;
    }

    /// When the next start is allowed; Long.MAX_VALUE if it is already.
    long deadline(long now) {
        return notBefore > now ? notBefore : Long.MAX_VALUE;
    }

    /// The number of workers lost in a row so far; an actor that starts remembers it.
    int lost() {
        return lost;
    }

    /// An actor is ready: what failed before it does not count any more.
    void succeeded() {
        failed = 0;
        lost = 0;
    }

    /// The actor did not start.
    ///
    /// @return the failure of the run; null if others may be started
    @Nullable
    MillraceException failed(PoolMember actor, TaskEvent.ActorFailed event, long now) {
        if (event.workerLost()) {
            return lostWorker(actor, event.cause());
        }
        if (!mayStart(now)) {
            // One of several that were started at once and failed together.
            return null;
        }
        failed++;
        FaultSettings faults = operator.host.settings().faults();
        if (failed >= faults.actorStartAttempts() || FaultKind.isLasting(event.cause())) {
            return TaskFaults.startFailure(operator.name(), event.cause(), failed);
        }
        notBefore = now + RetryBackoff.nanos(failed, faults.maxBackoff(), Math.random());
        return null;
    }

    /// Several actors may have started on the worker: it counts once.
    private @Nullable MillraceException lostWorker(PoolMember actor, Throwable cause) {
        return actor.lostBefore == lost && ++lost == RetryRule.MAX_LOST_WORKERS
                ? TaskFaults.lostStarts(operator.name() + CallSite.suffix(operator.lines()), lost, cause)
                : null;
    }
}
