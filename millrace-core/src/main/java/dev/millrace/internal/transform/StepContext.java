package dev.millrace.internal.transform;

import dev.millrace.memory.Allocator;

/// What a step is given when a task opens it.
///
/// @param allocator the account of the task's operator
/// @param chunkBytes about how large chunks should be
/// @param state what the step's actor made for it (the user's object), or null
/// @param position where the chain is in its input, for errors; kept up to date by the chain
/// @param batches how large batches may be
/// @param counters what the step measures of itself, for the task's report
/// @param errors lets failures pass where a policy says so
public record StepContext(
        Allocator allocator,
        long chunkBytes,
        Object state,
        InputPosition position,
        BatchFit batches,
        TaskCounters counters,
        TaskErrors errors) {}
