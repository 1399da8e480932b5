package dev.millrace.internal.cluster.worker;

import dev.millrace.block.Block;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.internal.runtime.wire.WireInput;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryTurn;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Copies of other nodes' blocks that several tasks want, such as the build side of a join: fetched once, kept until
/// the driver releases the block, and spilled like any other. Thread-safe.
final class SharedCopies {
    private final EmbeddedRuntime threads;
    private final Allocator account;
    private final Map<WireInput.Stored, CompletableFuture<BlockRef>> copies = new ConcurrentHashMap<>();

    SharedCopies(EmbeddedRuntime threads, Allocator account) {
        this.threads = threads;
        this.account = account;
    }

    /// The rows, which the caller closes.
    ///
    /// @param fetch gets them from their node
    Block rows(WireInput.Stored wanted, Allocator task, Function<Allocator, Block> fetch) {
        while (true) {
            CompletableFuture<BlockRef> mine = new CompletableFuture<>();
            CompletableFuture<BlockRef> there = copies.putIfAbsent(wanted, mine);
            BlockRef copy = there == null ? make(wanted, mine, task, fetch) : await(there);
            if (copy != null) {
                return threads.get(BlockSlice.whole(copy));
            }
        }
    }

    private BlockRef make(
            WireInput.Stored wanted,
            CompletableFuture<BlockRef> mine,
            Allocator task,
            Function<Allocator, Block> fetch) {
        try {
            Block block = fetch.apply(task);
            block.transferTo(account);
            BlockRef copy = threads.put(block);
            copy.maySpill();
            mine.complete(copy);
            return copy;
        } finally {
            if (!mine.isDone()) {
                copies.remove(wanted, mine);
                mine.cancel(false);
            }
        }
    }

    /// Waits for the task that fetches; null if that failed.
    private static @Nullable BlockRef await(CompletableFuture<BlockRef> there) {
        MemoryTurn turn = MemoryTurn.ofThread();
        CompletableFuture<Void> asked = new CompletableFuture<>();
        if (turn != null) {
            turn.pauseForOther(() -> asked.complete(null));
        }
        try {
            CompletableFuture.anyOf(there, asked).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TaskCancelled();
        } catch (ExecutionException | CancellationException e) {
            return null;
        } finally {
            if (turn != null) {
                turn.resumeAfterOther();
            }
        }
        if (!there.isDone()) {
            throw Objects.requireNonNull(turn, "only a turn asks").yields();
        }
        return there.isCompletedExceptionally() ? null : there.join();
    }

    void release(long number) {
        for (WireInput.Stored each : List.copyOf(copies.keySet())) {
            if (each.number() == number) {
                CompletableFuture<BlockRef> copy = copies.remove(each);
                if (copy != null) {
                    var _ = copy.thenAccept(BlockRef::release);
                }
            }
        }
    }

    void close() {
        List.copyOf(copies.keySet()).forEach(each -> release(each.number()));
    }
}
