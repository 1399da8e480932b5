package dev.millrace.internal.operator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Tasks whose last attempt failed, on their way to the next: at once, or after a while. Loop thread only.
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

    /// Lets those go whose time has come.
    void wake(long now) {
        for (int i = 0; i < waiting.size(); ) {
            if (waiting.get(i).notBefore() <= now) {
                due.add(waiting.remove(i));
            } else {
                i++;
            }
        }
    }

    /// When the next one's time comes; Long.MAX_VALUE for never.
    long deadline() {
        long deadline = Long.MAX_VALUE;
        for (TaskRun task : waiting) {
            deadline = Math.min(deadline, task.notBefore());
        }
        return deadline;
    }

    /// All of them, due or not.
    int size() {
        return due.size() + waiting.size();
    }

    /// The oldest of those that are due and `may` run again now; null if there is none. The oldest, because where order
    /// is kept only its blocks pass.
    TaskRun next(Predicate<TaskRun> may) {
        TaskRun oldest = null;
        for (TaskRun task : due) {
            if ((oldest == null || task.first() < oldest.first()) && may.test(task)) {
                oldest = task;
            }
        }
        return oldest;
    }

    /// It runs again.
    void leave(TaskRun task) {
        due.remove(task);
    }

    /// True when one of them made room for others that needed memory.
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

    /// Lets what they work on leave memory: nobody needs it before they run again.
    void maySpill() {
        for (TaskRun task : due) {
            task.inputsMaySpill();
        }
        for (TaskRun task : waiting) {
            task.inputsMaySpill();
        }
    }

    /// The operator stops: nothing is tried again.
    List<TaskRun> clear() {
        List<TaskRun> all = new ArrayList<>(due);
        all.addAll(waiting);
        due.clear();
        waiting.clear();
        return all;
    }
}
