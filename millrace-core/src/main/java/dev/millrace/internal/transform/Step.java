package dev.millrace.internal.transform;

import java.io.Serializable;

/// One step of a task, described: an immutable, serialisable value. [#open] makes its running form inside the task.
public interface Step extends Serializable {
    /// What errors and stats call it: "mapBatches(resize)".
    String name();

    Transform open(StepContext context);
}
