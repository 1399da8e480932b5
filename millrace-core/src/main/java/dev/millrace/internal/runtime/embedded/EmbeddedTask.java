package dev.millrace.internal.runtime.embedded;

import dev.millrace.block.Block;
import dev.millrace.block.RowOrigin;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.fault.ThreadPlace;
import dev.millrace.internal.flight.BlockFlightEvent;
import dev.millrace.internal.flight.TaskFlightEvent;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryTurn;
import dev.millrace.memory.MemoryYielded;
import dev.millrace.runtime.FunctionUse;
import dev.millrace.runtime.ProcessLost;
import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskProgress;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.runtime.ToleratedErrors;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One task: waiting, running on one thread, paused for credit, ended.
///
/// Credit, cancellation and `interruptible` are guarded by the task's monitor; everything else belongs to the thread
/// that runs the program. Events are sent without the monitor, by that thread only, hence in order. A grant or cancel
/// may come from any thread, also from within an event.
final class EmbeddedTask implements TaskContext {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final boolean CPU_TIME =
            THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();

    /// A counter of the report: how long the task waited for memory.
    private static final String MEMORY_WAIT = "memoryWaitNanos";

    private final EmbeddedRuntime runtime;
    private final TaskSpec spec;
    private final Consumer<TaskEvent> events;
    private final long submitted = System.nanoTime();
    private final Map<String, Long> counters = new HashMap<>();
    private final List<ToleratedErrors> errors = new ArrayList<>();
    private final List<FunctionUse> functions = new ArrayList<>();
    private @Nullable Serializable told;
    /// Asked by other threads while the program runs.
    private volatile @Nullable Supplier<TaskProgress> progress;
    private @Nullable Object actorState;
    /// Of the thread that runs the program.
    private @Nullable MemoryTurn turn;

    private long began;
    private long cpuBegan;
    private long pausedNanos;

    private int credit;
    private boolean makesRoom;
    private volatile boolean cancelled;
    /// The thread inside the program, while it may be interrupted; null before, after, and while an event is sent.
    private @Nullable Thread interruptible;

    private boolean ended;
    /// The thread that runs the program, from its start to its end.
    private volatile @Nullable Thread runner;

    EmbeddedTask(EmbeddedRuntime runtime, TaskSpec spec, Consumer<TaskEvent> events) {
        this.runtime = runtime;
        this.spec = spec;
        this.events = events;
        this.credit = spec.credit();
    }

    TaskSpec spec() {
        return spec;
    }

    /// Runs the program to its end on this thread and sends the final event. Throws nothing.
    ///
    /// @return how the process of an actor's object ended, if it did
    @Nullable
    ProcessLost run(@Nullable Object state) {
        actorState = state;
        runner = Thread.currentThread();
        began = System.nanoTime();
        cpuBegan = cpuNow();
        if (Thread.currentThread() instanceof WorkerPool.Worker worker) {
            worker.show(spec.operator());
        }
        TaskFlightEvent flight = new TaskFlightEvent();
        flight.begin();
        Throwable failure = null;
        if (enterProgram()) {
            MemoryTurn entered = spec.account().enter(spec.first());
            turn = entered;
            try (entered;
                    TaskCancellation.Scope _ = TaskCancellation.enter(this::isCancelled)) {
                spec.program().run(this);
            } catch (Throwable t) {
                // Errors too: an OutOfMemoryError or a LinkageError ends the task, not the worker.
                failure = t;
            }
            if (failure != null && turn.hasYielded()) {
                failure = new MemoryYielded();
            }
            if (turn.waitedNanos() > 0) {
                count(MEMORY_WAIT, turn.waitedNanos());
            }
        }
        if (flight.shouldCommit()) {
            flight.operator = spec.operator();
            flight.task = spec.id();
            flight.failed = failure != null;
            flight.commit();
        }
        ProcessLost lost = failure instanceof ProcessLost ended ? ended : null;
        end(failure, lost != null);
        return lost;
    }

    /// Where its thread is; empty while it has none.
    Optional<String> whereabouts() {
        return Optional.ofNullable(runner).map(ThreadPlace::of);
    }

    /// How far it is, where its program tells.
    Optional<TaskProgress> progress() {
        Supplier<TaskProgress> gauge = progress;
        return gauge == null ? Optional.empty() : Optional.of(gauge.get());
    }

    /// Ends a task whose program was never run.
    void failUnrun(Throwable cause, boolean workerLost) {
        began = System.nanoTime();
        cpuBegan = cpuNow();
        end(cause, workerLost);
    }

    private void end(@Nullable Throwable failure, boolean workerLost) {
        boolean wasCancelled;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            interruptible = null;
            wasCancelled = cancelled;
        }
        Thread.interrupted();
        runtime.forget(this);
        // A program that returns after its cancellation may have swallowed the interrupt: its output counts as
        // incomplete.
        Throwable cause = wasCancelled ? cancellation(failure) : failure;
        TaskReport report = report();
        try {
            events.accept(
                    cause == null
                            ? new TaskEvent.Finished(spec.id(), report)
                            : new TaskEvent.Failed(spec.id(), cause, workerLost && !wasCancelled, report));
        } catch (Throwable t) {
            System.getLogger(EmbeddedTask.class.getName())
                    .log(
                            System.Logger.Level.ERROR,
                            "the receiver of the events of task " + spec.id() + " (" + spec.operator()
                                    + ") threw at the final one",
                            t);
        }
    }

    private static TaskCancelled cancellation(@Nullable Throwable failure) {
        return failure instanceof TaskCancelled already ? already : new TaskCancelled();
    }

    private TaskReport report() {
        try {
            return measured();
        } catch (OutOfMemoryError e) {
            // The event must be sent even when the program has filled the heap.
            return TaskReport.EMPTY;
        }
    }

    private TaskReport measured() {
        long wall = System.nanoTime() - began - pausedNanos;
        return new TaskReport(
                wall,
                cpuNow() - cpuBegan,
                began - submitted,
                pausedNanos,
                EmbeddedRuntime.NODE,
                Map.copyOf(counters),
                List.copyOf(errors),
                List.copyOf(functions),
                told);
    }

    private static long cpuNow() {
        return CPU_TIME ? THREADS.getCurrentThreadCpuTime() : 0;
    }

    void grant(int blocks) {
        synchronized (this) {
            credit += blocks;
            notifyAll();
        }
    }

    /// Asks the program to end: at its next emit, or by an interrupt if it sleeps or waits.
    void cancel() {
        synchronized (this) {
            if (ended || cancelled) {
                return;
            }
            cancelled = true;
            if (interruptible != null) {
                interruptible.interrupt();
            }
            notifyAll();
        }
    }

    private synchronized boolean enterProgram() {
        interruptible = Thread.currentThread();
        return !cancelled;
    }

    @Override
    public void emit(Block block) {
        emit(block, List.of());
    }

    @Override
    public void emit(Block block, List<RowOrigin> origins) {
        handOver(block, origins, null);
    }

    @Override
    public void emitAside(String name, Block block) {
        handOver(block, List.of(), name);
    }

    private void handOver(Block block, List<RowOrigin> origins, @Nullable String aside) {
        boolean handedOver = false;
        try {
            if (!takeCredit()) {
                awaitCredit();
            }
            handedOver = true;
        } finally {
            if (!handedOver) {
                block.close();
            }
        }
        record(block);
        events.accept(new TaskEvent.BlockReady(spec.id(), runtime.put(block, origins, aside)));
        leaveEvent();
    }

    private void record(Block block) {
        BlockFlightEvent flight = new BlockFlightEvent();
        if (flight.shouldCommit()) {
            flight.operator = spec.operator();
            flight.task = spec.id();
            flight.rows = block.rows();
            flight.bytes = block.sizeBytes();
            flight.commit();
        }
    }

    /// Takes credit for one block if there is any, and then protects this thread from interrupts until [#leaveEvent]:
    /// the receiver of events need not expect any.
    private synchronized boolean takeCredit() {
        requireNotCancelled();
        if (credit > 0) {
            credit--;
            interruptible = null;
            return true;
        }
        interruptible = null;
        return false;
    }

    private void awaitCredit() {
        MemoryTurn turn = Objects.requireNonNull(this.turn, "a task that emits has entered its program");
        long since = System.nanoTime();
        turn.pause(this::askToMakeRoom);
        try {
            // Sent without the monitor; a grant that arrives before the wait below is seen there.
            events.accept(new TaskEvent.Paused(spec.id()));
            boolean interrupted = false;
            synchronized (this) {
                while (credit <= 0 && !cancelled && !makesRoom) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        // Not ours: cancel does not interrupt a paused task. Restored for the code that it was meant
                        // for.
                        interrupted = true;
                    }
                }
                requireNotCancelled();
                if (credit <= 0) {
                    throw turn.yields();
                }
                makesRoom = false;
                credit--;
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        } finally {
            turn.resume();
            pausedNanos += System.nanoTime() - since;
        }
    }

    /// Another task lacks the memory that this one holds while its blocks are not taken.
    private synchronized void askToMakeRoom() {
        makesRoom = true;
        notifyAll();
    }

    private synchronized void leaveEvent() {
        interruptible = Thread.currentThread();
        if (cancelled) {
            interruptible.interrupt();
        }
    }

    private void requireNotCancelled() {
        if (cancelled) {
            throw new TaskCancelled();
        }
    }

    @Override
    public int inputs() {
        return spec.inputs().size();
    }

    @Override
    public Block input(int index) {
        return EmbeddedBlock.rows(spec.inputs().get(index));
    }

    @Override
    public Allocator allocator() {
        return spec.account();
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public @Nullable Object actorState() {
        return actorState;
    }

    @Override
    public void count(String counter, long amount) {
        counters.merge(counter, amount, Long::sum);
    }

    @Override
    public void tolerated(ToleratedErrors tolerated) {
        errors.add(tolerated);
    }

    @Override
    public void used(FunctionUse function) {
        functions.add(function);
    }

    @Override
    public void watch(Supplier<TaskProgress> watched) {
        progress = watched;
    }

    @Override
    public void tell(Serializable value) {
        told = value;
    }
}
