package dev.millrace.internal.operator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Tasks whose last attempt failed and that will be run again: at once, or after a backoff. Loop thread only.
final class TaskRetries {
    private final ArrayDeque<TaskRun> due = new ArrayDeque<>();
    private final List<TaskRun> waiting = new ArrayList<>();

    /// @param notBefore on the run's clock; 0: at once
    void add(TaskRun task, long notBefore) {
        task.retried(notBefore);
        if (notBefore == 0) {
            due.add(task);
        } else {
            waiting.add(task);
        }
    }

    /// Makes the tasks due whose backoff has passed.
    void wake(long now) {
        for (int i = 0; i < waiting.size(); ) {
            if (waiting.get(i).notBefore() <= now) {
                due.add(waiting.remove(i));
            } else {
                i++;
            }
        }
    }

    /// When the next backoff ends; Long.MAX_VALUE for never.
    long deadline() {
        long deadline = Long.MAX_VALUE;
        for (TaskRun task : waiting) {
            deadline = Math.min(deadline, task.notBefore());
        }
        return deadline;
    }

    /// The number of all of them, due or not.
    int size() {
        return due.size() + waiting.size();
    }

    /// The oldest task that is due and that `may` run again now; null if there is none. The oldest, because only its
    /// blocks can be passed on if order is kept.
    @Nullable
    TaskRun next(Predicate<TaskRun> may) {
        TaskRun oldest = null;
        for (TaskRun task : due) {
            if ((oldest == null || task.first() < oldest.first()) && may.test(task)) {
                oldest = task;
            }
        }
        return oldest;
    }

    /// The task runs again.
    void leave(TaskRun task) {
        due.remove(task);
    }

    /// True when one of them was preempted to free memory.
    boolean haveYielded() {
        if (due.isEmpty()) {
            return false;
        }
        for (TaskRun task : due) {
            if (task.hasYielded()) {
                return true;
            }
        }
        return false;
    }

    /// Allows their inputs to be spilled: they are not needed before the tasks run again.
    void maySpill() {
        for (TaskRun task : due) {
            task.inputsMaySpill();
        }
        for (TaskRun task : waiting) {
            task.inputsMaySpill();
        }
    }

    /// The operator stops: nothing is retried.
    List<TaskRun> clear() {
        List<TaskRun> all = new ArrayList<>(due);
        all.addAll(waiting);
        due.clear();
        waiting.clear();
        return all;
    }
}
