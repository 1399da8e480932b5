package dev.millrace.internal.operator;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.fault.FaultKind;
import dev.millrace.runtime.RemoteFailure;
import dev.millrace.settings.FaultSettings;

/// What becomes of a task that failed, by the kind of the fault. Lost workers are nobody's fault and are tried again
/// without limit; IO errors of sources and sinks so many times, with pauses in between; anything else only where it was
/// asked for.
final class TaskFaults {
    /// @param delayNanos before the next attempt
    record Decision(boolean retry, long delayNanos) {
        /// The task's output is dropped if that is tolerated, or the run fails.
        static final Decision GIVE_UP = new Decision(false, 0);

        static final Decision AT_ONCE = new Decision(true, 0);
    }

    private TaskFaults() {}

    /// Counts the failure in the task.
    ///
    /// @param chance from 0 to 1, for the length of pauses
    static Decision decide(FaultSettings settings, Throwable cause, boolean workerLost, TaskRun task, double chance) {
        return switch (FaultKind.of(cause, workerLost)) {
            case LOST_WORKER -> Decision.AT_ONCE;
            case CANCELLED -> Decision.GIVE_UP;
            case IO ->
                ++task.ioErrors < settings.ioAttempts()
                        ? new Decision(true, Backoff.nanos(task.ioErrors, settings.maxBackoff(), chance))
                        : Decision.GIVE_UP;
            case USER, DATA, RESOURCES, INTERNAL ->
                matches(settings, cause) && task.userErrors++ < settings.userRetries()
                        ? Decision.AT_ONCE
                        : Decision.GIVE_UP;
        };
    }

    private static boolean matches(FaultSettings settings, Throwable thrown) {
        int depth = 0;
        for (Throwable cause = thrown; cause != null && depth < 20; cause = cause.getCause(), depth++) {
            for (String pattern : settings.retryOn()) {
                if (isOfType(cause, pattern)
                        || cause.getMessage() != null && cause.getMessage().contains(pattern)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isOfType(Throwable cause, String name) {
        if (cause instanceof RemoteFailure remote) {
            String original = remote.originalClass();
            return original.equals(name) || original.endsWith("." + name) || original.endsWith("$" + name);
        }
        for (Class<?> t = cause.getClass(); t != null; t = t.getSuperclass()) {
            if (t.getName().equals(name) || t.getSimpleName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /// What the consumer gets: transforms word their own errors, the rest is named here.
    static MillraceException failure(String operator, Throwable cause, int attempts) {
        if (!(cause instanceof MillraceException told)) {
            return new MillraceException(Culprit.USER, operator + " failed: " + cause, cause);
        }
        return attempts <= 1
                ? told
                : new MillraceException(
                        told.culprit(), told.getMessage() + " (It was tried " + attempts + " times.)", told);
    }

    static MillraceException startFailure(String operator, Throwable cause, int attempts) {
        return cause instanceof MillraceException told
                ? failure(operator, told, attempts)
                : new MillraceException(
                        Culprit.USER,
                        operator + ": an actor did not start" + (attempts > 1 ? ", " + attempts + " times" : "") + ": "
                                + cause,
                        cause);
    }
}
