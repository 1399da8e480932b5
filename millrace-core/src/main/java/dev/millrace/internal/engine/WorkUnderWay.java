package dev.millrace.internal.engine;

import dev.millrace.compute.Resources;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.observe.RunError;
import dev.millrace.internal.observe.TaskSample;
import dev.millrace.internal.observe.TaskTimeline;
import dev.millrace.internal.operator.ActorPool;
import dev.millrace.internal.operator.PoolMember;
import dev.millrace.internal.operator.RunningProgress;
import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.internal.operator.TaskRun;
import dev.millrace.internal.resource.NodeRoom;
import dev.millrace.memory.MemoryYielded;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The tasks and actors of one run that are in flight at the runtime: submits them, and dispatches each event to its
/// operator. Loop thread only.
final class WorkUnderWay {
    private final Runtime runtime;
    private final LongSupplier ids;
    private final Consumer<TaskEvent> events;
    private final Map<Long, TaskRun> tasks = new HashMap<>();
    private final Map<Long, PoolMember> actors = new HashMap<>();
    /// Tasks that have ended, by node.
    private final Map<NodeRoom, Long> ended = new HashMap<>();
    /// The run's number for the runtime: the id of its first task.
    private long run;
    /// Null if nobody observes the run.
    private final @Nullable TaskTimeline timeline;

    private final LongSupplier now;

    /// @param now the time of the loop's round
    WorkUnderWay(
            Runtime runtime,
            LongSupplier ids,
            Consumer<TaskEvent> events,
            @Nullable TaskTimeline timeline,
            LongSupplier now) {
        this.runtime = runtime;
        this.ids = ids;
        this.events = events;
        this.timeline = timeline;
        this.now = now;
    }

    /// True when every task has sent its final event.
    boolean isEmpty() {
        return tasks.isEmpty();
    }

    void submit(TaskRun task, int credit) {
        TaskOperator operator = task.operator();
        long id = ids.getAsLong();
        run = run == 0 ? id : run;
        task.submittedAs(id);
        tasks.put(id, task);
        TaskRun ahead = task.ahead();
        if (timeline != null) {
            timeline.begun(id, now.getAsLong());
        }
        TaskSpec spec = new TaskSpec(
                id,
                task.first(),
                operator.name(),
                task.program(),
                task.actor(),
                task.inputs(),
                credit,
                operator.slots().needPerTask(),
                operator.account(),
                operator.isLocal(),
                operator.isLocal() ? null : task.node().name(),
                operator.stage(run),
                ahead == null ? 0 : ahead.id());
        try {
            runtime.submit(spec, events);
        } catch (RuntimeException e) {
            // Refused, e.g. by a closed runtime: the task ends like any other that failed.
            events.accept(new TaskEvent.Failed(id, e, false, TaskReport.EMPTY));
        }
    }

    void grant(TaskRun task, int blocks) {
        runtime.grant(task.id(), blocks);
    }

    void begin(TaskRun task) {
        runtime.begin(task.id());
    }

    void recall(TaskRun task) {
        runtime.recall(task.id());
    }

    void cancel(TaskRun task) {
        runtime.cancel(task.id());
    }

    void cancel(TaskOperator operator) {
        for (TaskRun task : tasks.values()) {
            if (task.operator().equals(operator)) {
                runtime.cancel(task.id());
            }
        }
    }

    /// How far the tasks are that run, by operator; those of which nothing is known are left out.
    Map<TaskOperator, RunningProgress> progress() {
        Map<TaskOperator, RunningProgress> known = new HashMap<>();
        for (TaskRun task : tasks.values()) {
            runtime.progress(task.id())
                    .ifPresent(progress -> known.computeIfAbsent(task.operator(), _ -> new RunningProgress())
                            .add(task, progress));
        }
        return known;
    }

    /// A sample of the attempts so far, and those that run; empty if nobody observes the run.
    List<TaskSample> samples(long time) {
        if (timeline == null) {
            return List.of();
        }
        List<TaskSample> all = timeline.ended();
        int listed = 0;
        for (TaskRun task : tasks.values()) {
            TaskSample sample =
                    listed++ < timeline.maxRunning() ? timeline.running(attempt(task, TaskReport.EMPTY), time) : null;
            if (sample != null) {
                all.add(sample);
            }
        }
        return all;
    }

    /// Errors of attempts; empty if nobody observes the run.
    List<RunError> errors() {
        return timeline == null ? List.of() : timeline.errors();
    }

    private static TaskTimeline.Attempt attempt(TaskRun task, TaskReport report) {
        return new TaskTimeline.Attempt(
                task.id(),
                task.operator().position(),
                task.operator().isLocal() ? null : task.node().name(),
                report.wallNanos(),
                report.cpuNanos(),
                report.pausedNanos(),
                task.inputRows(),
                task::describeInput);
    }

    private void note(TaskRun task, TaskEvent.Failed failed) {
        if (timeline != null) {
            boolean counts = !(failed.cause() instanceof TaskCancelled) && !(failed.cause() instanceof MemoryYielded);
            timeline.ended(attempt(task, failed.report()), counts, now.getAsLong());
            if (counts) {
                timeline.failed(task.operator().name(), failed.cause(), task::describeInput, now.getAsLong());
            }
        }
    }

    /// Tasks that have ended, by the name of their node; empty if all had the same.
    Map<String, Long> tasksPerNode() {
        Map<String, Long> named = new TreeMap<>();
        ended.forEach((node, tasks) -> named.put(node.name() == null ? "driver" : node.name(), tasks));
        return named.size() > 1 ? named : Map.of();
    }

    /// Ends all remaining tasks as if they had been cancelled; returns where each of them is.
    List<String> giveUp() {
        List<String> left = new ArrayList<>();
        for (TaskRun task : List.copyOf(tasks.values())) {
            left.add("a task of " + task.operator().name()
                    + runtime.whereabouts(task.id())
                            .map(where -> " (" + where + ")")
                            .orElse(""));
            task.operator().stop();
            accept(new TaskEvent.Failed(task.id(), new TaskCancelled(), false, TaskReport.EMPTY));
        }
        return left;
    }

    @Nullable
    ActorRef startActor(ActorPool pool, PoolMember actor, ActorProgram program, Resources need, int concurrency) {
        actors.put(actor.id(), actor);
        try {
            return runtime.startActor(
                    new ActorSpec(
                            actor.id(),
                            pool.operatorName(),
                            program,
                            need,
                            concurrency,
                            actor.node().name()),
                    events);
        } catch (RuntimeException e) {
            events.accept(new TaskEvent.ActorFailed(actor.id(), e, false));
            return null;
        }
    }

    void stopActor(PoolMember actor) {
        actors.remove(actor.id());
        if (actor.ref() != null) {
            runtime.stopActor(actor.ref());
        }
    }

    /// Dispatches an event to its operator; events of unknown work are ignored.
    void accept(TaskEvent event) {
        switch (event) {
            case TaskEvent.BlockReady(long id, var block) -> {
                TaskRun task = tasks.get(id);
                if (task == null) {
                    block.release();
                } else {
                    task.operator().blockReady(task, block);
                }
            }
            case TaskEvent.Paused(long id) -> {
                TaskRun task = tasks.get(id);
                if (task != null) {
                    task.operator().paused(task);
                }
            }
            case TaskEvent.Finished(long id, var report) -> {
                TaskRun task = tasks.remove(id);
                if (task != null) {
                    ended.merge(task.node(), 1L, Long::sum);
                    if (timeline != null) {
                        timeline.ended(attempt(task, report), false, now.getAsLong());
                    }
                    task.operator().finished(task, report);
                }
            }
            case TaskEvent.Failed failed -> {
                TaskRun task = tasks.remove(failed.task());
                if (task != null) {
                    note(task, failed);
                    task.operator().failed(task, failed);
                }
            }
            case TaskEvent.ActorReady(long id) -> {
                PoolMember actor = actors.get(id);
                if (actor != null) {
                    actor.pool().ready(actor);
                }
            }
            case TaskEvent.ActorFailed failed -> {
                PoolMember actor = actors.remove(failed.actor());
                if (actor != null) {
                    actor.pool().failed(actor, failed);
                }
            }
        }
    }
}
