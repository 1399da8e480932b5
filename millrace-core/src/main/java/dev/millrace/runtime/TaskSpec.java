package dev.millrace.runtime;

import dev.millrace.compute.Resources;
import dev.millrace.memory.Allocator;
import java.io.Serializable;
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
/// @param node where it runs, which is that of its actor if it has one; null: the runtime chooses
/// @param stage its operator's place in the run, by which tasks wait for memory on workers that have a memory of their
///     own; the account has it already
/// @param behind the id of a task on the same node after whose end it begins, or at [Runtime#begin]; 0: at once. Only
///     on runtimes that [queue tasks][Runtime#queuesTasks]
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
        boolean local,
        @Nullable String node,
        Stage stage,
        long behind) {
    public TaskSpec {
        inputs = List.copyOf(inputs);
    }

    /// The place of an operator in its run, as for [Allocator#stage].
    ///
    /// @param run unique within the runtime's life: stages of different runs have no order
    /// @param position among the operators with tasks, in the order of the data flow
    /// @param feedsOutput its blocks go to the consumer, not to another operator
    /// @param shuffles its blocks are the input of a shuffle: all are kept until the last of them is made
    public record Stage(long run, int position, boolean feedsOutput, boolean shuffles) implements Serializable {
        /// Of a task outside of any run.
        public static final Stage NONE = new Stage(0, 0, false, false);

        // Each worker asks for these with its first task, and Java would make a record's own only then.

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Stage(long otherRun, int otherPosition, boolean otherFeeds, boolean otherShuffles)
                    && run == otherRun
                    && position == otherPosition
                    && feedsOutput == otherFeeds
                    && shuffles == otherShuffles;
        }

        @Override
        public int hashCode() {
            return 31 * Long.hashCode(run) + 4 * position + (feedsOutput ? 2 : 0) + (shuffles ? 1 : 0);
        }
    }

    /// A task that begins at once.
    public TaskSpec(
            long id,
            long first,
            String operator,
            TaskProgram program,
            @Nullable ActorRef actor,
            List<BlockSlice> inputs,
            int credit,
            Resources resources,
            Allocator account,
            boolean local,
            @Nullable String node,
            Stage stage) {
        this(id, first, operator, program, actor, inputs, credit, resources, account, local, node, stage, 0);
    }

    /// The first attempt, anywhere.
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
        this(id, id, operator, program, actor, inputs, credit, resources, account, local, null, Stage.NONE);
    }

    /// The same task with other inputs and another credit.
    public TaskSpec with(List<BlockSlice> otherInputs, int otherCredit) {
        return new TaskSpec(
                id,
                first,
                operator,
                program,
                actor,
                otherInputs,
                otherCredit,
                resources,
                account,
                local,
                node,
                stage,
                behind);
    }
}
