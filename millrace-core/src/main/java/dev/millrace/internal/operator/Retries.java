package dev.millrace.internal.operator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Tasks whose last attempt failed, on their way to the next: at once, or after a while. Loop thread only.
final class Retries {
    private final ArrayDeque<TaskRun> due = new ArrayDeque<>();
    private final List<TaskRun> waiting = new ArrayList<>();

    /// @param notBefore on the run's clock; 0: at once
    void add(TaskRun task, long notBefore) {
        task.notBefore = notBefore;
        if (notBefore == 0) {
            due.add(task);
        } else {
            waiting.add(task);
        }
    }

    /// Lets those go whose time has come.
    void wake(long now) {
        for (int i = 0; i < waiting.size(); ) {
            if (waiting.get(i).notBefore <= now) {
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
            deadline = Math.min(deadline, task.notBefore);
        }
        return deadline;
    }

    boolean isDue() {
        return !due.isEmpty();
    }

    /// All of them, due or not.
    int size() {
        return due.size() + waiting.size();
    }

    /// The next one that is due; only when [#isDue].
    TaskRun peek() {
        return due.peek();
    }

    TaskRun poll() {
        return due.poll();
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
