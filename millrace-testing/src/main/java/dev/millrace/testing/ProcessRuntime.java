package dev.millrace.testing;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.runtime.FailureBytes;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.TaskReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A runtime with worker processes. A process that dies for any reason is replaced; only the tasks and actors that were
/// in it are reported as lost.
///
/// `this` guards the assignment of tasks and actors to processes. A task is registered before its process receives it,
/// so that no task of a dying process goes unnoticed.
public final class ProcessRuntime extends ShippingRuntime {
    private final LoopbackWire toDriver = new LoopbackWire("process-driver", this::handle);
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final Map<Long, WorkerProcess> tasks = new HashMap<>();
    private final Map<Long, WorkerProcess> actors = new HashMap<>();
    private final Set<Long> lostTasks = new TreeSet<>();
    private final Set<Long> submitted = new TreeSet<>();
    private int started;
    private int died;
    private boolean closing;

    /// Starts this many processes; closing the runtime ends them.
    public ProcessRuntime(Allocator driver, Resources capacity, int processes) {
        super(driver, capacity);
        for (int i = 0; i < processes; i++) {
            start();
        }
    }

    private synchronized void start() {
        workers.add(new WorkerProcess("worker-process-" + ++started, this::come, this::gone));
    }

    @Override
    public String name() {
        return "process";
    }

    @Override
    public synchronized List<Node> nodes() {
        return workers.stream()
                .map(worker -> new Node(worker.toString(), capacity()))
                .toList();
    }

    /// The number of processes that have died.
    public synchronized int died() {
        return died;
    }

    /// The ids of tasks that were reported as lost.
    public synchronized Set<Long> lostTasks() {
        return new TreeSet<>(lostTasks);
    }

    /// The number of tasks submitted to workers, counting each retry.
    public synchronized int submittedTasks() {
        return submitted.size();
    }

    @Override
    void toWorker(LoopbackMessage message) {
        WorkerProcess worker = workerFor(message);
        if (worker != null) {
            worker.send(message);
        } else if (message instanceof LoopbackMessage.Submit submit) {
            toDriver(lost(submit.task()));
        }
    }

    /// Null: the task or actor of the message no longer exists.
    private synchronized @Nullable WorkerProcess workerFor(LoopbackMessage message) {
        return switch (message) {
            case LoopbackMessage.Submit submit -> {
                submitted.add(submit.task());
                WorkerProcess worker = submit.actor() < 0 ? leastBusy() : actors.get(submit.actor());
                if (worker == null) {
                    lostTasks.add(submit.task());
                } else {
                    tasks.put(submit.task(), worker);
                }
                yield worker;
            }
            case LoopbackMessage.StartActor start -> {
                WorkerProcess worker = leastBusy();
                actors.put(start.actor(), worker);
                yield worker;
            }
            case LoopbackMessage.Grant grant -> tasks.get(grant.task());
            case LoopbackMessage.Cancel cancel -> tasks.get(cancel.task());
            case LoopbackMessage.StopActor stop -> actors.get(stop.actor());
            default -> throw new IllegalStateException("not for a worker: " + message);
        };
    }

    private WorkerProcess leastBusy() {
        return workers.stream()
                .min(Comparator.comparingLong(
                        worker -> tasks.values().stream().filter(worker::equals).count()))
                .orElseThrow();
    }

    @Override
    void toDriver(LoopbackMessage message) {
        toDriver.send(message);
    }

    private void come(LoopbackMessage message) {
        if (message instanceof LoopbackMessage.Ended ended) {
            synchronized (this) {
                tasks.remove(ended.task());
            }
        }
        handle(message);
    }

    /// Called on the thread of its messages, after the last of them.
    private void gone(WorkerProcess worker) {
        List<LoopbackMessage> news = new ArrayList<>();
        synchronized (this) {
            if (closing) {
                return;
            }
            died++;
            workers.remove(worker);
            start();
            for (long task : in(tasks, worker)) {
                tasks.remove(task);
                lostTasks.add(task);
                news.add(lost(task));
            }
            for (long actor : in(actors, worker)) {
                actors.remove(actor);
                news.add(new LoopbackMessage.ActorState(actor, FailureBytes.encode(failure()), true));
            }
        }
        news.forEach(this::handle);
    }

    private static List<Long> in(Map<Long, WorkerProcess> places, WorkerProcess worker) {
        return places.entrySet().stream()
                .filter(entry -> entry.getValue() == worker)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static LoopbackMessage.Ended lost(long task) {
        return new LoopbackMessage.Ended(
                task, FailureBytes.encode(failure()), true, LoopbackMessage.Report.of(TaskReport.EMPTY, "gone"));
    }

    private static MillraceException failure() {
        return MillraceException.resources("the worker process died");
    }

    @Override
    List<RuntimeException> closeWorkers() {
        List<WorkerProcess> left;
        synchronized (this) {
            closing = true;
            left = List.copyOf(workers);
        }
        left.forEach(worker -> worker.send(new LoopbackMessage.Bye()));
        List<RuntimeException> leaks = new ArrayList<>();
        for (WorkerProcess worker : left) {
            int code = worker.await();
            if (code != 0) {
                leaks.add(new IllegalStateException(worker + " ended with code " + code));
            }
        }
        toDriver.close();
        return leaks;
    }
}
