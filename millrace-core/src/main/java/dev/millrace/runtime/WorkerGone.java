package dev.millrace.runtime;

/// The cause of a [TaskEvent.Failed] of a task whose worker, or actor, was gone before the task came there: it never
/// began, and its program has nothing to do with the loss.
public final class WorkerGone extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param worker a sentence that names it
    public WorkerGone(String worker) {
        super(worker);
    }
}
