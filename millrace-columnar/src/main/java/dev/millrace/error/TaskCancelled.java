package dev.millrace.error;

/// Unwinds a cancelled task. Programs let it pass.
public final class TaskCancelled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Without a message: the code that cancelled knows the reason.
    public TaskCancelled() {
        super("the task was cancelled", null, false, false);
    }
}
