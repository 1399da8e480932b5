package dev.millrace.internal.transform;

import java.io.Serializable;
import java.util.Optional;

/// The description of one step of a task: an immutable, serialisable value. [#open] creates its running form inside the
/// task.
public interface TransformStep extends Serializable {
    /// Its name in errors and stats: "mapBatches(resize)".
    String name();

    ChunkTransform open(StepContext context);

    /// True if the step wants blocks as they arrive; otherwise large ones are cut into chunks first.
    default boolean takesWholeBlocks() {
        return false;
    }

    /// True if the number of output rows equals the number of input rows.
    default boolean keepsRowCount() {
        return false;
    }

    /// True if rows end here, in a file or elsewhere; what comes out tells what was written.
    default boolean writes() {
        return false;
    }

    /// One step that does the work of this one and of the `next`, if that is cheaper than running both.
    default Optional<TransformStep> mergeWith(TransformStep next) {
        return Optional.empty();
    }
}
