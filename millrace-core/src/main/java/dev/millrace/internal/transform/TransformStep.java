package dev.millrace.internal.transform;

import java.io.Serializable;
import java.util.Optional;

/// One step of a task, described: an immutable, serialisable value. [#open] makes its running form inside the task.
public interface TransformStep extends Serializable {
    /// What errors and stats call it: "mapBatches(resize)".
    String name();

    ChunkTransform open(StepContext context);

    /// True if the step wants blocks as they come; otherwise large ones reach it cut into chunks.
    default boolean takesWholeBlocks() {
        return false;
    }

    /// True if as many rows come out as go in, whatever they are.
    default boolean keepsRowCount() {
        return false;
    }

    /// One step that does the work of this and of the `next`, where together they are cheaper than in a row.
    default Optional<TransformStep> mergeWith(TransformStep next) {
        return Optional.empty();
    }
}
