package dev.millrace.internal.runtime.embedded;

import dev.millrace.compute.ActorContext;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.flight.ActorStartFlightEvent;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.ProcessLost;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.WorkerGone;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An actor's state, which lives on `concurrency` threads of its own, and the calls that wait for it. The first thread
/// starts the state, the last one to leave stops it; native models that bind to a thread therefore see one thread from
/// start to stop when the concurrency is 1.
///
/// Everything mutable is guarded by the actor's monitor except `state`, which is written once before any call can run
/// and published by the monitor. User code and events run outside it.
final class EmbeddedActor implements ActorRef {

    private final ActorSpec spec;
    private final Consumer<TaskEvent> events;
    private final WorkerPool pool;
    private final List<Integer> gpus;
    private final Runnable onEnd;
    private final ArrayDeque<EmbeddedTask> calls = new ArrayDeque<>();
    private @Nullable Object state;
    private @Nullable Thread starting;
    private int serving;
    private boolean stopping;
    private boolean startUnwanted;
    private @Nullable Throwable startFailure;
    private @Nullable ProcessLost lost;

    /// @param gpus its devices
    /// @param onEnd called once, when the state is stopped or did not start
    EmbeddedActor(ActorSpec spec, List<Integer> gpus, Consumer<TaskEvent> events, WorkerPool pool, Runnable onEnd) {
        this.spec = spec;
        this.gpus = gpus;
        this.events = events;
        this.pool = pool;
        this.onEnd = onEnd;
    }

    @Override
    public long id() {
        return spec.id();
    }

    String operator() {
        return spec.operator();
    }

    /// The main loop of the actor's first thread.
    void run() {
        if (Thread.currentThread() instanceof WorkerPool.Worker worker) {
            worker.show(spec.operator());
        }
        if (!enterStart()) {
            onEnd.run();
            return;
        }
        ActorStartFlightEvent flight = new ActorStartFlightEvent();
        flight.begin();
        try {
            state = spec.program().start(new ActorContext(spec.operator(), spec.resources(), gpus));
        } catch (Throwable t) {
            record(flight, true);
            failStart(t);
            return;
        }
        record(flight, false);
        int threads = Math.max(1, spec.concurrency());
        synchronized (this) {
            leaveStart();
            serving = threads;
        }
        send(new TaskEvent.ActorReady(id()));
        for (int i = 1; i < threads; i++) {
            addThread();
        }
        serve();
    }

    private void record(ActorStartFlightEvent flight, boolean failed) {
        if (flight.shouldCommit()) {
            flight.operator = spec.operator();
            flight.actor = spec.id();
            flight.failed = failed;
            flight.commit();
        }
    }

    /// False if it was stopped before it began and has no calls: then nothing needs to be started.
    private synchronized boolean enterStart() {
        if (stopping && calls.isEmpty()) {
            return false;
        }
        starting = Thread.currentThread();
        if (startUnwanted) {
            starting.interrupt();
        }
        return true;
    }

    /// Called with the lock. An interrupt that came too late for the start must not affect what follows.
    private void leaveStart() {
        starting = null;
        var _ = Thread.interrupted();
    }

    private void addThread() {
        try {
            pool.execute(this::serve);
        } catch (RuntimeException e) {
            // The runtime closes, or the system has no more threads: the actor continues with those it has.
            boolean needed;
            synchronized (this) {
                serving--;
                needed = !stopping;
            }
            if (needed) {
                System.getLogger(EmbeddedActor.class.getName())
                        .log(
                                System.Logger.Level.WARNING,
                                "an actor of " + spec.operator() + " runs with a thread less",
                                e);
            }
        }
    }

    /// The process of its object has ended: the actor takes no more calls.
    private void lose(ProcessLost cause) {
        List<EmbeddedTask> orphans;
        synchronized (this) {
            if (this.lost != null) {
                return;
            }
            this.lost = cause;
            stopping = true;
            orphans = new ArrayList<>(calls);
            calls.clear();
            notifyAll();
        }
        send(new TaskEvent.ActorFailed(id(), cause, true));
        orphans.forEach(task -> task.failUnrun(new WorkerGone(cause.process()), true));
    }

    private void failStart(Throwable cause) {
        List<EmbeddedTask> orphans;
        synchronized (this) {
            leaveStart();
            startFailure = cause;
            orphans = new ArrayList<>(calls);
            calls.clear();
        }
        boolean isLost = cause instanceof ProcessLost;
        send(new TaskEvent.ActorFailed(id(), cause, isLost));
        orphans.forEach(task -> task.failUnrun(cause, isLost));
        onEnd.run();
    }

    private void serve() {
        for (EmbeddedTask task = next(); task != null; task = next()) {
            ProcessLost lost = task.run(state);
            if (lost != null) {
                lose(lost);
            }
        }
        synchronized (this) {
            if (--serving > 0) {
                return;
            }
        }
        try {
            spec.program().stop(Objects.requireNonNull(state, "an actor that serves has started"));
        } catch (Throwable t) {
            System.getLogger(EmbeddedActor.class.getName())
                    .log(System.Logger.Level.WARNING, "an actor of " + spec.operator() + " failed to stop", t);
        } finally {
            state = null;
            onEnd.run();
        }
    }

    /// The next call; null when the actor is stopping and none is left.
    private synchronized EmbeddedTask next() {
        while (calls.isEmpty() && !stopping) {
            try {
                wait();
            } catch (InterruptedException _) {
                // Only stop() ends an actor; a stray interrupt of a finished call has no meaning here.
            }
        }
        return calls.pollFirst();
    }

    /// Queues a call, or fails it on another thread if this actor accepts no more.
    void call(EmbeddedTask task) {
        Throwable refusal;
        boolean isLost;
        synchronized (this) {
            if (startFailure == null && !stopping) {
                calls.addLast(task);
                notify();
                return;
            }
            isLost = lost != null || startFailure instanceof ProcessLost;
            refusal = lost != null
                    ? new WorkerGone(lost.process())
                    : startFailure != null
                            ? startFailure
                            : MillraceException.internal("actor " + id() + " of " + spec.operator() + " was given task "
                                    + task.spec().id() + " after it was stopped");
        }
        pool.execute(() -> task.failUnrun(refusal, isLost));
    }

    /// True if the call was still queued and will never run.
    synchronized boolean withdraw(EmbeddedTask task) {
        return calls.remove(task);
    }

    /// Ends the actor after the calls it was given.
    synchronized void stop() {
        stopping = true;
        notifyAll();
    }

    /// Ends a start that hangs, or is about to begin, when the runtime closes.
    synchronized void interruptStart() {
        startUnwanted = true;
        if (starting != null) {
            starting.interrupt();
        }
    }

    private void send(TaskEvent event) {
        try {
            events.accept(event);
        } catch (Throwable t) {
            System.getLogger(EmbeddedActor.class.getName())
                    .log(
                            System.Logger.Level.ERROR,
                            "the receiver of the events of an actor of " + spec.operator() + " threw",
                            t);
        }
    }
}
