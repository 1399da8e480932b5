package dev.millrace.runtime;

import java.io.Serializable;

/// What a task does. Deterministic for the same inputs, so that a runtime may run it again after a lost worker and
/// skip the blocks that already arrived. Serialisable on runtimes that ship it.
public interface TaskProgram extends Serializable {
    /// Runs to the end or throws. The context's inputs and allocator are the program's for the length of the call.
    void run(TaskContext context) throws Exception;
}
