package dev.millrace.internal.consume;

import dev.millrace.block.Block;
import dev.millrace.memory.Allocator;
import org.jspecify.annotations.Nullable;

/// The source of an iteration's blocks: a run, or a shard's part of one. One thread reads at a time; [#close] may be
/// called from any thread: it wakes the reader first.
interface BlockFeed extends AutoCloseable {
    /// The next block that has rows, which the caller closes; null at the end. Waits for it.
    @Nullable
    Block next();

    /// The account for the reader's own copies.
    Allocator account();

    /// Registers an action for [#close]: it runs after the reader is woken and before the account is closed. Runs at
    /// once if this is closed already.
    void onClose(Runnable release);

    /// The reason of an early end, as the beginning of a sentence for a reader that did not close this; after [#close].
    String whoClosed();

    /// The reader continues: an element was returned.
    default void handedOut() {}

    /// Whether [#next] is expensive (decoding a block from bytes), so that prefetching pays.
    boolean isCostly();

    @Override
    void close();
}
