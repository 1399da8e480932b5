package dev.millrace.internal.operator;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.fault.FaultKind;
import dev.millrace.internal.fault.HeapFull;
import dev.millrace.internal.fault.RetryPatterns;
import dev.millrace.memory.Allocator;
import dev.millrace.settings.FaultSettings;

/// Decides what follows a failed task, by the kind of the fault. Lost workers are retried without limit; IO errors of
/// sources and sinks a limited number of times, with backoff; anything else only if the user asked for it.
final class TaskFaults {
    /// @param delayNanos before the next attempt
    record Decision(boolean retry, long delayNanos) {
        /// The task's output is dropped if that is tolerated, or the run fails.
        static final Decision GIVE_UP = new Decision(false, 0);

        static final Decision AT_ONCE = new Decision(true, 0);
    }

    private TaskFaults() {}

    /// Counts the failure in the task, whose attempt is over.
    ///
    /// @param chance a random number from 0 to 1, for the length of pauses
    static Decision decide(FaultSettings settings, Throwable cause, boolean workerLost, TaskRun task, double chance) {
        return switch (FaultKind.of(cause, workerLost)) {
            case LOST_WORKER -> Decision.AT_ONCE;
            case CANCELLED -> Decision.GIVE_UP;
            case IO -> {
                int failed = task.failedByIo();
                yield failed < settings.ioAttempts()
                        ? new Decision(true, RetryBackoff.nanos(failed, settings.maxBackoff(), chance))
                        : Decision.GIVE_UP;
            }
            case USER, DATA, RESOURCES, INTERNAL ->
                RetryPatterns.match(settings.retryOn(), cause) && task.failedByUser() <= settings.userRetries()
                        ? Decision.AT_ONCE
                        : Decision.GIVE_UP;
        };
    }

    /// The error that the consumer gets: transforms word their own errors, the rest is worded here.
    ///
    /// @param account of the operator
    static MillraceException failure(String operator, Throwable cause, int attempts, Allocator account) {
        if (cause instanceof OutOfMemoryError full) {
            return HeapFull.error(operator + " failed", full, null, account);
        }
        if (cause instanceof StackOverflowError) {
            return new MillraceException(
                    Culprit.USER,
                    operator
                            + " failed: the stack of its thread ran over. Look for a function that calls itself without"
                            + " end; chains of verbs and operators in expressions may be about 10,000 long.",
                    cause);
        }
        if (!(cause instanceof MillraceException told)) {
            return new MillraceException(Culprit.USER, operator + " failed: " + cause, cause);
        }
        return tried(told, attempts);
    }

    private static MillraceException tried(MillraceException told, int attempts) {
        return attempts <= 1
                ? told
                : new MillraceException(
                        told.culprit(), told.getMessage() + " (It was tried " + attempts + " times.)", told);
    }

    static MillraceException startFailure(String operator, Throwable cause, int attempts) {
        return cause instanceof MillraceException told
                ? tried(told, attempts)
                : new MillraceException(
                        Culprit.USER,
                        operator + ": an actor did not start" + (attempts > 1 ? ", " + attempts + " times" : "") + ": "
                                + cause,
                        cause);
    }
}
