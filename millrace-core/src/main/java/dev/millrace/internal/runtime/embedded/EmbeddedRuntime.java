package dev.millrace.internal.runtime.embedded;

import com.sun.management.OperatingSystemMXBean;
import dev.millrace.block.Block;
import dev.millrace.block.RowOrigin;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.runtime.GpuMonitor;
import dev.millrace.internal.runtime.GpuShares;
import dev.millrace.internal.runtime.MachineLimits;
import dev.millrace.internal.spill.BlockSpiller;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskProgress;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.stats.GpuStats;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs tasks and actors on threads of this process and keeps blocks in the memory where they were created. Each task
/// has a thread from its start to its end; a task that waits for credit keeps its thread, parked.
///
/// Cancelling interrupts the thread inside a program (never while it sends an event), so that sleeping or waiting user
/// code ends soon. An interrupt closes an interruptible channel that the thread uses: programs share no open file
/// channel.
public final class EmbeddedRuntime implements Runtime {
    static final String NODE = "local";
    private static final Duration MAX_CLOSE = Duration.ofSeconds(10);

    private final Resources capacity;
    private final long blockMemory;
    private final GpuShares gpus;
    private final GpuMonitor gpuMonitor = new GpuMonitor();
    private final @Nullable BlockSpiller spiller;
    private final WorkerPool pool = new WorkerPool();
    private final Map<Long, EmbeddedTask> tasks = new ConcurrentHashMap<>();
    private final Map<Long, EmbeddedActor> actors = new ConcurrentHashMap<>();
    private final Set<EmbeddedBlock> store = ConcurrentHashMap.newKeySet();
    private final Duration closeTimeout;
    private volatile boolean closed;

    /// With all resources of this machine or its container.
    public EmbeddedRuntime() {
        this(MachineLimits.local().resources());
    }

    public EmbeddedRuntime(Resources capacity) {
        this(capacity, 0, null, MAX_CLOSE);
    }

    /// @param blockMemory the limit of the account that its tasks allocate from; 0 if it is not known
    /// @param spiller for blocks that may be spilled; its creator closes it after this; null: they stay in memory
    /// @param closeTimeout how long [#close] waits for work that does not end, if that is below ten seconds
    public EmbeddedRuntime(
            Resources capacity, long blockMemory, @Nullable BlockSpiller spiller, Duration closeTimeout) {
        this.capacity = capacity;
        this.blockMemory = blockMemory;
        this.gpus = new GpuShares((int) Math.ceil(capacity.gpus()));
        this.spiller = spiller;
        this.closeTimeout = closeTimeout.compareTo(MAX_CLOSE) < 0 ? closeTimeout : MAX_CLOSE;
    }

    @Override
    public String name() {
        return "embedded";
    }

    @Override
    public Resources capacity() {
        return capacity;
    }

    @Override
    public List<Node> nodes() {
        return List.of(new Node(NODE, capacity, blockMemory));
    }

    @Override
    public long spilledBytes() {
        return spiller == null ? 0 : spiller.stats().spilledBytes();
    }

    @Override
    public OptionalLong cpuNanos() {
        long nanos = ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : -1;
        return nanos < 0 ? OptionalLong.empty() : OptionalLong.of(nanos);
    }

    @Override
    public List<GpuStats> gpus() {
        return gpuMonitor.stats();
    }

    @Override
    public boolean shipsPrograms() {
        return false;
    }

    @Override
    public void submit(TaskSpec spec, Consumer<TaskEvent> events) {
        requireOpen();
        EmbeddedTask task = new EmbeddedTask(this, spec, events);
        if (tasks.putIfAbsent(spec.id(), task) != null) {
            throw MillraceException.internal("task " + spec.id() + " of " + spec.operator() + " was submitted twice");
        }
        try {
            if (spec.actor() == null) {
                pool.execute(() -> task.run(null));
            } else {
                own(spec.actor()).call(task);
            }
        } catch (RuntimeException e) {
            forget(task);
            throw e;
        }
    }

    @Override
    public void grant(long task, int blocks) {
        EmbeddedTask running = tasks.get(task);
        if (running != null) {
            running.grant(blocks);
        }
    }

    @Override
    public void cancel(long id) {
        EmbeddedTask task = tasks.get(id);
        if (task == null) {
            return;
        }
        task.cancel();
        ActorRef actor = task.spec().actor();
        if (actor != null && own(actor).withdraw(task)) {
            pool.execute(() -> task.run(null));
        }
    }

    @Override
    public Optional<String> whereabouts(long id) {
        EmbeddedTask task = tasks.get(id);
        return task == null ? Optional.empty() : task.whereabouts();
    }

    @Override
    public Optional<TaskProgress> progress(long id) {
        EmbeddedTask task = tasks.get(id);
        return task == null ? Optional.empty() : task.progress();
    }

    void forget(EmbeddedTask task) {
        tasks.remove(task.spec().id());
    }

    @Override
    public ActorRef startActor(ActorSpec spec, Consumer<TaskEvent> events) {
        requireOpen();
        GpuShares.Share share = gpus.take(spec.resources().gpus());
        EmbeddedActor actor = new EmbeddedActor(spec, share.devices(), events, pool, () -> {
            gpus.giveBack(share);
            gpuMonitor.end(share.devices());
            actors.remove(spec.id());
        });
        if (actors.putIfAbsent(spec.id(), actor) != null) {
            gpus.giveBack(share);
            throw MillraceException.internal("actor " + spec.id() + " of " + spec.operator() + " was started twice");
        }
        gpuMonitor.begin(share.devices());
        pool.execute(actor::run);
        return actor;
    }

    @Override
    public void stopActor(ActorRef actor) {
        own(actor).stop();
    }

    private static EmbeddedActor own(ActorRef actor) {
        if (actor instanceof EmbeddedActor embedded) {
            return embedded;
        }
        throw MillraceException.internal("an actor of another runtime came to the embedded one: " + actor);
    }

    @Override
    public BlockRef put(Block block) {
        return put(block, List.of(), null);
    }

    /// @param origins the files its rows were read from, if known
    /// @param aside the side output it belongs to, or null
    BlockRef put(Block block, List<RowOrigin> origins, @Nullable String aside) {
        return EmbeddedBlock.in(store, block, origins, aside, spiller);
    }

    @Override
    public Block get(BlockSlice slice) {
        return EmbeddedBlock.rows(slice);
    }

    /// Stops the actors, ends the threads and frees the rest of the store. Work that still runs, against the contract,
    /// is cancelled; work that does not end within some seconds is an error that names it, and its threads are daemons.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        tasks.keySet().forEach(this::cancel);
        actors.values().forEach(EmbeddedActor::stop);
        actors.values().forEach(EmbeddedActor::interruptStart);
        Set<String> busy = pool.close(closeTimeout.toNanos());
        for (EmbeddedBlock block : new ArrayList<>(store)) {
            block.free();
        }
        if (!busy.isEmpty()) {
            throw MillraceException.user("The session was closed while work goes on that does not end when it is"
                    + " cancelled: " + String.join("; ", new TreeSet<>(busy))
                    + ". Functions should end when their thread is interrupted.");
        }
    }

    private void requireOpen() {
        if (closed) {
            throw MillraceException.internal("the embedded runtime is closed");
        }
    }
}
