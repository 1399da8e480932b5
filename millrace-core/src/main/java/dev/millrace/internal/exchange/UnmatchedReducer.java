package dev.millrace.internal.exchange;

/// The last task of a join whose one side is a shared table: rows of the table that come out because of whether any
/// row of the other met them. Its argument is a [LastTaskInput].
///
/// @param buildsLeft whether the table is the left's
public record UnmatchedReducer(JoinReducer reducer, boolean buildsLeft) implements ShuffleReducer {
    /// Null for joins that do not ask which rows of the table were met.
    public static UnmatchedReducer of(JoinReducer reducer, boolean buildsLeft) {
        boolean marks = new JoinRole(reducer.join().kind(), buildsLeft).marks();
        return marks ? new UnmatchedReducer(reducer, buildsLeft) : null;
    }

    @Override
    public void reduce(ReduceTask task) {
        try (JoinRun run = new JoinRun(task, reducer, buildsLeft)) {
            run.leaveRest();
        }
    }
}
