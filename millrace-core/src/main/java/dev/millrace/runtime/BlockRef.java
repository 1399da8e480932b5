package dev.millrace.runtime;

import dev.millrace.block.BlockMetadata;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A reference-counted block in a runtime's store, with its metadata. Created with one reference; the last [#release]
/// frees the block there. Only the runtime that created it accesses its contents.
public abstract class BlockRef {
    /// The origin of a block that belongs to no split, or to several.
    public static final long NO_ORIGIN = -1;

    private final BlockMetadata metadata;
    private final AtomicInteger holders = new AtomicInteger(1);
    private long origin = NO_ORIGIN;
    private @Nullable BlockPlace place;

    /// Begins with one reference, which belongs to its creator.
    protected BlockRef(BlockMetadata metadata) {
        this.metadata = metadata;
    }

    /// Rows, bytes and columns, known without fetching the block.
    public final BlockMetadata metadata() {
        return metadata;
    }

    /// Number of the split, in the order in which its read took them, that all rows come from; [#NO_ORIGIN] if they
    /// come from several, or from none.
    public final long origin() {
        return origin;
    }

    /// What its rows were read from; null if it was not made by a task that reads.
    public final @Nullable BlockPlace place() {
        return place;
    }

    /// The name of the node that has the block; null if none does: it is in the caller's process. May change when a
    /// lost block is made again.
    public @Nullable String node() {
        return null;
    }

    /// Set by the engine, once, before it passes the reference on.
    public final void comesFrom(long split, @Nullable BlockPlace rows) {
        origin = split;
        place = rows;
    }

    /// Adds a reference, for another holder.
    public final BlockRef retain() {
        if (!tryRetain()) {
            throw MillraceException.internal("a block reference was retained after its release");
        }
        return this;
    }

    /// Adds a reference, unless the block is freed already.
    public final boolean tryRetain() {
        return holders.getAndUpdate(count -> count > 0 ? count + 1 : count) > 0;
    }

    /// Releases a reference; the last one frees the block.
    public final void release() {
        int left = holders.decrementAndGet();
        if (left < 0) {
            throw MillraceException.internal("a block reference was released twice");
        }
        if (left == 0) {
            free();
        }
    }

    /// Charges the block's bytes to another account from here on, on runtimes that share the caller's memory: a block
    /// outlives the operator and the run that made it when a consumer takes it.
    public void moveTo(Allocator account) {}

    /// The block outlives the run that made it, or is queued while memory is needed at once: a runtime whose store is
    /// the session's memory may spill it to disk when that is full, and reads it back when it is requested. Other
    /// runtimes handle this themselves.
    public void maySpill() {}

    /// Frees the block in the store. Called once.
    protected abstract void free();
}
