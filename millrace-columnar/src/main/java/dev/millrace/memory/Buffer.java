package dev.millrace.memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A counted region of off-heap memory, shared by reference count. It is made with one reference, which belongs to
/// whoever allocated it; the last [#release] returns the memory. The bytes stand on the account of one [Allocator]
/// until then, or until [#transferTo] moves them to another.
///
/// Thread-safe: counts are atomic; the contents are published by whatever hands the buffer over.
public final class Buffer {
    private static final VarHandle REFERENCES;

    static {
        try {
            REFERENCES = MethodHandles.lookup().findVarHandle(Buffer.class, "references", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// No bytes at all.
    public static final Buffer EMPTY = unowned(MemorySegment.NULL);

    /// A region that nobody counts and nothing frees: constants, mapped files owned elsewhere, empty buffers.
    public static Buffer unowned(MemorySegment segment) {
        return new Buffer(segment, null, null, null);
    }

    /// A region whose memory `onFree` returns; its bytes are not counted here.
    public static Buffer foreign(MemorySegment segment, Runnable onFree) {
        return new Buffer(segment, null, null, onFree);
    }

    /// A part of another buffer, which it holds until its own end; where the bytes stand is that one's affair.
    public static Buffer part(Buffer whole, MemorySegment segment) {
        whole.retain();
        return new Buffer(segment, null, null, whole::release, whole);
    }

    private MemorySegment segment;
    private SlabPool.Region region;
    private final Runnable onFree;
    private final Buffer whole;
    private Allocator owner;
    private volatile int references = 1;

    Buffer(MemorySegment segment, SlabPool.Region region, Allocator owner, Runnable onFree) {
        this(segment, region, owner, onFree, null);
    }

    private Buffer(MemorySegment segment, SlabPool.Region region, Allocator owner, Runnable onFree, Buffer whole) {
        this.whole = whole;
        this.segment = segment;
        this.region = region;
        this.owner = owner;
        this.onFree = onFree;
    }

    /// The usable bytes: exactly what was asked for; read-only once it is sealed ([#seal]).
    public MemorySegment segment() {
        if (Lifetimes.CHECKED && !isAlive()) {
            throw new IllegalStateException("This buffer was released; its memory may hold other data by now.");
        }
        return segment;
    }

    /// Ends the writing: from here on [#segment] is read-only. A column seals the buffers it is made of, so that
    /// whoever looks at a block's memory cannot change it. A segment taken before stays writable, for the one who fills
    /// the buffer. Safe from any thread, since all that race for it store the same. Without bytes there is nothing to
    /// seal, and [#EMPTY] is shared with those who copy nothing into it.
    public Buffer seal() {
        if (segment.byteSize() > 0 && !segment.isReadOnly()) {
            segment = segment.asReadOnly();
        }
        return this;
    }

    /// Its bytes.
    public long size() {
        return segment.byteSize();
    }

    /// Bytes on the owner's account: the size rounded up to the region that holds it.
    public long heldBytes() {
        return region == null ? 0 : region.memory().byteSize();
    }

    /// Whether anybody still holds it.
    public boolean isAlive() {
        return references > 0 || isUnowned();
    }

    /// How many hold it right now; a hint, since others may come and go.
    public int references() {
        return references;
    }

    private boolean isUnowned() {
        return region == null && onFree == null;
    }

    /// One more holder, who must [#release] too.
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

    /// Gives a reference back; the last one frees the memory.
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
                    owner.giveBack(this, region);
                }
            } else {
                onFree.run();
            }
        }
    }

    /// Gives back what lies behind the first `bytes`, as far as regions can be cut; for its one holder, before anybody
    /// else knows its segment. The contents of the first `bytes` stay.
    public synchronized Buffer trim(long bytes) {
        if (region != null && bytes < segment.byteSize()) {
            region = owner.trim(region, bytes);
            boolean sealed = segment.isReadOnly();
            segment = region.memory()
                    .asSlice(0, Math.min(segment.byteSize(), region.memory().byteSize()));
            if (sealed) {
                seal();
            }
        }
        return this;
    }

    /// Moves the bytes to another account of the same tree, e.g. when a block outlives the run that made it. Of a part
    /// of another buffer, all of that one's.
    public synchronized void transferTo(Allocator target) {
        if (whole != null && references > 0) {
            whole.transferTo(target);
        }
        if (region != null && owner != target && references > 0) {
            owner.moveTo(target, this);
            owner = target;
        }
    }
}
