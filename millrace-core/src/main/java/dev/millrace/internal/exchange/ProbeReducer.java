package dev.millrace.internal.exchange;

/// Joins blocks of one side, which come as they are, with the table of the other, which is there already: see
/// [BuildTableMaker].
///
/// @param buildsLeft whether the table is the left's
public record ProbeReducer(JoinReducer reducer, boolean buildsLeft) implements ShuffleReducer {
    @Override
    public void reduce(ReduceTask task) {
        try (JoinRun run = new JoinRun(task, reducer, buildsLeft)) {
            run.probe();
        }
    }
}
