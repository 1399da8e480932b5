package dev.millrace.memory;

/// Unwinds a task that waited for memory and was asked to let others pass: it frees what it holds and is run again
/// later. Programs let it pass.
public final class MemoryYielded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Says nothing more: the engine knows why.
    public MemoryYielded() {
        super("the task made room for another one that needed memory", null, false, false);
    }
}
