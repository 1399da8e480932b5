package dev.millrace.internal.exchange;

import java.io.Serializable;

/// What a task that asked something shared tells of it, for a last task that gets what all of them found.
public interface ProbeFeedback extends Serializable {
    /// What both found.
    ProbeFeedback with(ProbeFeedback other);
}
