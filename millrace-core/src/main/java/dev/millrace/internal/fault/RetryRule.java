package dev.millrace.internal.fault;

import dev.millrace.settings.FaultSettings;

/// Decides what follows a failed attempt, by the kind of the fault. Work whose worker was lost is retried at once,
/// until it has taken [#MAX_LOST_WORKERS] with it; IO errors of sources and sinks a limited number of times, with
/// backoff; anything else only if the user asked for it.
public final class RetryRule {
    /// Workers that may be lost while they run one task, or start actors of one pool in a row.
    public static final int MAX_LOST_WORKERS = 3;

    /// How often one piece of work has failed.
    public interface FailureCounts {
        /// How many workers were lost while they ran it ([WorkerLosses#counted]).
        int lostWorkers();

        /// Counts an attempt that failed by an IO error.
        ///
        /// @return the number of such failures by now
        int failedByIo();

        /// Counts an attempt that failed by an error that is retried because the user asked for it.
        ///
        /// @return the number of such failures by now
        int failedByUser();
    }

    /// @param delayNanos before the next attempt
    public record Decision(boolean retry, long delayNanos) {
        /// The task's output is dropped if that is tolerated, or the run fails.
        public static final Decision GIVE_UP = new Decision(false, 0);

        public static final Decision AT_ONCE = new Decision(true, 0);
    }

    private RetryRule() {}

    /// Counts the failure in the work, whose attempt is over.
    ///
    /// @param chance a random number from 0 to 1, for the length of pauses
    public static Decision decide(
            FaultSettings settings, Throwable cause, boolean workerLost, FailureCounts work, double chance) {
        return switch (FaultKind.of(cause, workerLost)) {
            case LOST_WORKER -> work.lostWorkers() < MAX_LOST_WORKERS ? Decision.AT_ONCE : Decision.GIVE_UP;
            case CANCELLED -> Decision.GIVE_UP;
            case IO -> {
                int failed = work.failedByIo();
                yield failed < settings.ioAttempts()
                        ? new Decision(true, RetryBackoff.nanos(failed, settings.maxBackoff(), chance))
                        : Decision.GIVE_UP;
            }
            case USER, DATA, RESOURCES, INTERNAL ->
                RetryPatterns.match(settings.retryOn(), cause) && work.failedByUser() <= settings.userRetries()
                        ? Decision.AT_ONCE
                        : Decision.GIVE_UP;
        };
    }
}
