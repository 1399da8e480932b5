package dev.millrace.memory;

/// Unwinds a task that was preempted while it waited for memory: it frees what it holds and is run again later.
/// Programs must not catch it.
public final class MemoryYielded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Without a message: the engine knows the reason.
    public MemoryYielded() {
        super("the task made room for another one that needed memory", null, false, false);
    }
}
