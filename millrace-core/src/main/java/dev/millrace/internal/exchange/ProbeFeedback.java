package dev.millrace.internal.exchange;

import java.io.Serializable;

/// What a probing task reports about a shared hash table, for a last task that gets the union of all reports.
public interface ProbeFeedback extends Serializable {
    /// The union of both.
    ProbeFeedback with(ProbeFeedback other);
}
