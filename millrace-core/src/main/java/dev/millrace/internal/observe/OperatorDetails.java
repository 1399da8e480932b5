package dev.millrace.internal.observe;

import java.util.List;

/// What [dev.millrace.stats.OperatorStats] does not say of an operator.
///
/// @param feeds the position of the operator that takes its blocks; -1: the consumer
/// @param through what its blocks pass on the way there and that has no tasks: "limit", "union"
/// @param memoryBytes its bytes in the store now: queued output, inputs of running tasks and what these are expected to
///     make
/// @param maxActors the largest size of its pool; 0 without one
/// @param readyActors actors that accept calls
/// @param scaling the reason of the pool's last change; empty if there was none
public record OperatorDetails(
        int feeds, List<String> through, long memoryBytes, int maxActors, int readyActors, String scaling) {}
