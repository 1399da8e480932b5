package dev.millrace.internal.operator;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.FaultSettings;

/// What becomes of a task that failed. Lost workers are nobody's fault and are retried without limit; a user's
/// exception is retried only where it was asked for.
final class TaskFaults {
    enum Answer {
        RETRY,
        /// The task's output is dropped if that is tolerated, or the run fails.
        GIVE_UP
    }

    private TaskFaults() {}

    static Answer decide(FaultSettings settings, Throwable cause, boolean workerLost, int userErrors) {
        return workerLost || userErrors < settings.userRetries() && matches(settings, cause)
                ? Answer.RETRY
                : Answer.GIVE_UP;
    }

    private static boolean matches(FaultSettings settings, Throwable thrown) {
        int depth = 0;
        for (Throwable cause = thrown; cause != null && depth < 20; cause = cause.getCause(), depth++) {
            for (String pattern : settings.retryOn()) {
                if (isOfType(cause.getClass(), pattern)
                        || cause.getMessage() != null && cause.getMessage().contains(pattern)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isOfType(Class<?> type, String name) {
        for (Class<?> t = type; t != null; t = t.getSuperclass()) {
            if (t.getName().equals(name) || t.getSimpleName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /// What the consumer gets: transforms word their own errors, the rest is named here.
    static MillraceException failure(String operator, Throwable cause) {
        return cause instanceof MillraceException told
                ? told
                : new MillraceException(Culprit.USER, operator + " failed: " + cause, cause);
    }

    static MillraceException startFailure(String operator, Throwable cause) {
        return cause instanceof MillraceException told
                ? told
                : new MillraceException(Culprit.USER, operator + ": an actor did not start: " + cause, cause);
    }
}
