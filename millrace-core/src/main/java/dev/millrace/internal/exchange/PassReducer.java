package dev.millrace.internal.exchange;

/// Passes its blocks on unchanged, whatever the columns of each.
record PassReducer() implements ShuffleReducer {
    @Override
    public void reduce(ReduceTask task) {
        for (int run = 0; run < task.runs(0); run++) {
            for (int i = 0; i < task.blocks(0, run); i++) {
                task.emit(task.narrow(0, run, i));
            }
        }
    }
}
