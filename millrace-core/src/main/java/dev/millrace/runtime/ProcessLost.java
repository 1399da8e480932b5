package dev.millrace.runtime;

/// Thrown by a function whose own process, a Python worker for example, has ended in the middle of a call: its actor is
/// of no more use. The runtime reports the call and the actor as lost with their worker, so the rules for lost workers
/// apply to them.
public final class ProcessLost extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String process;

    /// @param process a sentence that names it and says how it ended
    public ProcessLost(String process) {
        super(process);
        this.process = process;
    }

    /// The sentence about it.
    public String process() {
        return process;
    }
}
