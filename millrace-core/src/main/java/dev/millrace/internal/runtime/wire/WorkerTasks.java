package dev.millrace.internal.runtime.wire;

import dev.millrace.compute.ActorContext;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.fault.MissingClass;
import dev.millrace.internal.runtime.FailureBytes;
import dev.millrace.internal.runtime.NodeCount;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.internal.transform.TaskCounters;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.BlocksLost;
import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.runtime.WorkerGone;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs the tasks and actors of one driver in a worker, by its messages. Programs are decoded, inputs fetched and
/// outputs packed on the threads of the tasks. The messages of the driver are handled by one thread; the driver's
/// consumer is called by many.
public final class WorkerTasks {
    private final EmbeddedRuntime threads;
    private final WorkerStore store;
    private final Consumer<WireMessage> driver;
    private final String node;
    private final Supplier<ClassLoader> loader;
    private final IntSupplier nodes;
    private final ProgramDecoder programs = new ProgramDecoder();
    private final Map<Long, ActorRef> actors = new ConcurrentHashMap<>();
    private final Set<Long> running = ConcurrentHashMap.newKeySet();
    private final TaskQueue<Running> queue = new TaskQueue<>();

    /// @param node the worker's name in reports
    /// @param loader has the classes of the driver's programs; asked by each task that begins
    /// @param nodes how many nodes the driver has now, this one included
    public WorkerTasks(
            EmbeddedRuntime threads,
            WorkerStore store,
            String node,
            Supplier<ClassLoader> loader,
            IntSupplier nodes,
            Consumer<WireMessage> driver) {
        this.loader = loader;
        this.nodes = nodes;
        this.threads = threads;
        this.store = store;
        this.node = node;
        this.driver = driver;
    }

    /// Handles a message about tasks, actors and programs; false for any other.
    public boolean handle(WireMessage message) {
        switch (message) {
            case WireMessage.Submit submit -> submit(submit);
            case WireMessage.Grant grant -> {
                Running waiting = queue.get(grant.task());
                if (waiting == null || !waiting.grant(grant.blocks())) {
                    threads.grant(grant.task(), grant.blocks());
                }
            }
            case WireMessage.Cancel cancel -> {
                if (!recall(cancel.task())) {
                    threads.cancel(cancel.task());
                }
            }
            case WireMessage.Begin begin -> {
                Running waiting = queue.take(begin.task());
                if (waiting != null) {
                    waiting.start();
                }
            }
            case WireMessage.Recall recall -> {
                var _ = recall(recall.task());
            }
            case WireMessage.StartActor start -> startActor(start);
            case WireMessage.StopActor stop -> {
                ActorRef actor = actors.remove(stop.actor());
                if (actor != null) {
                    threads.stopActor(actor);
                }
            }
            case WireMessage.ProgramPart part -> programs.add(part);
            case WireMessage.ForgetParts forget -> programs.forget(forget.numbers());
            case WireMessage.AskWhereabouts ask ->
                driver.accept(new WireMessage.Whereabouts(
                        ask.task(), threads.whereabouts(ask.task()).orElse("")));
            default -> {
                return false;
            }
        }
        return true;
    }

    /// The tasks that have not ended.
    public Set<Long> running() {
        return running;
    }

    /// How far the running tasks are that say so.
    public List<WireMessage.Progress> progress() {
        List<WireMessage.Progress> all = new ArrayList<>();
        for (long task : running) {
            threads.progress(task).ifPresent(progress -> all.add(new WireMessage.Progress(task, progress)));
        }
        return all;
    }

    /// Ends a task that waits behind another.
    private boolean recall(long task) {
        Running waiting = queue.take(task);
        if (waiting == null) {
            return false;
        }
        waiting.end(new TaskCancelled(), false, TaskReport.EMPTY);
        return true;
    }

    private void submit(WireMessage.Submit submit) {
        ActorRef actor = submit.actor() < 0 ? null : actors.get(submit.actor());
        if (submit.actor() >= 0 && actor == null) {
            driver.accept(new WireMessage.Ended(
                    submit.task(),
                    FailureBytes.encode(new WorkerGone("Actor " + submit.actor() + " of " + submit.operator()
                            + " was stopped before the task came to it.")),
                    true,
                    TaskReport.EMPTY));
            return;
        }
        running.add(submit.task());
        Running task = new Running(submit, actor, programs.receive(submit.program()), store.account(submit));
        if (submit.behind() == 0 || !queue.add(submit.task(), task, submit.behind(), running::contains)) {
            task.start();
        }
    }

    /// A task, from its message to its last event.
    private final class Running implements TaskProgram, Consumer<TaskEvent> {
        private static final long serialVersionUID = 1L;

        private final transient WireMessage.Submit submit;
        private final transient @Nullable ActorRef actor;
        private final transient ProgramDecoder.Received program;
        private final transient Allocator account;
        private final int[] places;
        /// What it was granted while it waited behind another. Guarded by the monitor, with whether it waits.
        private int granted;

        private boolean started;
        private transient @Nullable BlocksLost lost;

        Running(
                WireMessage.Submit submit,
                @Nullable ActorRef actor,
                ProgramDecoder.Received program,
                Allocator account) {
            this.submit = submit;
            this.actor = actor;
            this.program = program;
            this.account = account;
            this.places = new int[submit.inputs().size()];
        }

        /// Adds to its credit, unless it has begun.
        synchronized boolean grant(int blocks) {
            granted += started ? 0 : blocks;
            return !started;
        }

        void start() {
            try {
                int credit;
                synchronized (this) {
                    started = true;
                    credit = submit.credit() + granted;
                }
                threads.submit(spec(credit), this);
            } catch (RuntimeException e) {
                end(e, false, TaskReport.EMPTY);
            }
        }

        private TaskSpec spec(int credit) {
            List<BlockSlice> local = new ArrayList<>();
            for (int i = 0; i < places.length; i++) {
                BlockSlice own = store.local(submit.inputs().get(i));
                places[i] = own == null ? -1 : local.size();
                if (own != null) {
                    local.add(own);
                }
            }
            return new TaskSpec(
                    submit.task(),
                    submit.first(),
                    submit.operator(),
                    this,
                    actor,
                    local,
                    credit,
                    submit.resources(),
                    account,
                    false,
                    null,
                    submit.stage());
        }

        @Override
        public void run(TaskContext context) throws Exception {
            try (LoaderScope _ = LoaderScope.enter(loader.get());
                    NodeCount _ = NodeCount.enter(nodes);
                    TaskInputs inputs = store.open(submit.inputs())) {
                WireContext wired = new WireContext(context, places, inputs);
                try {
                    program.decode(submit.operator(), TaskProgram.class).run(wired);
                } catch (Exception | LinkageError e) {
                    throw worded(submit.operator(), e);
                } finally {
                    lost = wired.lost();
                    if (inputs.fetchedBytes() > 0) {
                        context.count(TaskCounters.BYTES_FETCHED, inputs.fetchedBytes());
                    }
                }
            }
        }

        @Override
        public void accept(TaskEvent event) {
            switch (event) {
                case TaskEvent.BlockReady ready -> driver.accept(store.ready(submit, ready.block(), account));
                case TaskEvent.Paused _ -> driver.accept(new WireMessage.Paused(submit.task()));
                case TaskEvent.Finished finished -> end(null, false, finished.report());
                case TaskEvent.Failed failed ->
                    end(
                            lost == null || failed.cause() instanceof TaskCancelled ? failed.cause() : lost,
                            failed.workerLost(),
                            failed.report());
                case TaskEvent.ActorReady _, TaskEvent.ActorFailed _ ->
                    throw new IllegalStateException("an actor's event for a task: " + event);
            }
        }

        void end(@Nullable Throwable failure, boolean workerLost, TaskReport report) {
            running.remove(submit.task());
            store.ended(submit, account);
            byte[] thrown = failure == null ? null : FailureBytes.encode(failure);
            driver.accept(new WireMessage.Ended(submit.task(), thrown, workerLost, named(report)));
            Running next = queue.next(submit.task());
            if (next != null) {
                next.start();
            }
        }
    }

    /// On the thread that ran the program, while it has the driver's class loader.
    private static Exception worded(String operator, Throwable thrown) {
        return switch (MissingClass.worded(operator, thrown)) {
            case Exception e -> e;
            case Error e -> throw e;
            case Throwable other -> new IllegalStateException(other);
        };
    }

    private TaskReport named(TaskReport report) {
        return new TaskReport(
                report.wallNanos(),
                report.cpuNanos(),
                report.waitNanos(),
                report.pausedNanos(),
                node,
                report.counters(),
                report.errors(),
                report.functions(),
                report.told());
    }

    private void startActor(WireMessage.StartActor start) {
        ActorProgram program = new ShippedActor(start.operator(), loader, nodes, programs.receive(start.program()));
        ActorSpec spec =
                new ActorSpec(start.actor(), start.operator(), program, start.resources(), start.concurrency());
        actors.put(start.actor(), threads.startActor(spec, event -> driver.accept(state(event))));
    }

    private static WireMessage.ActorState state(TaskEvent event) {
        return switch (event) {
            case TaskEvent.ActorReady ready -> new WireMessage.ActorState(ready.actor(), null, false);
            case TaskEvent.ActorFailed failed ->
                new WireMessage.ActorState(failed.actor(), FailureBytes.encode(failed.cause()), failed.workerLost());
            case TaskEvent.BlockReady _, TaskEvent.Paused _, TaskEvent.Finished _, TaskEvent.Failed _ ->
                throw new IllegalStateException("a task's event for an actor: " + event);
        };
    }

    /// Decodes the program at its start and keeps it for the stop.
    private static final class ShippedActor implements ActorProgram {
        private static final long serialVersionUID = 1L;

        private final String operator;
        private final transient Supplier<ClassLoader> loader;
        private final transient IntSupplier nodes;
        private final transient ProgramDecoder.Received program;
        private transient @Nullable ActorProgram own;

        ShippedActor(
                String operator, Supplier<ClassLoader> loader, IntSupplier nodes, ProgramDecoder.Received program) {
            this.operator = operator;
            this.loader = loader;
            this.nodes = nodes;
            this.program = program;
        }

        @Override
        public Object start(ActorContext context) throws Exception {
            try (LoaderScope _ = LoaderScope.enter(loader.get());
                    NodeCount _ = NodeCount.enter(nodes)) {
                try {
                    ActorProgram decoded = program.decode(operator, ActorProgram.class);
                    own = decoded;
                    return decoded.start(context);
                } catch (Exception | LinkageError e) {
                    throw worded(operator, e);
                }
            }
        }

        @Override
        public void stop(Object state) throws Exception {
            if (own != null) {
                try (LoaderScope _ = LoaderScope.enter(loader.get())) {
                    own.stop(state);
                }
            }
        }
    }
}
