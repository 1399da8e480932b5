package dev.millrace.internal.operator;

import java.util.ArrayDeque;

/// Credit-based flow control: how many blocks each task of one operator may emit before they are taken. A task that has
/// used up its credit is paused; a paused task that has credit again waits here until it may resume. Loop thread only.
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
    /// @return its initial credit
    int begin(TaskRun task) {
        return task.begun(unreadLimit);
    }

    /// A block that it emitted is not passed on to the next operator, so it may emit another.
    void replace(TaskRun task) {
        grant(task, 1);
    }

    /// A paused task that has credit again may resume.
    void offer(TaskRun task) {
        if (task.delivery().unread() < unreadLimit && !resumable.contains(task)) {
            resumable.add(task);
        }
    }

    /// One of its blocks was taken: it may emit another.
    void taken(TaskRun task) {
        if (task.isPaused()) {
            offer(task);
        } else if (task.isRunning() && task.delivery().outstanding() < unreadLimit) {
            grant(task, 1);
        }
    }

    /// The paused tasks that may resume, in the order in which they should.
    Iterable<TaskRun> resumable() {
        return resumable;
    }

    boolean hasResumable() {
        return !resumable.isEmpty();
    }

    /// The task resumes, with all the credit it has.
    void resume(TaskRun task) {
        resume(task, unreadLimit - task.delivery().unread());
    }

    void resume(TaskRun task, int blocks) {
        resumable.remove(task);
        task.resumed(blocks);
        host.grant(task, blocks);
    }

    private void grant(TaskRun task, int blocks) {
        task.delivery().granted(blocks);
        host.grant(task, blocks);
    }

    /// Its attempt is about to end.
    void leave(TaskRun task) {
        if (task.isPaused()) {
            resumable.remove(task);
        }
    }

    /// The operator stops: no task resumes.
    void clear() {
        resumable.clear();
    }

    int unreadLimit() {
        return unreadLimit;
    }
}
