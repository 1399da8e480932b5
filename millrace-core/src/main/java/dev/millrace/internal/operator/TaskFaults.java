package dev.millrace.internal.operator;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.fault.HeapFull;
import dev.millrace.internal.fault.MissingClass;
import dev.millrace.memory.Allocator;

/// The errors of tasks and actors that are not run again ([dev.millrace.internal.fault.RetryRule] decides that).
final class TaskFaults {
    private TaskFaults() {}

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
        if (!(MissingClass.worded(operator, cause) instanceof MillraceException told)) {
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

    /// The error for a task that was lost with too many workers.
    ///
    /// @param operator with its lines
    /// @param input what the task is over
    static MillraceException lostWorkers(String operator, String input, int workers, Throwable last) {
        return new MillraceException(
                Culprit.USER,
                operator + ": " + workers + " workers were lost, one after the other, while they ran its task over "
                        + input + ". " + ends("the function", last)
                        + " Run it over that input alone in a session of your own process (Session.open()), or leave that"
                        + " input out.",
                last);
    }

    /// The same for actors that never became ready.
    static MillraceException lostStarts(String operator, int workers, Throwable last) {
        return new MillraceException(
                Culprit.USER,
                operator + ": " + workers + " workers were lost, one after the other, while an actor started there. "
                        + ends("what it loads", last)
                        + " Start it in a session of your own process (Session.open()) to see how.",
                last);
    }

    private static String ends(String what, Throwable last) {
        return "Probably " + what + " ends its process: by System.exit(), by a crash in native code, or by more memory"
                + " outside of Java's heap than there is; the log of the worker tells (the last one: "
                + (last.getMessage() == null ? last : last.getMessage()) + ").";
    }

    static MillraceException startFailure(String operator, Throwable cause, int attempts) {
        return MissingClass.worded(operator + ": the start of an actor", cause) instanceof MillraceException told
                ? tried(told, attempts)
                : new MillraceException(
                        Culprit.USER,
                        operator + ": an actor did not start" + (attempts > 1 ? ", " + attempts + " times" : "") + ": "
                                + cause,
                        cause);
    }
}
