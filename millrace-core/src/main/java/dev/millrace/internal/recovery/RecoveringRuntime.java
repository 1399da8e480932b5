package dev.millrace.internal.recovery;

import dev.millrace.block.Block;
import dev.millrace.compute.Resources;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
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
import dev.millrace.runtime.TaskProgress;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.settings.FaultSettings;
import dev.millrace.stats.GpuStats;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Wraps a runtime that may lose blocks, and makes lost ones again when they are asked for: as the input of a task, or
/// by [#get]. Each block has a recipe: the maker's program, the recipes of its inputs as row ranges, and the number of
/// the block's first row in the maker's output. Recipes hold no block, so inputs are freed as usual; a chain of recipes
/// ends at reads, and at blocks that the program put in. The engine sees no loss but that of a running task's input
/// ([BlocksLost]): it submits the task again.
///
/// Owns the wrapped runtime. Thread-safe.
public final class RecoveringRuntime implements Runtime {
    /// Times that the rows of one call of [#get] may be lost on their way.
    private static final int MAX_LOSSES = 100;

    private final Runtime below;
    private final Allocator memory;
    private final Allocator account;
    private final LostNodes lostNodes = new LostNodes();
    private final PoolActors actors;
    private final BlockRecoveries recoveries;
    private final StragglerWatch stragglers;
    private final AtomicBoolean watches = new AtomicBoolean();
    private final Map<Long, TaskRecipe> recipes = new ConcurrentHashMap<>();
    private final Map<Long, ForwardedTask> tasks = new ConcurrentHashMap<>();
    /// Tasks that wait at their node, by those in front of them.
    private final Map<Long, ForwardedTask> queued = new ConcurrentHashMap<>();

    private final AtomicBoolean closed = new AtomicBoolean();

    /// @param memory the session's, for blocks of this process
    /// @param faults how often a task is run again that fails while it makes lost blocks
    public RecoveringRuntime(Runtime below, Allocator memory, FaultSettings faults) {
        this(below, memory, faults, StragglerWatch.Rule.DEFAULT);
    }

    /// @param rule which tasks are stragglers
    RecoveringRuntime(Runtime below, Allocator memory, FaultSettings faults, StragglerWatch.Rule rule) {
        this.stragglers = new StragglerWatch(below, rule);
        this.below = below;
        this.memory = memory;
        this.account = memory.child("blocks made again");
        this.actors = new PoolActors(below);
        this.recoveries = new BlockRecoveries(below, actors, account, faults, this::offerBlocks);
        below.watchNodes(lostNodes::accept);
    }

    /// The runtime itself, or one around it that makes its lost blocks again, if it may lose any.
    public static Runtime around(Runtime runtime, Allocator memory, FaultSettings faults) {
        return runtime.mayLoseBlocks() ? new RecoveringRuntime(runtime, memory, faults) : runtime;
    }

    /// While blocks are made again, all others may be spilled, on runtimes that share the driver's memory: tasks that
    /// wait for lost blocks count as computing, so nobody would look for memory elsewhere.
    private void offerBlocks() {
        recipes.values().forEach(TaskRecipe::maySpill);
    }

    Runtime below() {
        return below;
    }

    LostNodes lostNodes() {
        return lostNodes;
    }

    BlockRecoveries recoveries() {
        return recoveries;
    }

    StragglerWatch stragglers() {
        return stragglers;
    }

    /// The number of recipes in use: none once all blocks are freed and no task runs.
    int recipes() {
        return recipes.size();
    }

    /// Tasks that were run again, so far, because their blocks were lost.
    public long tasksRunAgain() {
        return recoveries.tasksRunAgain();
    }

    /// Lost blocks that were made again so far.
    public long blocksMadeAgain() {
        return recoveries.blocksMadeAgain();
    }

    @Override
    public String name() {
        return below.name();
    }

    @Override
    public Resources capacity() {
        return below.capacity();
    }

    @Override
    public List<Node> nodes() {
        return below.nodes();
    }

    @Override
    public void watchNodes(Consumer<NodeEvent> listener) {
        below.watchNodes(listener);
    }

    @Override
    public long spilledBytes() {
        return below.spilledBytes();
    }

    @Override
    public Optional<NodeSupply> supply() {
        return below.supply();
    }

    @Override
    public OptionalLong cpuNanos() {
        return below.cpuNanos();
    }

    @Override
    public List<GpuStats> gpus() {
        return below.gpus();
    }

    @Override
    public boolean shipsPrograms() {
        return below.shipsPrograms();
    }

    @Override
    public boolean sharesFiles() {
        return below.sharesFiles();
    }

    @Override
    public boolean mayLoseBlocks() {
        return false;
    }

    @Override
    public void submit(TaskSpec spec, Consumer<TaskEvent> events) {
        PoolActors.LivingActor actor = actors.of(spec.actor());
        TaskRecipe recipe = TaskRecipe.of(recipes, spec, actor == null ? null : actor.spec());
        ForwardedTask task = new ForwardedTask(this, spec, events, recipe, actor);
        if (tasks.putIfAbsent(spec.id(), task) != null) {
            recipe.release();
            throw MillraceException.internal("task " + spec.id() + " of " + spec.operator() + " was submitted twice");
        }
        if (spec.behind() != 0) {
            queued.put(spec.behind(), task);
        }
        task.start();
        if (spec.behind() != 0 && !tasks.containsKey(spec.behind())) {
            var _ = beginsAfter(spec.behind());
        }
        if (spec.node() != null) {
            watch();
        }
    }

    /// Looks for stragglers from time to time, while tasks run on nodes that the engine chose.
    private void watch() {
        if (watches.compareAndSet(false, true)) {
            recoveries.later(stragglers.pauseNanos(), () -> {
                watches.set(false);
                stragglers.look(List.copyOf(tasks.values()));
                if (!tasks.isEmpty()) {
                    watch();
                }
            });
        }
    }

    /// A task has ended for the engine.
    ///
    /// @param isLeft whether it may still run below
    void forget(long task, boolean isLeft) {
        tasks.remove(task);
        ForwardedTask next = beginsAfter(task);
        if (next != null && isLeft) {
            recoveries.post(() -> below.begin(next.spec().id()));
        }
    }

    private @Nullable ForwardedTask beginsAfter(long ended) {
        ForwardedTask next = queued.remove(ended);
        if (next != null) {
            next.begins();
        }
        return next;
    }

    @Override
    public boolean queuesTasks() {
        return below.queuesTasks();
    }

    @Override
    public void begin(long id) {
        ForwardedTask task = tasks.get(id);
        if (task != null) {
            task.begins();
            below.begin(id);
        }
    }

    @Override
    public void recall(long id) {
        below.recall(id);
    }

    @Override
    public void grant(long id, int blocks) {
        ForwardedTask task = tasks.get(id);
        if (task != null) {
            task.grant(blocks);
        }
    }

    @Override
    public void cancel(long id) {
        ForwardedTask task = tasks.get(id);
        if (task != null) {
            task.cancel();
        }
    }

    @Override
    public Optional<String> whereabouts(long id) {
        ForwardedTask task = tasks.get(id);
        return task != null && task.isWaiting()
                ? Optional.of("waits until lost blocks of its input are made again")
                : below.whereabouts(id);
    }

    @Override
    public Optional<TaskProgress> progress(long id) {
        return below.progress(id);
    }

    @Override
    public ActorRef startActor(ActorSpec spec, Consumer<TaskEvent> events) {
        return actors.start(spec, events);
    }

    @Override
    public void stopActor(ActorRef actor) {
        actors.stop(actor);
    }

    @Override
    public BlockRef put(Block block) {
        return RecoverableBlock.kept(below.put(block), lostNodes);
    }

    @Override
    public Block get(BlockSlice slice) {
        RecoverableBlock block = RecoverableBlock.of(slice.block());
        for (int losses = 0; ; losses++) {
            List<BlockSlice> pieces = block.rows(slice.from(), slice.rows());
            if (pieces == null) {
                pieces = madeAgain(block, slice);
            }
            try {
                return fetch(block, pieces);
            } catch (BlocksLost e) {
                if (losses == MAX_LOSSES) {
                    throw new MillraceException(
                            Culprit.RESOURCES,
                            "A block was lost " + losses + " times while it was read: " + e.getMessage(),
                            e);
                }
            } finally {
                pieces.forEach(BlockSlice::release);
            }
        }
    }

    private Block fetch(RecoverableBlock block, List<BlockSlice> pieces) {
        return JoinedInputs.join(memory, 0, pieces.size(), i -> {
            try {
                return below.get(pieces.get(i));
            } catch (BlocksLost e) {
                block.lostInStore(pieces.get(i).block());
                throw e;
            }
        });
    }

    /// Waits until the rows are in the store again; the caller owns the slices.
    private List<BlockSlice> madeAgain(RecoverableBlock block, BlockSlice slice) {
        RecipeInput.Made wanted = block.borrowed(slice);
        if (wanted == null) {
            throw MillraceException.resources("A block was lost that no task has made: it cannot be made again.");
        }
        CompletableFuture<List<BlockSlice>> made = new CompletableFuture<>();
        InputRequest request = new InputRequest(recoveries, List.of(wanted), 0, new InputRequest.Listener() {
            @Override
            public void ready(List<List<BlockSlice>> inputs) {
                if (!made.complete(inputs.getFirst())) {
                    InputRequest.release(inputs);
                }
            }

            @Override
            public void failed(Throwable cause) {
                made.completeExceptionally(cause);
            }

            @Override
            public void withdrawn() {}
        });
        recoveries.post(() -> recoveries.ask(request));
        try {
            return made.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            MillraceException interrupted =
                    MillraceException.user("The thread was interrupted while a lost block was being made again.");
            if (!made.completeExceptionally(interrupted)) {
                var _ = made.thenAccept(pieces -> pieces.forEach(BlockSlice::release));
            }
            recoveries.post(request::withdraw);
            throw interrupted;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof MillraceException told
                    ? new MillraceException(told.culprit(), told.getMessage(), told)
                    : new MillraceException(Culprit.INTERNAL, "A lost block was not made again: " + e.getCause(), e);
        }
    }

    /// Whoever waits for a lost block is told that the session closes. The first step of the close, before runs end.
    public void stopRecovering() {
        recoveries.stop();
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        recoveries.close();
        try (account) {
            below.close();
        }
    }
}
