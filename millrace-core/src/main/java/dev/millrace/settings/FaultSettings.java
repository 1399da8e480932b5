package dev.millrace.settings;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/// What is retried and what is tolerated. Lost workers are always retried without limit.
///
/// @param maxErroredBlocks blocks whose function failed that may be dropped; 0: the first one stops the run, -1: any
/// @param userRetries how often a task is run again after a user's exception that matches `retryOn`
/// @param retryOn names of exception types (their own or a superclass's), or parts of messages, that are retried;
///     causes count too; empty: none
/// @param ioAttempts tries of a task whose source or sink fails with an IO error; an IO error in a user's function
///     counts as a user's exception
/// @param maxBackoff between those tries, and between starts of an actor
/// @param actorStartAttempts consecutive tries to start an actor of a pool before the run fails
/// @param stallTimeout no progress for this long is an error
/// @param cancelTimeout cancelled work (its run failed, was closed, or needs no more rows) has this long to end. Then
///     the run ends without it, and a warning names the thread: a function that does not return, and ignores
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
        implements DatasetSetting, Serializable {
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

    /// How often errors of users' functions are retried, if a pattern occurs in the type or message.
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

    /// How often IO is tried, with exponential backoff up to the longest pause.
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

    /// A run without progress for this long ends with an error that shows what it waits for.
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

    /// A function that does not return for this long after its run has ended is abandoned.
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
