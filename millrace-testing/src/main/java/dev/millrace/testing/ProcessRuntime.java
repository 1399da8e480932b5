package dev.millrace.testing;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.runtime.FailureBytes;
import dev.millrace.internal.runtime.wire.WireMessage;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.NodeEvent;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.runtime.WorkerGone;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A runtime with worker processes, each a node with its part of the resources. A process that dies for any reason is
/// replaced by another node; only the tasks and actors that were in it are reported as lost.
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
    /// The nodes that tasks and actors were sent to, from their call to their message.
    private final Map<Long, String> nodesOfTasks = new ConcurrentHashMap<>();

    private final Map<Long, String> nodesOfActors = new ConcurrentHashMap<>();
    private final List<Consumer<NodeEvent>> listeners = new ArrayList<>();
    private final Resources perProcess;
    private int started;
    private int died;
    private boolean closing;

    /// Starts this many processes; closing the runtime ends them.
    public ProcessRuntime(Allocator driver, Resources capacity, int processes) {
        super(driver, capacity);
        this.perProcess = capacity.times(1.0 / processes);
        for (int i = 0; i < processes; i++) {
            start();
        }
    }

    private synchronized void start() {
        WorkerProcess worker = new WorkerProcess("worker-process-" + ++started, this::come, this::gone);
        workers.add(worker);
        shippedParts().forEach(worker::send);
    }

    @Override
    public String name() {
        return "process";
    }

    @Override
    public synchronized List<Node> nodes() {
        return workers.stream().map(this::node).toList();
    }

    private Node node(WorkerProcess worker) {
        return new Node(worker.toString(), perProcess, LoopbackWorker.MEMORY);
    }

    @Override
    public synchronized void watchNodes(Consumer<NodeEvent> listener) {
        super.watchNodes(listener);
        listeners.add(listener);
    }

    @Override
    public void submit(TaskSpec task, Consumer<TaskEvent> events) {
        if (task.node() != null) {
            nodesOfTasks.put(task.id(), task.node());
        }
        super.submit(task, events);
    }

    @Override
    public ActorRef startActor(ActorSpec actor, Consumer<TaskEvent> events) {
        if (actor.node() != null) {
            nodesOfActors.put(actor.id(), actor.node());
        }
        return super.startActor(actor, events);
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
    void toWorker(WireMessage message) {
        WorkerProcess worker = workerFor(message);
        if (worker != null) {
            worker.send(message);
        } else if (message instanceof WireMessage.Submit submit) {
            toDriver(lost(submit.task(), new WorkerGone("the worker process was gone")));
        } else if (message instanceof WireMessage.StartActor start) {
            toDriver(new WireMessage.ActorState(start.actor(), FailureBytes.encode(failure()), true));
        }
    }

    @Override
    synchronized void toWorkers(WireMessage message) {
        workers.forEach(worker -> worker.send(message));
    }

    /// Null: the task or actor of the message no longer exists.
    private synchronized @Nullable WorkerProcess workerFor(WireMessage message) {
        return switch (message) {
            case WireMessage.Submit submit -> {
                submitted.add(submit.task());
                WorkerProcess worker =
                        submit.actor() < 0 ? named(nodesOfTasks.remove(submit.task())) : actors.get(submit.actor());
                if (worker == null) {
                    lostTasks.add(submit.task());
                } else {
                    tasks.put(submit.task(), worker);
                }
                yield worker;
            }
            case WireMessage.StartActor start -> {
                WorkerProcess worker = named(nodesOfActors.remove(start.actor()));
                if (worker != null) {
                    actors.put(start.actor(), worker);
                }
                yield worker;
            }
            case WireMessage.Grant grant -> tasks.get(grant.task());
            case WireMessage.Cancel cancel -> tasks.get(cancel.task());
            case WireMessage.StopActor stop -> actors.get(stop.actor());
            default -> throw new IllegalStateException("not for a worker: " + message);
        };
    }

    /// The process of that name, or null if it is gone; any if none is named.
    private @Nullable WorkerProcess named(@Nullable String node) {
        if (node == null) {
            return leastBusy();
        }
        return workers.stream()
                .filter(worker -> worker.toString().equals(node))
                .findFirst()
                .orElse(null);
    }

    private WorkerProcess leastBusy() {
        return workers.stream()
                .min(Comparator.comparingLong(
                        worker -> tasks.values().stream().filter(worker::equals).count()))
                .orElseThrow();
    }

    @Override
    void toDriver(WireMessage message) {
        toDriver.send(message);
    }

    private void come(WireMessage message) {
        if (message instanceof WireMessage.Ended ended) {
            synchronized (this) {
                tasks.remove(ended.task());
            }
        }
        handle(message);
    }

    /// Called on the thread of its messages, after the last of them.
    private void gone(WorkerProcess worker) {
        List<WireMessage> news = new ArrayList<>();
        synchronized (this) {
            if (closing) {
                return;
            }
            died++;
            workers.remove(worker);
            tell(new NodeEvent.Lost(worker.toString()));
            start();
            tell(new NodeEvent.Joined(node(workers.getLast())));
            for (long task : in(tasks, worker)) {
                tasks.remove(task);
                lostTasks.add(task);
                news.add(lost(task, failure()));
            }
            for (long actor : in(actors, worker)) {
                actors.remove(actor);
                news.add(new WireMessage.ActorState(actor, FailureBytes.encode(failure()), true));
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

    private void tell(NodeEvent event) {
        listeners.forEach(listener -> listener.accept(event));
    }

    private static WireMessage.Ended lost(long task, RuntimeException cause) {
        return new WireMessage.Ended(task, FailureBytes.encode(cause), true, TaskReport.EMPTY);
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
        left.forEach(worker -> worker.send(new WireMessage.Bye()));
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
