package dev.millrace.runtime;

import dev.millrace.block.Block;
import dev.millrace.block.RowOrigin;
import dev.millrace.memory.Allocator;
import java.io.Serializable;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The services of a runtime for a running program. Used only by the thread that runs the program, except
/// [#isCancelled].
public interface TaskContext {
    /// The number of input blocks of the task.
    int inputs();

    /// The rows of an input slice, as a block that the caller closes.
    Block input(int index);

    /// The account for everything that the program allocates.
    Allocator allocator();

    /// Emits a finished block (the runtime owns it from here, also when this throws). Blocks while the task has no
    /// credit left; throws [dev.millrace.error.TaskCancelled] when the task is cancelled meanwhile.
    void emit(Block block);

    /// The same for a block of which it is known from which of several files its rows were read. If a runtime does not
    /// pass this on, errors of later tasks name all of the files.
    default void emit(Block block, List<RowOrigin> origins) {
        emit(block);
    }

    /// The same for a block that is not part of the output but is emitted beside it, under a name of its own: rows that
    /// failed. It uses credit and has its position in the order of blocks like any other, so it is delivered once even
    /// if the task is run again.
    void emitAside(String name, Block block);

    /// Whether the output is no longer wanted. Checked often; stays true once it is.
    boolean isCancelled();

    /// The state of the actor this task runs in, or null for a plain task.
    @Nullable
    Object actorState();

    /// Adds to a named number in the task's report, e.g. nanoseconds spent in the user's function.
    void count(String counter, long amount);

    /// Reports errors that the program tolerated; part of the task's report.
    void tolerated(ToleratedErrors errors);

    /// Reports the figures of a user's function; part of the task's report.
    void used(FunctionUse function);

    /// Lets others ask how far the program is, from any thread and at any time. The answer comes from what the program
    /// counts anyway, and may be a chunk late. A runtime that ignores this shows the progress of ended tasks only.
    default void watch(Supplier<TaskProgress> progress) {}

    /// Sends a small value to the operator that started the task, beside its blocks; part of the task's report. Once.
    void tell(Serializable value);
}
