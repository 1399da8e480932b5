package dev.millrace.runtime;

import dev.millrace.compute.Resources;
import dev.millrace.memory.Allocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One attempt of a task, for a runtime. Ids are unique within a runtime's life.
///
/// @param first the id of the task's first attempt: a later attempt keeps that age
/// @param operator the name of the work in errors, thread names and reports
/// @param actor the actor that must run it, or null
/// @param inputs stay held by the caller until the task has ended
/// @param credit the number of blocks it may emit before it waits for [Runtime#grant]
/// @param account charged for its output and scratch memory, on runtimes that share the caller's memory
/// @param local must run in the caller's process
public record TaskSpec(
        long id,
        long first,
        String operator,
        TaskProgram program,
        @Nullable ActorRef actor,
        List<BlockSlice> inputs,
        int credit,
        Resources resources,
        Allocator account,
        boolean local) {
    public TaskSpec {
        inputs = List.copyOf(inputs);
    }

    /// The first attempt.
    public TaskSpec(
            long id,
            String operator,
            TaskProgram program,
            @Nullable ActorRef actor,
            List<BlockSlice> inputs,
            int credit,
            Resources resources,
            Allocator account,
            boolean local) {
        this(id, id, operator, program, actor, inputs, credit, resources, account, local);
    }
}
