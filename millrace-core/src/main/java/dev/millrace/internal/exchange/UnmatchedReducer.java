package dev.millrace.internal.exchange;

import org.jspecify.annotations.Nullable;

/// The last task of a join whose build side is a shared table: emits rows of the table depending on whether any probe
/// row matched them. Its argument is a [LastTaskInput].
///
/// @param buildsLeft whether the left is the build side
public record UnmatchedReducer(JoinReducer reducer, boolean buildsLeft) implements ShuffleReducer {
    /// Null for joins that do not track which rows of the table were matched.
    public static @Nullable UnmatchedReducer of(JoinReducer reducer, boolean buildsLeft) {
        boolean marks = new JoinRole(reducer.join().kind(), buildsLeft).marks();
        return marks ? new UnmatchedReducer(reducer, buildsLeft) : null;
    }

    @Override
    public void reduce(ReduceTask task) {
        try (JoinRun run = new JoinRun(task, reducer, buildsLeft)) {
            run.emitUnmatched();
        }
    }
}
