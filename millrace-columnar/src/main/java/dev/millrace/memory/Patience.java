package dev.millrace.memory;

/// What a request of an account does when the tree's memory runs out.
public enum Patience {
    /// Allocates up to the limit; above it, a request is refused at once.
    NONE,
    /// Allocates up to the limit and then waits for releases: a consumer, for which the tasks work.
    CONSUMER,
    /// Waits from the calm limit on, below the limit itself, so that a consumer always has memory for its next batch:
    /// the tasks of a run.
    TASK
}
