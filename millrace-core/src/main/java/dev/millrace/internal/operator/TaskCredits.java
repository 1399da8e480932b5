package dev.millrace.internal.operator;

import java.util.ArrayDeque;

/// How many blocks the tasks of one operator may make before somebody takes them: each a few. One that has used up its
/// credit is paused; one that has some again waits here until it may go on. Loop thread only.
final class TaskCredits {
    private final OperatorHost host;
    private final int unreadLimit;
    private final ArrayDeque<TaskRun> resumable = new ArrayDeque<>();

    TaskCredits(OperatorHost host, int unreadLimit) {
        this.host = host;
        this.unreadLimit = unreadLimit;
    }

    /// A new attempt begins.
    ///
    /// @return the blocks that it may make at first
    int begin(TaskRun task) {
        return task.begun(unreadLimit);
    }

    /// A block that came of it is not for whoever comes next, so it may make another.
    void replace(TaskRun task) {
        grant(task, 1);
    }

    /// If it has credit again, a paused task may go on.
    void offer(TaskRun task) {
        if (task.unread() < unreadLimit && !resumable.contains(task)) {
            resumable.add(task);
        }
    }

    /// One of its blocks was taken: it may make another.
    void taken(TaskRun task) {
        if (task.isPaused()) {
            offer(task);
        } else if (task.isRunning() && task.outstanding() < unreadLimit) {
            grant(task, 1);
        }
    }

    /// The next paused task that may go on, or null.
    TaskRun resumable() {
        return resumable.peek();
    }

    /// It goes on, with all the credit it has.
    void resume(TaskRun task) {
        resume(task, unreadLimit - task.unread());
    }

    void resume(TaskRun task, int blocks) {
        resumable.remove(task);
        task.resumed(blocks);
        host.grant(task, blocks);
    }

    private void grant(TaskRun task, int blocks) {
        task.granted(blocks);
        host.grant(task, blocks);
    }

    /// Its attempt is about to be over.
    void leave(TaskRun task) {
        if (task.isPaused()) {
            resumable.remove(task);
        }
    }

    /// The operator stops: nobody goes on.
    void clear() {
        resumable.clear();
    }

    int unreadLimit() {
        return unreadLimit;
    }
}
