package dev.millrace.testing;

import dev.millrace.runtime.TaskEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Receives the events of tasks and actors and lets a test wait for them. Records a violation if an event arrives after
/// the final one of its task. Thread-safe.
public final class TaskRecorder implements Consumer<TaskEvent> {
    private static final Duration PATIENCE = Duration.ofSeconds(50);

    private final Map<Long, List<TaskEvent>> byTask = new HashMap<>();
    private final Set<Long> ended = new HashSet<>();
    private final List<String> violations = new ArrayList<>();

    @Override
    public synchronized void accept(TaskEvent event) {
        long id = idOf(event);
        byTask.computeIfAbsent(id, key -> new ArrayList<>()).add(event);
        if (ended.contains(id)) {
            violations.add(event + " came after the final event");
        }
        if (event instanceof TaskEvent.Finished || event instanceof TaskEvent.Failed) {
            ended.add(id);
        }
        notifyAll();
    }

    /// Tasks and actors have separate ids, so actors get negative ones here.
    private static long idOf(TaskEvent event) {
        return switch (event) {
            case TaskEvent.BlockReady ready -> ready.task();
            case TaskEvent.Paused paused -> paused.task();
            case TaskEvent.Finished finished -> finished.task();
            case TaskEvent.Failed failed -> failed.task();
            case TaskEvent.ActorReady ready -> -1 - ready.actor();
            case TaskEvent.ActorFailed failed -> -1 - failed.actor();
        };
    }

    /// The events of a task so far.
    public synchronized List<TaskEvent> of(long task) {
        return List.copyOf(byTask.getOrDefault(task, List.of()));
    }

    /// The events of one actor, in order of arrival.
    public List<TaskEvent> ofActor(long actor) {
        return of(-1 - actor);
    }

    /// The blocks of a task so far.
    public List<TaskEvent.BlockReady> blocks(long task) {
        return of(task).stream()
                .filter(TaskEvent.BlockReady.class::isInstance)
                .map(TaskEvent.BlockReady.class::cast)
                .toList();
    }

    /// Violations of the event order that every runtime guarantees; empty if there are none.
    public synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    /// Waits for the final event of a task and returns it.
    public TaskEvent awaitEnd(long task) {
        List<TaskEvent> all = await(
                task,
                "its end",
                events -> events.stream()
                        .anyMatch(e -> e instanceof TaskEvent.Finished || e instanceof TaskEvent.Failed));
        return all.getLast();
    }

    /// Waits for an event of an actor, for some seconds at most.
    public TaskEvent awaitActor(long actor, Class<? extends TaskEvent> kind) {
        return await(-1 - actor, kind.getSimpleName(), events -> events.stream().anyMatch(kind::isInstance)).stream()
                .filter(kind::isInstance)
                .findFirst()
                .orElseThrow();
    }

    /// Waits until the task has sent this many events of a kind.
    public void await(long task, Class<? extends TaskEvent> kind, int count) {
        await(
                task,
                count + " " + kind.getSimpleName(),
                events -> events.stream().filter(kind::isInstance).count() >= count);
    }

    private synchronized List<TaskEvent> await(long task, String what, Predicate<List<TaskEvent>> enough) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!enough.test(of(task))) {
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                throw new AssertionError("task " + task + " did not send " + what + " within " + PATIENCE.toSeconds()
                        + " s; it sent " + of(task));
            }
            try {
                wait(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
        return of(task);
    }
}
