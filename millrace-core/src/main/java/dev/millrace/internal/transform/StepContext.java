package dev.millrace.internal.transform;

import dev.millrace.internal.kernel.ParallelCopy;
import dev.millrace.internal.kernel.RunCopy;
import dev.millrace.memory.Allocator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The environment of a step when a task opens it.
///
/// @param allocator the account of the task's operator
/// @param chunkBytes the approximate size of chunks
/// @param targetBytes the target size of blocks
/// @param getsBlocks whether the step's input chunks are whole blocks
/// @param state the object that the step's actor created for it (the user's object), or null
/// @param position the current position in the input, for errors; updated by the chain
/// @param batches limits the size of batches
/// @param counters what the step measures, for the task's report
/// @param errors tolerates failures if a policy says so
public record StepContext(
        Allocator allocator,
        long chunkBytes,
        long targetBytes,
        boolean getsBlocks,
        @Nullable Object state,
        InputPosition position,
        BatchFit batches,
        TaskCounters counters,
        TaskErrors errors) {
    /// How batches are put together: an actor's object waits for the next one, and its task is not one of those that
    /// take all CPUs.
    RunCopy copies() {
        return state == null ? RunCopy.PLAIN : ParallelCopy.shared();
    }

    Object requireState() {
        return Objects.requireNonNull(state, "the step's actor has created its object");
    }
}
