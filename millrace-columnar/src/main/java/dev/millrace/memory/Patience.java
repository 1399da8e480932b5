package dev.millrace.memory;

/// What an account does when the tree's memory runs out.
public enum Patience {
    /// Takes up to the limit; above it, a request is refused at once.
    NONE,
    /// Takes up to the limit and then waits for others to release: a consumer, for whom the tasks work.
    CONSUMER,
    /// Waits from the calm limit on, below the limit itself, so that a consumer always finds room for its next batch:
    /// the tasks of a run.
    TASK
}
