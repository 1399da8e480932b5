package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;
import dev.millrace.internal.resource.NodeRoom;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The tasks of one run that were sent to a node before there is room for them, so that the node need not wait for the
/// engine when a task ends. Each waits there behind one that runs and takes as much, at most one behind each; it holds
/// nothing, and takes over the resources of that one when it ends or pauses. Loop thread only.
///
/// A queued task may have begun before the engine knows that the one in front of it has ended.
public final class SlotQueue {
    /// Tasks that have resources and none behind them, from the one that has them for longest on.
    private final LinkedHashSet<TaskRun> open = new LinkedHashSet<>();

    private final Map<NodeRoom, LinkedHashSet<TaskRun>> openAt = new HashMap<>();
    private final LinkedHashSet<TaskRun> queued = new LinkedHashSet<>();

    /// The task has resources of its own, on a node of workers.
    void holds(TaskRun task) {
        open.add(task);
        openAt.computeIfAbsent(task.node(), _ -> new LinkedHashSet<>()).add(task);
    }

    private void close(TaskRun task) {
        if (open.remove(task)) {
            LinkedHashSet<TaskRun> there = openAt.get(task.node());
            if (there != null && there.remove(task) && there.isEmpty()) {
                openAt.remove(task.node());
            }
        }
    }

    /// A task behind which one with this need can wait; null if there is none.
    ///
    /// @param preferred the node that it should be on; null: any
    /// @param only whether it must be there
    @Nullable
    TaskRun place(Resources need, @Nullable NodeRoom preferred, boolean only) {
        TaskRun there = preferred == null ? null : first(openAt.get(preferred), need);
        return there != null || only ? there : first(open, need);
    }

    private static @Nullable TaskRun first(@Nullable Set<TaskRun> tasks, Resources need) {
        if (tasks != null) {
            for (TaskRun task : tasks) {
                if (!task.node().isLost() && task.operator().need().equals(need)) {
                    return task;
                }
            }
        }
        return null;
    }

    /// The task waits behind the other.
    void add(TaskRun task, TaskRun ahead) {
        close(ahead);
        task.queuedBehind(ahead);
        queued.add(task);
    }

    /// A queued task ends or pauses without ever having had resources of its own.
    void leave(TaskRun task) {
        TaskRun ahead = task.ahead();
        if (ahead != null) {
            queued.remove(task);
            task.leaveQueue();
            holds(ahead);
        }
    }

    /// A task needs its resources no more.
    ///
    /// @return the one that has them from now on; null if they are to be given back
    @Nullable
    TaskRun pass(TaskRun holder) {
        close(holder);
        TaskRun heir = holder.heir();
        if (heir != null) {
            queued.remove(heir);
            heir.leaveQueue();
            holds(heir);
        }
        return heir;
    }

    public boolean isEmpty() {
        return queued.isEmpty();
    }

    /// The tasks that wait, from the oldest on.
    public Iterable<TaskRun> tasks() {
        return queued;
    }
}
