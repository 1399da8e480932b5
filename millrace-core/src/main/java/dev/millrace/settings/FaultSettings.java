package dev.millrace.settings;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/// What is retried and what is tolerated. Lost workers are retried without limit, whatever stands here.
///
/// @param maxErroredBlocks blocks whose function failed that may be dropped; 0: the first one stops the run, -1: any
/// @param userRetries how often a task is run again after a user's exception that matches `retryOn`
/// @param retryOn names of exception types (their own or a superclass's), or parts of messages, that are retried;
/// causes
///     count too; empty: none
/// @param ioAttempts tries of a task whose source or sink fails with an IO error; one in a user's function is the
/// user's
/// @param maxBackoff between those tries, and between starts of an actor
/// @param actorStartAttempts tries in a row to start an actor of a pool before the run fails
/// @param stallTimeout no progress for this long is an error
/// @param cancelTimeout what was cancelled (its run failed, was closed, or needs no more rows) has this long to end.
/// Then
///     the run ends without it, and a warning names the thread: a function that does not return, and does not listen to
///     interrupts, keeps its thread and memory until it does
public record FaultSettings(
        int maxErroredBlocks,
        int userRetries,
        List<String> retryOn,
        int ioAttempts,
        Duration maxBackoff,
        int actorStartAttempts,
        Duration stallTimeout,
        Duration cancelTimeout)
        implements Serializable {
    public static final FaultSettings DEFAULT = new FaultSettings(
            0, 0, List.of(), 10, Duration.ofSeconds(32), 3, Duration.ofMinutes(30), Duration.ofSeconds(30));

    public FaultSettings {
        retryOn = List.copyOf(retryOn);
        requireAttempts("ioAttempts", ioAttempts);
        requireAttempts("actorStartAttempts", actorStartAttempts);
        if (cancelTimeout.isNegative()) {
            throw MillraceException.user("cancelTimeout must be zero or more, not " + cancelTimeout + ".");
        }
    }

    private static void requireAttempts(String name, int attempts) {
        if (attempts < 1) {
            throw MillraceException.user(name + " must be 1 or more, not " + attempts + ".");
        }
    }

    /// How many blocks may be dropped because their function failed; -1: any number.
    public FaultSettings withMaxErroredBlocks(int blocks) {
        return new FaultSettings(
                blocks, userRetries, retryOn, ioAttempts, maxBackoff, actorStartAttempts, stallTimeout, cancelTimeout);
    }

    /// Errors of users' functions are tried again so often, where a pattern is in the type or message.
    public FaultSettings withUserRetries(int retries, List<String> patterns) {
        return new FaultSettings(
                maxErroredBlocks,
                retries,
                patterns,
                ioAttempts,
                maxBackoff,
                actorStartAttempts,
                stallTimeout,
                cancelTimeout);
    }

    /// How often IO is tried, with pauses that grow up to the longest.
    public FaultSettings withIoAttempts(int attempts, Duration longestPause) {
        return new FaultSettings(
                maxErroredBlocks,
                userRetries,
                retryOn,
                attempts,
                longestPause,
                actorStartAttempts,
                stallTimeout,
                cancelTimeout);
    }

    /// How often the start of an actor is tried.
    public FaultSettings withActorStartAttempts(int attempts) {
        return new FaultSettings(
                maxErroredBlocks, userRetries, retryOn, ioAttempts, maxBackoff, attempts, stallTimeout, cancelTimeout);
    }

    /// A run without progress for so long ends with an error that shows what it waits for.
    public FaultSettings withStallTimeout(Duration timeout) {
        return new FaultSettings(
                maxErroredBlocks,
                userRetries,
                retryOn,
                ioAttempts,
                maxBackoff,
                actorStartAttempts,
                timeout,
                cancelTimeout);
    }

    /// A function that does not return for so long after its run has ended is given up.
    public FaultSettings withCancelTimeout(Duration timeout) {
        return new FaultSettings(
                maxErroredBlocks,
                userRetries,
                retryOn,
                ioAttempts,
                maxBackoff,
                actorStartAttempts,
                stallTimeout,
                timeout);
    }
}
