package dev.millrace.internal.cluster;

import dev.millrace.block.Block;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.cluster.link.BlockNumbers;
import dev.millrace.internal.cluster.link.BlockPeer;
import dev.millrace.internal.cluster.link.BlockServer;
import dev.millrace.internal.cluster.link.BlockSource;
import dev.millrace.internal.cluster.shuffle.ShuffleFiles;
import dev.millrace.internal.runtime.FailureBytes;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.internal.runtime.wire.BlockBytes;
import dev.millrace.internal.runtime.wire.ProgramEncoder;
import dev.millrace.internal.runtime.wire.ShardFile;
import dev.millrace.internal.runtime.wire.ShippedProgram;
import dev.millrace.internal.runtime.wire.TaskInputs;
import dev.millrace.internal.runtime.wire.WireContext;
import dev.millrace.internal.runtime.wire.WireInput;
import dev.millrace.internal.runtime.wire.WireMessage;
import dev.millrace.internal.spill.BlockSpiller;
import dev.millrace.internal.transform.FunctionCheck;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.BlocksLost;
import dev.millrace.runtime.NodeEvent;
import dev.millrace.runtime.NodeSupply;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.runtime.TaskProgress;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.runtime.WorkerGone;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs tasks and actors in workers, and knows where their blocks are. A task goes to the node that it names, or to the
/// least busy one; its inputs are fetched by its worker, from wherever they are. Blocks are lost with their node,
/// except those in files.
///
/// Events of a worker are delivered by the thread of its connection.
public final class ClusterRuntime implements Runtime {
    private final String name;
    private final ClusterNodes nodes;
    private final @Nullable WorkerSupply supply;
    private final EmbeddedRuntime here;
    private final @Nullable ShuffleFiles shuffles;
    private final DriverBlocks blocks;
    private final Allocator driver;
    private final ProgramEncoder programs = new ProgramEncoder(FunctionCheck::refusal);
    /// Of the thread that opened the session: it finds the classes of the program.
    private final ClassLoader loader = Objects.requireNonNullElse(
            Thread.currentThread().getContextClassLoader(), ClusterRuntime.class.getClassLoader());
    /// Where tasks and actors are, until they have ended.
    private final Map<Long, WorkerNode> tasks = new ConcurrentHashMap<>();

    private final Map<Long, WorkerNode> actors = new ConcurrentHashMap<>();
    private final ExecutorService late = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("cluster-events").daemon().factory());
    private volatile boolean closed;

    /// Connects to the workers of the starter, and waits for the first of them.
    ///
    /// @param address shown in plans and stats
    /// @param driver the account of blocks in this process
    /// @param spiller for those; null: they stay in memory
    ClusterRuntime(String address, ClusterOptions options, Allocator driver, @Nullable BlockSpiller spiller) {
        this.name = address;
        this.driver = driver;
        this.here = new EmbeddedRuntime(Resources.NONE, 0, spiller, Duration.ofSeconds(10));
        this.blocks = new DriverBlocks(here, driver, this::relayed);
        try {
            this.shuffles = options.shuffleStorage() == null
                    ? null
                    : ShuffleFiles.in(options.shuffleStorage(), options.compresses());
        } catch (RuntimeException e) {
            here.close();
            throw e;
        }
        this.supply = options.starter().canGrow() ? new WorkerSupply(options.starter(), this::nodes) : null;
        this.nodes = new ClusterNodes(options, new BlockServer(blocks, driver), shuffles, this::handle);
        try {
            nodes.start();
        } catch (RuntimeException e) {
            nodes.close();
            closeHere();
            throw e;
        }
    }

    private record RemoteActor(long id) implements ActorRef {}

    @Override
    public String name() {
        return name;
    }

    @Override
    public Resources capacity() {
        return nodes().stream().map(Node::resources).reduce(Resources.NONE, Resources::plus);
    }

    @Override
    public List<Node> nodes() {
        return nodes.living().stream().map(WorkerNode::description).toList();
    }

    @Override
    public void watchNodes(Consumer<NodeEvent> listener) {
        nodes.watch(listener);
    }

    @Override
    public Optional<NodeSupply> supply() {
        return Optional.ofNullable(supply);
    }

    @Override
    public OptionalLong cpuNanos() {
        return OptionalLong.of(nodes.cpuNanos() + here.cpuNanos().orElse(0));
    }

    @Override
    public boolean shipsPrograms() {
        return true;
    }

    @Override
    public boolean sharesFiles() {
        return false;
    }

    @Override
    public boolean mayLoseBlocks() {
        return true;
    }

    @Override
    public void submit(TaskSpec task, Consumer<TaskEvent> events) {
        requireOpen();
        if (task.local()) {
            submitHere(task, events);
            return;
        }
        nodes.forget(programs.dropped());
        WorkerNode node = task.actor() != null ? actors.get(task.actor().id()) : node(task.node());
        if (node == null) {
            fail(
                    task.id(),
                    new WorkerGone("The task of " + task.operator() + " came to "
                            + (task.actor() == null ? "a worker that is gone" : "an actor that is stopped or gone")
                            + (task.node() == null ? "." : ", on " + task.node() + ".")),
                    events);
            return;
        }
        WireMessage.Submit message;
        try {
            message = new WireMessage.Submit(
                    task.id(),
                    task.first(),
                    task.operator(),
                    programs.encode(task.operator(), task.program()),
                    task.actor() == null ? -1 : task.actor().id(),
                    inputs(task, node),
                    task.credit(),
                    task.resources(),
                    task.stage(),
                    task.behind());
        } catch (MillraceException e) {
            late.execute(() -> events.accept(new TaskEvent.Failed(task.id(), e, false, TaskReport.EMPTY)));
            return;
        }
        if (tasks.putIfAbsent(task.id(), node) != null) {
            throw MillraceException.internal("task " + task.id() + " of " + task.operator() + " was submitted twice");
        }
        Consumer<TaskEvent> untilEnd = event -> {
            if (event instanceof TaskEvent.Finished || event instanceof TaskEvent.Failed) {
                tasks.remove(task.id());
            }
            events.accept(event);
        };
        if (!node.submit(message, programs::part, untilEnd)) {
            tasks.remove(task.id());
            fail(task.id(), node.goneBefore(), events);
        }
    }

    private void fail(long task, Throwable cause, Consumer<TaskEvent> events) {
        late.execute(() -> events.accept(new TaskEvent.Failed(task, cause, true, TaskReport.EMPTY)));
    }

    private @Nullable WorkerNode node(@Nullable String named) {
        return named == null ? nodes.leastBusy() : nodes.named(named);
    }

    private static List<WireInput> inputs(TaskSpec task, WorkerNode node) {
        List<WireInput> inputs = new ArrayList<>(task.inputs().size());
        for (BlockSlice slice : task.inputs()) {
            inputs.add(
                    switch (own(slice.block())) {
                        case ClusterBlock.Small small ->
                            new WireInput.Inline(small.bytes().part(slice.from(), slice.rows()));
                        case ClusterBlock.Held held ->
                            new WireInput.Stored("", held.number(), slice.from(), slice.rows(), false, null);
                        case ClusterBlock.Remote remote ->
                            new WireInput.Stored(
                                    remote.holder().name(),
                                    remote.number(),
                                    slice.from(),
                                    slice.rows(),
                                    (remote.file() != null || !remote.holder().equals(node))
                                            && slice.isWhole()
                                            && remote.sharedBy(node),
                                    remote.file());
                    });
        }
        return inputs;
    }

    private static ClusterBlock own(BlockRef block) {
        if (block instanceof ClusterBlock own) {
            return own;
        }
        throw MillraceException.internal("a block of another runtime came to the cluster: " + block);
    }

    /// Runs a task that needs the driver's objects.
    private void submitHere(TaskSpec task, Consumer<TaskEvent> events) {
        if (task.actor() != null) {
            throw MillraceException.internal("a local task cannot run in an actor of a worker");
        }
        List<BlockSlice> inputs = task.inputs();
        TaskProgram program = context -> task.program().run(WireContext.of(context, inputs.size(), new TaskInputs() {
            @Override
            public Block input(int index, Allocator account) {
                return fetch(inputs.get(index), account, index);
            }

            @Override
            public void close() {}
        }));
        TaskSpec inner = new TaskSpec(
                task.id(),
                task.first(),
                task.operator(),
                program,
                null,
                List.of(),
                task.credit(),
                task.resources(),
                task.account(),
                false,
                null,
                task.stage());
        here.submit(
                inner,
                event -> events.accept(
                        event instanceof TaskEvent.BlockReady ready
                                ? new TaskEvent.BlockReady(task.id(), blocks.add(ready.block()))
                                : event));
    }

    @Override
    public void grant(long task, int count) {
        WorkerNode node = tasks.get(task);
        if (node == null) {
            here.grant(task, count);
        } else {
            node.link().send(new WireMessage.Grant(task, count));
        }
    }

    @Override
    public void cancel(long task) {
        WorkerNode node = tasks.get(task);
        if (node == null) {
            here.cancel(task);
        } else {
            node.link().send(new WireMessage.Cancel(task));
        }
    }

    @Override
    public boolean queuesTasks() {
        return true;
    }

    @Override
    public void begin(long task) {
        WorkerNode node = tasks.get(task);
        if (node != null) {
            node.link().send(new WireMessage.Begin(task));
        }
    }

    @Override
    public void recall(long task) {
        WorkerNode node = tasks.get(task);
        if (node != null) {
            node.link().send(new WireMessage.Recall(task));
        }
    }

    @Override
    public Optional<String> whereabouts(long task) {
        WorkerNode node = tasks.get(task);
        return node == null ? here.whereabouts(task) : node.whereabouts(task);
    }

    @Override
    public Optional<TaskProgress> progress(long task) {
        WorkerNode node = tasks.get(task);
        return node == null ? here.progress(task) : node.progress(task);
    }

    @Override
    public ActorRef startActor(ActorSpec actor, Consumer<TaskEvent> events) {
        requireOpen();
        WorkerNode node = node(actor.node());
        RemoteActor ref = new RemoteActor(actor.id());
        try {
            ShippedProgram program = programs.encode(actor.operator(), actor.program());
            WireMessage.StartActor start = new WireMessage.StartActor(
                    actor.id(), actor.operator(), program, actor.resources(), actor.concurrency());
            if (node != null) {
                actors.put(actor.id(), node);
            }
            if (node == null || !node.startActor(start, programs::part, events)) {
                actors.remove(actor.id());
                MillraceException cause =
                        MillraceException.resources("No worker is there for " + actor.operator() + ".");
                late.execute(() -> events.accept(new TaskEvent.ActorFailed(actor.id(), cause, true)));
            }
        } catch (MillraceException e) {
            late.execute(() -> events.accept(new TaskEvent.ActorFailed(actor.id(), e, false)));
        }
        return ref;
    }

    @Override
    public void stopActor(ActorRef actor) {
        WorkerNode node = actors.remove(actor.id());
        if (node != null) {
            node.stopActor(actor.id());
        }
    }

    /// Handles a message of a worker, on the thread of its connection.
    private void handle(WorkerNode node, WireMessage message) {
        switch (message) {
            case WireMessage.Ready ready -> {
                byte[] stream = ready.bytes();
                if (ready.file() != null && shuffles != null) {
                    shuffles.made(ready.file());
                }
                ClusterBlock block = stream == null
                        ? new ClusterBlock.Remote(ready.metadata(), node, ready.number(), ready.file(), this)
                        : new ClusterBlock.Small(
                                ready.metadata(),
                                new BlockBytes(stream, 0, ready.metadata().rows()));
                Consumer<TaskEvent> events = node.receiver(ready.task(), false);
                if (events == null) {
                    block.release();
                } else {
                    events.accept(new TaskEvent.BlockReady(ready.task(), block));
                }
            }
            case WireMessage.Paused paused ->
                deliver(node.receiver(paused.task(), false), new TaskEvent.Paused(paused.task()));
            case WireMessage.Ended ended -> {
                byte[] failure = ended.failure();
                deliver(
                        node.receiver(ended.task(), true),
                        failure == null
                                ? new TaskEvent.Finished(ended.task(), ended.report())
                                : new TaskEvent.Failed(
                                        ended.task(), thrown(failure), ended.workerLost(), ended.report()));
            }
            case WireMessage.ActorState state -> {
                byte[] failure = state.failure();
                deliver(
                        node.actorReceiver(state.actor(), failure != null),
                        failure == null
                                ? new TaskEvent.ActorReady(state.actor())
                                : new TaskEvent.ActorFailed(state.actor(), thrown(failure), state.workerLost()));
            }
            case WireMessage.Whereabouts where -> node.answered(where);
            case WireMessage.Pulse pulse -> node.pulse(pulse);
            case WireMessage.WantLinks want -> nodes.serve(node, want.links());
            default -> throw new IllegalStateException("not for a driver: " + message);
        }
    }

    private static void deliver(@Nullable Consumer<TaskEvent> events, TaskEvent event) {
        if (events != null) {
            events.accept(event);
        }
    }

    private Throwable thrown(byte[] failure) {
        return FailureBytes.decode(failure, loader);
    }

    @Override
    public BlockRef put(Block block) {
        requireOpen();
        return blocks.add(here.put(block));
    }

    @Override
    public Block get(BlockSlice slice) {
        return fetch(slice, driver, 0);
    }

    private Block fetch(BlockSlice slice, Allocator account, int index) {
        return switch (own(slice.block())) {
            case ClusterBlock.Small small ->
                small.bytes().part(slice.from(), slice.rows()).decode(account);
            case ClusterBlock.Held held -> here.get(new BlockSlice(held.block(), slice.from(), slice.rows()));
            case ClusterBlock.Remote remote
            when remote.file() != null ->
                Objects.requireNonNull(shuffles, "a session with files")
                        .read(remote.file(), slice.from(), slice.rows(), account);
            case ClusterBlock.Remote remote -> {
                try {
                    yield remote.holder().blocks().fetch(remote.number(), slice.from(), slice.rows(), null, account);
                } catch (BlockPeer.PeerGone e) {
                    throw new BlocksLost(String.valueOf(e.getMessage()), List.of(index));
                }
            }
        };
    }

    /// Rows of a worker's block, for another that cannot reach it.
    private Block relayed(long number, long from, long rows) {
        WorkerNode holder = nodes.numbered(BlockNumbers.worker(number));
        if (holder == null) {
            throw new BlockSource.BlockGone("its worker was lost");
        }
        try {
            return holder.blocks().fetch(number, from, rows, null, driver);
        } catch (BlockPeer.PeerGone e) {
            throw new BlockSource.BlockGone(String.valueOf(e.getMessage()));
        }
    }

    /// Ends the connections, and the workers that were started for this runtime.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (supply != null) {
            supply.close();
        }
        nodes.close();
        late.shutdown();
        closeHere();
    }

    private void closeHere() {
        here.close();
        if (shuffles != null) {
            shuffles.close();
        }
    }

    /// A block that is in a file was freed.
    void removeFile(ShardFile file) {
        Objects.requireNonNull(shuffles, "a session with files").remove(file);
    }

    private void requireOpen() {
        if (closed) {
            throw MillraceException.internal("the cluster runtime is closed");
        }
    }
}
