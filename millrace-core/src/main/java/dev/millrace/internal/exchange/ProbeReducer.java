package dev.millrace.internal.exchange;

/// Probes the existing hash table of one side with blocks of the other, unshuffled: see [BuildTableMaker].
///
/// @param buildsLeft whether the left is the build side
public record ProbeReducer(JoinReducer reducer, boolean buildsLeft) implements ShuffleReducer {
    @Override
    public void reduce(ReduceTask task) {
        try (JoinRun run = new JoinRun(task, reducer, buildsLeft)) {
            run.probe();
        }
    }
}
