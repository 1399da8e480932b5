package dev.millrace.internal.operator;

import dev.millrace.runtime.TaskProgress;

/// The combined progress of the running tasks of one operator. Computed on request; loop thread only.
public final class RunningProgress {
    private long inputRows;
    private long outputRows;
    private double tasks;

    /// A task that runs, and what its runtime knows of it.
    public void add(TaskRun task, TaskProgress progress) {
        inputRows += progress.inputRows();
        // Of a task that is run again, what earlier attempts have delivered is counted already.
        outputRows += Math.max(0, progress.outputRows() - task.delivery().deliveredRows());
        if (task.inputRows() > 0) {
            tasks += Math.min(1, (double) progress.inputRows() / task.inputRows());
        }
    }

    /// Rows of their input that they are done with.
    long inputRows() {
        return inputRows;
    }

    /// Rows that they have made or written and that are in no block yet.
    long outputRows() {
        return outputRows;
    }

    /// How many tasks' work is done, where a task knows how many rows it was given.
    double tasks() {
        return tasks;
    }
}
