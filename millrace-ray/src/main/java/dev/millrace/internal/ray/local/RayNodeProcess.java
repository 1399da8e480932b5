package dev.millrace.internal.ray.local;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A Ray node that was started here: the process that leads all processes of the node, in a session (of the operating
/// system) of their own.
///
/// @param address the loopback address that it has taken for its own
/// @param started when the process began; another process that got its number later began at another time
/// @param log all that the process says
public record RayNodeProcess(String address, double cpus, long pid, Instant started, String log) {
    private static final Duration CLOCK = Duration.ofMillis(50);

    /// The process, if it still runs.
    Optional<ProcessHandle> running() {
        return ProcessHandle.of(pid).filter(this::isSame);
    }

    /// Whether the process is the one that was started, and not a later one with the same number.
    private boolean isSame(ProcessHandle process) {
        Instant start = process.info().startInstant().orElse(Instant.MIN);
        return start.isAfter(started.minus(CLOCK)) && start.isBefore(started.plus(CLOCK));
    }
}
