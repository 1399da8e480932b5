package dev.millrace.internal.recovery;

import dev.millrace.compute.Resources;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Looks for stragglers: tasks that run much longer than others of their operator did. Such a task is run a second
/// time, on another node that has had nothing to do for a while; the first that ends counts. So a slow node costs a run
/// little, and a task that is only large costs CPUs that were free. Thread-safe.
final class StragglerWatch {
    /// @param minNanos a task that runs for less is never one
    /// @param factor of the median of its siblings, for as many bytes of input, beyond which it is one
    /// @param minSiblings that must have ended
    record Rule(long minNanos, double factor, int minSiblings) {
        static final Rule DEFAULT = new Rule(TimeUnit.SECONDS.toNanos(5), 3, 5);
    }

    private static final int MAX_OPERATORS = 1000;

    private final Runtime below;
    private final Rule rule;
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong won = new AtomicLong();
    /// All fields below are guarded by the monitor.
    private final Map<TaskSpec.Stage, SiblingTimes> times = new HashMap<>();

    private Set<String> idleBefore = Set.of();

    StragglerWatch(Runtime below, Rule rule) {
        this.below = below;
        this.rule = rule;
    }

    /// Between two looks.
    long pauseNanos() {
        return Math.max(1, rule.minNanos / 5);
    }

    /// Second attempts that began so far.
    long begun() {
        return begun.get();
    }

    /// Those that ended first.
    long won() {
        return won.get();
    }

    void hasWon() {
        won.incrementAndGet();
    }

    /// A task has finished.
    ///
    /// @param nanos that it ran for
    synchronized void finished(TaskSpec task, long nanos) {
        TaskSpec.Stage stage = task.stage();
        if (times.size() >= MAX_OPERATORS && !times.containsKey(stage)) {
            times.clear();
        }
        times.computeIfAbsent(stage, _ -> new SiblingTimes()).add(nanos, inputBytes(task));
    }

    /// Looks once. Nodes are idle if they had room now and when it looked last: the engine had nothing for them.
    void look(List<ForwardedTask> tasks) {
        Map<String, Resources> free = free(tasks);
        Set<String> idle = new HashSet<>();
        free.forEach((node, left) -> {
            if (left.cpus() > 0) {
                idle.add(node);
            }
        });
        Set<String> able;
        synchronized (this) {
            able = new HashSet<>(idle);
            able.retainAll(idleBefore);
            idleBefore = idle;
        }
        for (ForwardedTask task : tasks) {
            String node = isStraggler(task) ? other(task, able, free) : null;
            if (node != null && task.startSecond(node)) {
                begun.incrementAndGet();
                able.remove(node);
            }
        }
    }

    private Map<String, Resources> free(List<ForwardedTask> tasks) {
        Map<String, Resources> free = new HashMap<>();
        below.nodes().forEach(node -> free.put(node.name(), node.resources()));
        for (ForwardedTask task : tasks) {
            for (String node : task.computesOn()) {
                free.computeIfPresent(node, (_, left) -> left.minus(task.spec().resources()));
            }
        }
        return free;
    }

    /// Asks the task without the monitor, which tasks need with their own held.
    private boolean isStraggler(ForwardedTask task) {
        long tooLong;
        synchronized (this) {
            SiblingTimes siblings = times.get(task.spec().stage());
            if (siblings == null) {
                return false;
            }
            tooLong = siblings.limitNanos(rule, inputBytes(task.spec()));
        }
        return task.computedNanos() > tooLong;
    }

    private static long inputBytes(TaskSpec task) {
        return task.inputs().stream().mapToLong(BlockSlice::sizeBytes).sum();
    }

    private static @Nullable String other(ForwardedTask task, Set<String> able, Map<String, Resources> free) {
        Resources need = task.spec().resources();
        for (String node : able) {
            Resources left = free.get(node);
            if (left != null && !node.equals(task.spec().node()) && need.fitsIn(left)) {
                return node;
            }
        }
        return null;
    }
}
