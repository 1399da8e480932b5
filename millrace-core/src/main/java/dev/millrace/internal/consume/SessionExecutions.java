package dev.millrace.internal.consume;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.FailureChain;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.engine.ExecutionContext;
import dev.millrace.internal.engine.ExecutionEngine;
import dev.millrace.internal.engine.PlanRun;
import dev.millrace.internal.observe.DeadLetterSample;
import dev.millrace.internal.observe.RunDetails;
import dev.millrace.internal.observe.SessionObserver;
import dev.millrace.internal.plan.ExplainText;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.PlanRewrite;
import dev.millrace.internal.plan.optimize.PlanOptimizer;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.plan.physical.PhysicalPlanner;
import dev.millrace.internal.progress.ProgressReporter;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.thread.DeepStack;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryTurn;
import dev.millrace.memory.Patience;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.Settings;
import dev.millrace.stats.RunStats;
import java.lang.ref.Reference;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/// What the datasets of a session share: runtime, capacity, memory, and the list of open resources (runs, materialised
/// blocks, iterations), which the session closes at its end. Thread-safe: `this` guards the list.
public final class SessionExecutions implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SessionExecutions.class.getName());

    /// The maximum number of unclosed datasets that a message names.
    private static final int MAX_NAMED = 10;
    /// The maximum plan depth, in nodes, that needs no thread with a larger stack.
    private static final int MAX_SHALLOW = 200;

    private final Runtime runtime;
    private final CapacityShare capacity;
    private final Allocator memory;
    private final ProgressReporter progress = new ProgressReporter();
    private final AtomicLong ids = new AtomicLong();
    private final Set<AutoCloseable> open = new LinkedHashSet<>();
    private final DeadLetterBox deadLetters = new DeadLetterBox(this);
    private final NodeFiles files;
    /// Empty unless the session is observed; set before the first run.
    private volatile List<SessionObserver> observers = List.of();

    private boolean closed;

    public SessionExecutions(Runtime runtime, CapacityShare capacity, Allocator memory) {
        this.runtime = runtime;
        this.capacity = capacity;
        this.memory = memory;
        this.files = new NodeFiles(runtime, memory);
    }

    /// Tells these of every run from now on, and closes them at the end.
    public void observedBy(List<SessionObserver> watchers) {
        observers = List.copyOf(watchers);
    }

    /// Where the session can be looked at, if it has a dashboard.
    public Optional<URI> dashboard() {
        return observers.stream().flatMap(watcher -> watcher.address().stream()).findFirst();
    }

    /// The plans of a dataset, and the nodes that they would run on.
    public String explain(LogicalPlan plan, Settings settings) {
        Resources there = settings.runs().within(capacity.total());
        Resources all = new Resources(there.cpus(), there.gpus(), blockBytes(settings), there.custom());
        return DeepStack.call(() -> ExplainText.text(plan, settings, all)) + ExplainText.nodes(runtime.nodes());
    }

    public Runtime runtime() {
        return runtime;
    }

    public CapacityShare capacity() {
        return capacity;
    }

    public Allocator memory() {
        return memory;
    }

    public DeadLetterBox deadLetters() {
        return deadLetters;
    }

    /// Starts a run of the plan for one consumer.
    ///
    /// @param name in stats and progress
    /// @param ended gets the final figures, when the execution is closed
    public DatasetExecution start(LogicalPlan plan, Settings settings, String name, Consumer<RunStats> ended) {
        return start(plan, settings, name, ended, 0);
    }

    /// @param batchRows rows of the batches that the consumer cuts; 0: not known
    public DatasetExecution start(
            LogicalPlan plan, Settings settings, String name, Consumer<RunStats> ended, long batchRows) {
        return start(planned(plan, settings, batchRows), plan, settings, name, ended, 1, SessionExecutions::startOne)
                .getFirst();
    }

    /// Starts a run that is planned already.
    ///
    /// @param plan what it was planned from
    public DatasetExecution start(
            PhysicalPlan physical, LogicalPlan plan, Settings settings, String name, Consumer<RunStats> ended) {
        return start(physical, plan, settings, name, ended, 1, SessionExecutions::startOne)
                .getFirst();
    }

    private static List<PlanRun> startOne(PhysicalPlan physical, ExecutionContext context) {
        return List.of(ExecutionEngine.start(physical, context));
    }

    /// The physical plan that would run.
    public PhysicalPlan planned(LogicalPlan plan, Settings settings) {
        return planned(plan, settings, 0);
    }

    private PhysicalPlan planned(LogicalPlan plan, Settings settings, long batchRows) {
        int otherRuns = openRuns();
        return DeepStack.call(() -> PhysicalPlanner.plan(
                PlanOptimizer.optimize(plan),
                settings,
                settings.runs().within(capacity.total()),
                blockBytes(settings),
                settings.runs()
                        .blockBytes(
                                capacity.memory().isKnown() ? capacity.memory().leastNode() : memory.limit()),
                otherRuns,
                batchRows,
                runtime.shipsPrograms()));
    }

    /// The block memory that a run with these settings plans with: that of the workers, where they have one of their
    /// own.
    public long blockBytes(Settings settings) {
        return settings.runs()
                .blockBytes(capacity.memory().isKnown() ? capacity.memory().evenBytes() : memory.limit());
    }

    /// The runs that consumers read, or have paused.
    private synchronized int openRuns() {
        int runs = 0;
        for (AutoCloseable resource : open) {
            runs += resource instanceof DatasetExecution ? 1 : 0;
        }
        return runs;
    }

    /// Starts a run of the plan for several consumers, each with its part of the output.
    ///
    /// @param equal all get the same number of rows
    /// @param batchRows rows of the batches that all of them cut; 0: not known
    public List<DatasetExecution> startSplit(
            LogicalPlan plan,
            Settings settings,
            String name,
            Consumer<RunStats> ended,
            int consumers,
            boolean equal,
            long batchRows) {
        return start(
                planned(plan, settings, batchRows),
                plan,
                settings,
                name,
                ended,
                consumers,
                (physical, context) -> ExecutionEngine.startSplit(physical, context, consumers, equal));
    }

    private List<DatasetExecution> start(
            PhysicalPlan physical,
            LogicalPlan plan,
            Settings settings,
            String name,
            Consumer<RunStats> ended,
            int consumers,
            BiFunction<PhysicalPlan, ExecutionContext, List<PlanRun>> engine) {
        requireOpen();
        files.require(plan);
        String unique = name + "-" + ids.incrementAndGet();
        List<List<BlockSlice>> inputs = new ArrayList<>();
        List<PlanRun> runs;
        try (ResourceScope scope = new ResourceScope()) {
            for (int i = 0; i < consumers; i++) {
                inputs.add(scope.list());
                hold(plan, inputs.get(i));
            }
            ExecutionContext context = new ExecutionContext(
                    runtime, capacity, memory, settings, unique, run -> begun(run, plan, settings, unique));
            // Operators are created from the output to the reads, and a run cannot be started twice.
            runs = PlanRewrite.depth(plan) > MAX_SHALLOW
                    ? DeepStack.onOwnThread(() -> engine.apply(physical, context))
                    : engine.apply(physical, context);
            scope.keep();
        } finally {
            // Up to here the plan's handles keep its blocks; from here on the run does.
            Reference.reachabilityFence(plan);
        }
        Set<String> letters = DeadLetterBox.names(plan);
        List<DatasetExecution> executions = new ArrayList<>();
        for (int i = 0; i < consumers; i++) {
            Allocator account = memory.child(unique + " (consumer)", Patience.CONSUMER);
            executions.add(new DatasetExecution(
                    this,
                    runs.get(i),
                    runtime,
                    account,
                    inputs.get(i),
                    letters,
                    settings.faults().cancelTimeout(),
                    ended));
        }
        executions.forEach(this::register);
        return executions;
    }

    private void begun(PlanRun run, LogicalPlan plan, Settings settings, String name) {
        progress.started(run, settings.progress());
        for (SessionObserver watcher : observers) {
            watcher.started(new ObservedPlanRun(name, settings, run, () -> explain(plan, settings)));
        }
    }

    /// A plan holds no references to the blocks it starts from; its run does.
    private static void hold(LogicalPlan plan, List<BlockSlice> held) {
        PlanRewrite.visit(plan, node -> {
            if (node instanceof LogicalPlan.Blocks blocks) {
                hold(blocks, held);
            }
        });
    }

    private static void hold(LogicalPlan.Blocks blocks, List<BlockSlice> held) {
        for (BlockSlice slice : blocks.blocks()) {
            if (!slice.block().tryRetain()) {
                throw MillraceException.user("The materialised dataset that this one starts from was closed: its"
                        + " blocks are gone. Close it after the datasets made from it are consumed.");
            }
            held.add(slice);
        }
    }

    /// Keeps blocks that outlive the runs which made them. Takes over the caller's reference to each.
    public HeldBlocks keep(List<BlockSlice> slices) {
        slices.forEach(slice -> slice.block().maySpill());
        HeldBlocks held = new HeldBlocks(this, slices);
        register(held);
        return held;
    }

    /// The open runs.
    public synchronized List<RunStats> running() {
        return open.stream()
                .filter(DatasetExecution.class::isInstance)
                .map(execution -> ((DatasetExecution) execution).stats())
                .toList();
    }

    /// The session closes this resource at its end, unless it is forgotten before.
    void register(AutoCloseable resource) {
        boolean late;
        synchronized (this) {
            late = closed;
            if (!late) {
                open.add(resource);
            }
        }
        if (late) {
            close(resource);
            throw closedSession();
        }
    }

    /// The last step of a resource's close: everything of it is freed.
    synchronized void forget(AutoCloseable resource) {
        open.remove(resource);
        notifyAll();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void requireOpen() {
        if (closed) {
            throw closedSession();
        }
    }

    private static MillraceException closedSession() {
        return MillraceException.user("The session is closed: its datasets can no longer be consumed.");
    }

    /// Closing waits until functions and readers have ended: a function that closes its own session would wait for
    /// itself.
    public void requireOutside() {
        for (Allocator account = MemoryTurn.accountOfTask(); account != null; account = account.parent()) {
            if (account == memory) {
                throw MillraceException.user(
                        "A session was closed inside of a function of one of its datasets, for which"
                                + " the close would wait. Close it when its datasets have been read.");
            }
        }
        synchronized (this) {
            for (AutoCloseable resource : open) {
                if (resource instanceof DatasetExecution execution && execution.isReadByThisThread()) {
                    throw MillraceException.user("A session was closed inside of an action on the rows of one of its"
                            + " datasets, for which the close would wait. Close it when its datasets have been read.");
                }
            }
        }
    }

    /// Closes open resources, the latest first: dependent resources are closed before what they depend on. Runs that
    /// are ended by this may leave dead letters, which are freed at once. Returns when everything is freed, including
    /// what a reader is just closing itself.
    @Override
    public void close() {
        List<AutoCloseable> left;
        synchronized (this) {
            closed = true;
            left = new ArrayList<>(open);
        }
        tellUnclosed(left);
        RuntimeException failure = null;
        for (AutoCloseable resource : left.reversed()) {
            try {
                close(resource);
            } catch (RuntimeException e) {
                failure = FailureChain.add(failure, e);
            }
        }
        awaitNothingOpen();
        progress.close();
        observers.forEach(SessionObserver::close);
        if (failure != null) {
            throw failure;
        }
    }

    private synchronized void awaitNothingOpen() {
        boolean interrupted = false;
        while (!open.isEmpty()) {
            try {
                wait();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void tellUnclosed(List<AutoCloseable> left) {
        List<String> unclosed = new ArrayList<>();
        for (AutoCloseable resource : left) {
            if (resource instanceof HeldBlocks held && held.unclosedDataset() != null && held.sizeBytes() > 0) {
                unclosed.add(held.unclosedDataset() + " (" + held.sizeBytes() + " bytes)");
            }
        }
        if (!unclosed.isEmpty()) {
            boolean one = unclosed.size() == 1;
            LOG.log(
                    System.Logger.Level.INFO,
                    "The session ends and frees " + unclosed.size()
                            + (one ? " dataset that was" : " datasets that were")
                            + " materialised and never closed: "
                            + String.join(", ", unclosed.subList(0, Math.min(MAX_NAMED, unclosed.size())))
                            + (unclosed.size() > MAX_NAMED ? ", ..." : "")
                            + ". close() or try-with-resources frees " + (one ? "it" : "them") + " earlier.");
        }
    }

    /// A run of a consumer is closed.
    void ended(PlanRun run, Set<String> letters) {
        List<SessionObserver> watchers = observers;
        List<DeadLetterSample> samples = new ArrayList<>();
        boolean last = deadLetters.collect(run, letters, byName -> {
            if (!watchers.isEmpty()) {
                samples.addAll(DeadLetterSamples.of(runtime, byName));
            }
        });
        if (last && !watchers.isEmpty()) {
            RunDetails details = run.details();
            watchers.forEach(watcher -> watcher.ended(details, samples));
        }
        if (run.stats().state() != RunStats.State.RUNNING) {
            progress.finished(run);
        }
    }

    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
