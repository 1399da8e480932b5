package dev.millrace.runtime;

import java.io.Serializable;

/// The code of a task. Deterministic for the same inputs, so that a runtime may run it again after a lost worker and
/// skip the blocks that already arrived. Serialisable on runtimes that ship it.
public interface TaskProgram extends Serializable {
    /// Runs to the end or throws. The program may use the context's inputs and allocator for the duration of the call.
    void run(TaskContext context) throws Exception;
}
