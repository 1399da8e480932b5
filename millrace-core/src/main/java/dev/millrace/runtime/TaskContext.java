package dev.millrace.runtime;

import dev.millrace.block.Block;
import dev.millrace.block.RowOrigin;
import dev.millrace.memory.Allocator;
import java.io.Serializable;
import java.util.List;

/// What a runtime gives a running program. Used by the thread that runs the program only, except [#isCancelled].
public interface TaskContext {
    /// How many blocks the task was given.
    int inputs();

    /// The rows of an input slice, as a block that the caller closes.
    Block input(int index);

    /// The account for all that the program makes.
    Allocator allocator();

    /// Hands a finished block over (the runtime owns it from here, also when this throws). Waits while the task has no
    /// credit left; throws [dev.millrace.error.TaskCancelled] when the task is cancelled meanwhile.
    void emit(Block block);

    /// The same for a block of which is known from which of several files its rows were read. A runtime that does not
    /// pass this on has errors of later tasks name all of the files.
    default void emit(Block block, List<RowOrigin> origins) {
        emit(block);
    }

    /// The same for a block that is not part of the output but comes beside it, under a name of its own: rows that
    /// failed. It takes credit and its place in the order of blocks like any other, so it comes once even if the task
    /// is run again.
    void emitAside(String name, Block block);

    /// Whether nobody wants the output any more. Looked at often; true for ever once it is.
    boolean isCancelled();

    /// The state of the actor this task runs in, or null for a plain task.
    Object actorState();

    /// Adds to a named number in the task's report, e.g. nanoseconds spent in the user's function.
    void count(String counter, long amount);

    /// Tells of errors that the program let pass; in the task's report.
    void tolerated(ToleratedErrors errors);

    /// Tells what a user's function did; in the task's report.
    void used(FunctionUse function);

    /// A small value for the operator that started the task, beside its blocks; in the task's report. Once.
    void tell(Serializable value);
}
