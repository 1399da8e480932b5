package dev.millrace.settings;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/// What is retried and what is tolerated.
///
/// @param maxErroredBlocks blocks whose function failed that may be dropped; 0: the first one stops the run, -1: any
/// @param userRetries how often a task is run again after a user's exception that matches `retryOn`
/// @param retryOn names of exception types, or parts of their messages, that are retried; empty: none
/// @param ioAttempts tries of a read or write that fails with an IO error
/// @param maxBackoff between those tries
/// @param stallTimeout no progress for this long is an error
public record FaultSettings(
        int maxErroredBlocks,
        int userRetries,
        List<String> retryOn,
        int ioAttempts,
        Duration maxBackoff,
        Duration stallTimeout)
        implements Serializable {
    public static final FaultSettings DEFAULT =
            new FaultSettings(0, 0, List.of(), 10, Duration.ofSeconds(32), Duration.ofMinutes(30));

    public FaultSettings {
        retryOn = List.copyOf(retryOn);
    }

    public FaultSettings withMaxErroredBlocks(int blocks) {
        return new FaultSettings(blocks, userRetries, retryOn, ioAttempts, maxBackoff, stallTimeout);
    }

    public FaultSettings withUserRetries(int retries, List<String> patterns) {
        return new FaultSettings(maxErroredBlocks, retries, patterns, ioAttempts, maxBackoff, stallTimeout);
    }
}
