package dev.millrace.internal.consume;

import dev.millrace.block.Block;
import dev.millrace.memory.Allocator;

/// Where an iteration's blocks come from: a run, or a shard's part of one. One thread reads at a time; [#close] may
/// come from any thread: it wakes the reader first.
interface BlockFeed extends AutoCloseable {
    /// The next block that has rows, which the caller closes; null at the end. Waits.
    Block next();

    /// Where the reader's own copies are counted.
    Allocator account();

    /// Has [#close] close this too: after the reader is woken, before the account is. At once if that is over.
    void onClose(Runnable release);

    /// Who ended this early, as the beginning of a sentence for a reader that did not; after [#close].
    String whoClosed();

    /// The reader goes on: an element was handed out.
    default void handedOut() {}

    /// Whether [#next] does work of its own (decoding a block that came as bytes), worth doing ahead.
    boolean isCostly();

    @Override
    void close();
}
