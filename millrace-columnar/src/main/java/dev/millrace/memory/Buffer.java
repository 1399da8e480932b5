package dev.millrace.memory;

import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.internal.lifetime.Releasable;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A reference-counted region of off-heap memory that counts towards a limit. It is created with one reference, which
/// belongs to the allocating code; the last [#release] frees the memory. Until then the bytes are charged to one
/// [Allocator], or to the one that [#transferTo] moves them to.
///
/// Thread-safe: counts are atomic; the contents are published by whatever passes the buffer to another thread.
public final class Buffer implements Releasable {
    private static final VarHandle REFERENCES;

    static {
        try {
            REFERENCES = MethodHandles.lookup().findVarHandle(Buffer.class, "references", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// A buffer without bytes.
    public static final Buffer EMPTY = unowned(MemorySegment.NULL);

    /// A region that is neither counted nor freed: constants, mapped files owned elsewhere, empty buffers.
    public static Buffer unowned(MemorySegment segment) {
        return new Buffer(segment, null, null, null);
    }

    /// A region whose memory `onFree` frees; its bytes are not counted here.
    public static Buffer foreign(MemorySegment segment, Runnable onFree) {
        return new Buffer(segment, null, null, onFree);
    }

    /// A part of another buffer, to which it holds a reference until its own end; the other buffer's account is
    /// charged.
    public static Buffer part(Buffer whole, MemorySegment segment) {
        whole.retain();
        return new Buffer(segment, null, null, whole::release, whole);
    }

    private MemorySegment segment;
    private SlabPool.@Nullable Region region;
    private final @Nullable Runnable onFree;
    private final @Nullable Buffer whole;
    private @Nullable Allocator owner;
    private volatile int references = 1;

    Buffer(
            MemorySegment segment,
            SlabPool.@Nullable Region region,
            @Nullable Allocator owner,
            @Nullable Runnable onFree) {
        this(segment, region, owner, onFree, null);
    }

    private Buffer(
            MemorySegment segment,
            SlabPool.@Nullable Region region,
            @Nullable Allocator owner,
            @Nullable Runnable onFree,
            @Nullable Buffer whole) {
        this.whole = whole;
        this.segment = segment;
        this.region = region;
        this.owner = owner;
        this.onFree = onFree;
    }

    /// The usable bytes: exactly the requested size; read-only once the buffer is sealed ([#seal]).
    public MemorySegment segment() {
        if (Lifetimes.CHECKED && !isAlive()) {
            throw new IllegalStateException("This buffer was released; its memory may hold other data by now.");
        }
        return segment;
    }

    /// Makes the buffer read-only: from here on [#segment] is read-only. A column seals its buffers, so that readers of
    /// a block's memory cannot change it. A segment obtained before stays writable, for the code that fills the buffer.
    /// Safe from any thread, since racing threads store equal values. An empty buffer is not sealed, because [#EMPTY]
    /// is shared by code that copies nothing into it.
    public Buffer seal() {
        if (segment.byteSize() > 0 && !segment.isReadOnly()) {
            segment = segment.asReadOnly();
        }
        return this;
    }

    /// The number of usable bytes.
    public long size() {
        return segment.byteSize();
    }

    private Allocator requireOwner() {
        return Objects.requireNonNull(owner, "a region has an owner");
    }

    /// Bytes charged to the account: the size rounded up to the region that holds it.
    public long heldBytes() {
        return region == null ? 0 : region.memory().byteSize();
    }

    /// Whether there is still a reference.
    public boolean isAlive() {
        return references > 0 || isUnowned();
    }

    /// The number of references right now; a hint, since other threads may change it.
    public int references() {
        return references;
    }

    private boolean isUnowned() {
        return region == null && onFree == null;
    }

    /// Adds a reference, whose holder must [#release] it.
    public Buffer retain() {
        if (isUnowned()) {
            return this;
        }
        int before = (int) REFERENCES.getAndAdd(this, 1);
        if (before <= 0) {
            REFERENCES.getAndAdd(this, -1);
            throw new IllegalStateException("This buffer was released already and cannot be retained.");
        }
        return this;
    }

    /// Releases a reference; the last one frees the memory.
    @Override
    public void release() {
        if (isUnowned()) {
            return;
        }
        int left = (int) REFERENCES.getAndAdd(this, -1) - 1;
        if (left < 0) {
            throw new IllegalStateException("This buffer was released more often than retained.");
        }
        if (left == 0) {
            if (region != null) {
                synchronized (this) {
                    requireOwner().giveBack(this, region);
                }
            } else if (onFree != null) {
                onFree.run();
            }
        }
    }

    /// Frees the bytes after the first `bytes`, as far as regions can be cut. Only for the single holder, before any
    /// other code knows the segment. The contents of the first `bytes` stay.
    public synchronized Buffer trim(long bytes) {
        if (region != null && bytes < segment.byteSize()) {
            region = requireOwner().trim(region, bytes);
            boolean sealed = segment.isReadOnly();
            segment = region.memory()
                    .asSlice(0, Math.min(segment.byteSize(), region.memory().byteSize()));
            if (sealed) {
                seal();
            }
        }
        return this;
    }

    /// Moves the charge to another account of the same tree, e.g. when a block outlives the run that made it. For a
    /// part of another buffer, moves all bytes of that one.
    public synchronized void transferTo(Allocator target) {
        if (whole != null && references > 0) {
            whole.transferTo(target);
        }
        if (region != null && owner != target && references > 0) {
            requireOwner().moveTo(target, this);
            owner = target;
        }
    }
}
