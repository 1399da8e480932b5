package dev.millrace.internal.engine;

import dev.millrace.compute.Resources;
import dev.millrace.internal.operator.SlotQueue;
import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.internal.operator.TaskRun;
import dev.millrace.internal.resource.NodeRoom;

/// Sends tasks to nodes that have no room for them, one behind each that runs, so that no node waits for the engine
/// between two tasks; and asks them back when another node has room. In the order and by the policies of admission, so
/// the next task that would start is queued, or none is. Loop thread only.
///
/// Only while the run has the session for itself, and nothing that it began waits for resources: what waits gets those
/// of the next task that ends, after at most one queued one.
final class QueueAhead {
    private QueueAhead() {}

    /// At the end of a round.
    static void tend(SlotQueue queue, TaskAdmission admission, RunCapacity capacity) {
        if (!queue.isEmpty()) {
            moveToRoom(queue, capacity);
        }
        if (capacity.isShared()) {
            return;
        }
        TaskOperator next;
        while ((next = admission.nextToQueue()) != null) {
            // One that could start waits for the node that has its input.
            if (capacity.mayTake(next.need()) || !next.launcher().queueNew()) {
                return;
            }
        }
    }

    /// One at a time: it comes back, and takes the room, before the next is asked for.
    private static void moveToRoom(SlotQueue queue, RunCapacity capacity) {
        TaskRun oldest = null;
        for (TaskRun task : queue.tasks()) {
            if (task.isMoving()) {
                return;
            }
            oldest = oldest == null ? task : oldest;
        }
        if (oldest == null) {
            return;
        }
        Resources need = oldest.operator().need();
        // Otherwise the run is woken when there is room.
        NodeRoom room = capacity.mayTake(need) ? null : capacity.take(need, null);
        if (room != null) {
            capacity.giveBack(need, room, false);
        }
        if (room != null || capacity.mayTake(need)) {
            oldest.operator().launcher().moveQueued(oldest);
        }
    }
}
