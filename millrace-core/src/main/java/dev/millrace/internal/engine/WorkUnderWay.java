package dev.millrace.internal.engine;

import dev.millrace.compute.Resources;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.operator.ActorPool;
import dev.millrace.internal.operator.RunningProgress;
import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.internal.operator.TaskRun;
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
    private final Map<Long, ActorPool.Actor> actors = new HashMap<>();

    WorkUnderWay(Runtime runtime, LongSupplier ids, Consumer<TaskEvent> events) {
        this.runtime = runtime;
        this.ids = ids;
        this.events = events;
    }

    /// True when every task has sent its final event.
    boolean isEmpty() {
        return tasks.isEmpty();
    }

    void submit(TaskRun task, int credit) {
        TaskOperator operator = task.operator();
        long id = ids.getAsLong();
        task.submittedAs(id);
        tasks.put(id, task);
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
                operator.isLocal());
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

    void cancel(TaskOperator operator) {
        for (TaskRun task : tasks.values()) {
            if (task.operator() == operator) {
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
    ActorRef startActor(ActorPool pool, ActorPool.Actor actor, ActorProgram program, Resources need, int concurrency) {
        actors.put(actor.id, actor);
        try {
            return runtime.startActor(new ActorSpec(actor.id, pool.operatorName(), program, need, concurrency), events);
        } catch (RuntimeException e) {
            events.accept(new TaskEvent.ActorFailed(actor.id, e, false));
            return null;
        }
    }

    void stopActor(ActorPool.Actor actor) {
        actors.remove(actor.id);
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
                    task.operator().finished(task, report);
                }
            }
            case TaskEvent.Failed failed -> {
                TaskRun task = tasks.remove(failed.task());
                if (task != null) {
                    task.operator().failed(task, failed);
                }
            }
            case TaskEvent.ActorReady(long id) -> {
                ActorPool.Actor actor = actors.get(id);
                if (actor != null) {
                    actor.pool().ready(actor);
                }
            }
            case TaskEvent.ActorFailed failed -> {
                ActorPool.Actor actor = actors.remove(failed.actor());
                if (actor != null) {
                    actor.pool().failed(actor, failed);
                }
            }
        }
    }
}
