package dev.millrace.internal.recovery;

import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.settings.FaultSettings;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// All that is made again at the moment. One thread, which exists only while there is something to do, owns all
/// recoveries and requests; other threads post to it. So several runs may ask for the same block at once.
///
/// Recoveries take no capacity of the engine: the tasks that wait for them hold theirs. As many run at once as the
/// runtime has CPUs, and only such whose inputs are there, so those that run never wait for one another.
final class BlockRecoveries {
    /// Apart from the ids of the engine's tasks and actors, which count from 1.
    private static final long FIRST_ID = 1L << 48;

    private static final int ENDLESS_CREDIT = 1 << 30;
    private static final long MAX_CLOSE_SECONDS = 10;

    private final Runtime below;
    private final PoolActors actors;
    private final Allocator account;
    private final FaultSettings faults;
    private final Runnable onBegin;
    private final ScheduledThreadPoolExecutor thread;
    private final AtomicLong ids = new AtomicLong(FIRST_ID);
    private final AtomicLong tasksRunAgain = new AtomicLong();
    private final AtomicLong blocksMadeAgain = new AtomicLong();
    /// All fields below belong to the thread.
    private final Set<BlockRecovery> all = new LinkedHashSet<>();

    private final PriorityQueue<BlockRecovery> queue = new PriorityQueue<>(Comparator.comparingInt(BlockRecovery::depth)
            .thenComparingLong(recovery -> recovery.recipe().first()));
    private final Map<BlockRecovery, Attempt> running = new HashMap<>();
    private boolean closed;
    /// Written by the thread only.
    private volatile boolean active;
    /// Completed when it is closed and nothing runs.
    private final CompletableFuture<@Nullable Void> quiet = new CompletableFuture<>();

    /// @param actor that was started for it, or null
    private record Attempt(long id, @Nullable RecoveryActor actor) {}

    /// @param account charged for what is made again, on runtimes that share the caller's memory: the accounts of the
    ///     runs that made the blocks may be closed
    /// @param onBegin called when something is made again, and nothing was before
    BlockRecoveries(Runtime below, PoolActors actors, Allocator account, FaultSettings faults, Runnable onBegin) {
        this.onBegin = onBegin;
        this.below = below;
        this.actors = actors;
        this.account = account;
        this.faults = faults;
        this.thread = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("millrace-recovery").factory());
        thread.setKeepAliveTime(10, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    FaultSettings faults() {
        return faults;
    }

    /// Tasks that were run again for lost blocks.
    long tasksRunAgain() {
        return tasksRunAgain.get();
    }

    /// Lost blocks that were filled again.
    long blocksMadeAgain() {
        return blocksMadeAgain.get();
    }

    // ---- called by any thread

    void post(Runnable step) {
        later(0, step);
    }

    void later(long nanos, Runnable step) {
        try {
            var _ = thread.schedule(() -> guarded(step), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Closed: whoever asked has been told.
        }
    }

    private static void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable t) {
            System.getLogger(BlockRecoveries.class.getName())
                    .log(System.Logger.Level.ERROR, "making lost blocks again failed in its loop", t);
        }
    }

    /// Asks for inputs.
    void ask(InputRequest request) {
        if (closed) {
            request.refuse(closedError());
        } else {
            request.start();
        }
    }

    static MillraceException closedError() {
        return MillraceException.user("The session was closed while a lost block was being made again.");
    }

    // ---- called by recoveries, on the thread

    /// The recovery of a recipe that is under way, or a new one.
    BlockRecovery of(TaskRecipe recipe, int depth) {
        BlockRecovery recovery = recipe.recovery;
        if (recovery == null) {
            recovery = new BlockRecovery(this, recipe, depth);
            recipe.recovery = recovery;
            all.add(recovery);
            if (!active) {
                active = true;
                onBegin.run();
            }
            if (closed) {
                BlockRecovery refused = recovery;
                post(() -> refused.abandon(closedError()));
            }
        }
        return recovery;
    }

    void forget(BlockRecovery recovery) {
        recovery.recipe().recovery = null;
        all.remove(recovery);
        active = !all.isEmpty();
    }

    /// Whether something is made again now.
    boolean isActive() {
        return active;
    }

    void count(boolean block) {
        if (block) {
            blocksMadeAgain.incrementAndGet();
        }
    }

    void enqueue(BlockRecovery recovery) {
        queue.add(recovery);
        startQueued();
    }

    void dequeue(BlockRecovery recovery) {
        queue.remove(recovery);
    }

    private void startQueued() {
        int most = (int) Math.max(1, below.capacity().cpus());
        while (running.size() < most && !queue.isEmpty()) {
            BlockRecovery next = queue.remove();
            try {
                start(next);
            } catch (Throwable t) {
                // Refused, e.g. by a closed runtime.
                next.attemptFailed(t, false);
            }
        }
    }

    private void start(BlockRecovery recovery) {
        TaskRecipe recipe = recovery.recipe();
        long id = ids.getAndIncrement();
        running.put(recovery, new Attempt(id, null));
        recovery.begin();
        tasksRunAgain.incrementAndGet();
        ActorSpec actor = recipe.actor();
        if (actor == null) {
            below.submit(spec(recovery, id, null), event -> post(() -> recovery.accept(event)));
        } else if (!actors.callOne(
                actor.program(), living -> spec(recovery, id, living), event -> post(() -> recovery.accept(event)))) {
            RecoveryActor own = actors.startedFor(actor, this);
            running.put(recovery, new Attempt(id, own));
            own.call(
                    recovery,
                    () -> below.submit(spec(recovery, id, own.ref()), event -> post(() -> recovery.accept(event))));
        }
    }

    private TaskSpec spec(BlockRecovery recovery, long id, @Nullable ActorRef actor) {
        TaskRecipe recipe = recovery.recipe();
        List<BlockSlice> pieces =
                recovery.inputs().stream().flatMap(List::stream).toList();
        return new TaskSpec(
                id,
                recipe.first(),
                recipe.operator(),
                JoinedInputs.of(recipe.program(), recovery.inputs()),
                actor,
                pieces,
                ENDLESS_CREDIT,
                recipe.resources(),
                account,
                recipe.isLocal(),
                null,
                recipe.stage());
    }

    void cancel(BlockRecovery recovery) {
        Attempt attempt = running.get(recovery);
        if (attempt == null) {
            return;
        }
        if (attempt.actor != null && attempt.actor.withdraw(recovery)) {
            post(() -> recovery.attemptFailed(new TaskCancelled(), false));
        } else {
            below.cancel(attempt.id);
        }
    }

    /// Its attempt is over.
    void ended(BlockRecovery recovery) {
        Attempt attempt = running.remove(recovery);
        if (attempt != null) {
            if (attempt.actor != null) {
                attempt.actor.leave();
            }
            post(this::startQueued);
        }
    }

    long nextId() {
        return ids.getAndIncrement();
    }

    // ---- the end

    /// Whoever waits is told that the session is closed, and nothing more is made again.
    void stop() {
        post(() -> {
            closed = true;
            List.copyOf(all).forEach(recovery -> recovery.abandon(closedError()));
            noteQuiet();
        });
    }

    /// A recovery is over, and holds nothing.
    void noteQuiet() {
        if (closed && all.isEmpty()) {
            quiet.complete(null);
        }
    }

    /// Stops, and waits until nothing runs, though not for functions that do not return.
    void close() {
        stop();
        try {
            quiet.get(MAX_CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            System.getLogger(BlockRecoveries.class.getName())
                    .log(System.Logger.Level.WARNING, "tasks that make lost blocks again do not end", e);
        }
        thread.shutdown();
    }
}
