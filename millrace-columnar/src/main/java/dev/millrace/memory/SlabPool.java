package dev.millrace.memory;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.lifetime.Lifetimes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Allocates regions of off-heap memory and keeps freed ones for reuse: fresh memory costs zeroing and page faults
/// (about 0.5 ms per MiB), closing a shared arena a handshake with every thread. Regions up to [#LARGE] bytes are cut
/// from 16 MiB slabs by buddy allocation; larger ones have an arena of their own and are kept, up to a cap, for the
/// next request of about that size. The contents of a region are undefined. Thread-safe.
///
/// [Allocator] counts what is in use. The pool keeps idle memory below a quarter of the limit. It returns idle memory,
/// down to the pages between the regions of a slab, before it takes more from the system than nine tenths of the limit.
/// If memory is not mapped ([SystemMemory]), partly used slabs can carry it beyond that.
final class SlabPool implements AutoCloseable {
    private static final int LARGE = 2 << 20;
    private static final int MIN_SPARE_SLABS = 4;
    private static final long MAX_IDLE = 1L << 30;

    /// At the limit, this fraction of it is returned at once, so that not every request has to.
    private static final int FORGET_PART = 64;

    /// From this limit on slabs use huge pages; below it memory is short, and is returned in small pieces.
    private static final long HUGE_SLABS_FROM = 4L << 30;

    /// A region and its origin.
    sealed interface Region {
        MemorySegment memory();
    }

    private record SmallRegion(MemorySegment memory, BuddySlab slab) implements Region {}

    /// Memory from outside the pool that counts like the pool's.
    private record AdoptedRegion(MemorySegment memory, Buffer whole) implements Region {}

    private record LargeRegion(MemorySegment memory, Arena arena) implements Region {}

    private final long limit;
    private final long idleLimit;

    /// Idle memory is returned to the system before the memory taken from it exceeds this.
    private final long ample;

    private final int slabBytes;
    private final int spareSlabs;
    private final SlabRack slabs;
    private final TreeMap<Long, ArrayDeque<LargeRegion>> idle = new TreeMap<>();
    private long slabResident;
    private long idleBytes;
    private long largeBytes;
    private long adoptedBytes;
    private boolean closed;

    SlabPool(long limit) {
        this.limit = limit;
        this.ample = limit - limit / 10;
        this.idleLimit = Math.min(limit / 4, MAX_IDLE);
        // Small slabs if there is little memory, so that a slab with a few bytes in use wastes little of it.
        this.slabBytes = Math.clamp(Long.highestOneBit(Math.max(1, limit / 32)), LARGE, BuddySlab.MAX_BYTES);
        this.spareSlabs = (int) Math.max(MIN_SPARE_SLABS, idleLimit / 2 / slabBytes);
        this.slabs = new SlabRack(slabBytes);
    }

    Region take(long bytes) {
        return bytes <= LARGE ? takeSmall(bytes) : takeLarge(bytes, true);
    }

    /// A region of exactly [#regionSize] bytes, even if a larger one is idle.
    Region takeExactly(long bytes) {
        return bytes <= LARGE ? takeSmall(bytes) : takeLarge(bytes, false);
    }

    void give(Region region) {
        if (Lifetimes.CHECKED && !(region instanceof AdoptedRegion)) {
            region.memory().fill((byte) 0xA5);
        }
        switch (region) {
            case AdoptedRegion adopted -> giveAdopted(adopted);
            case SmallRegion small -> giveSmall(small);
            case LargeRegion large -> giveLarge(large);
        }
    }

    /// The first `bytes` of a region; frees the rest as far as regions can be cut. Returns the region itself if it
    /// cannot be cut.
    Region trim(Region region, long bytes) {
        if (!(region instanceof SmallRegion small)
                || regionSize(bytes) >= small.memory().byteSize()) {
            return region;
        }
        long kept = regionSize(bytes);
        if (Lifetimes.CHECKED) {
            small.memory().asSlice(kept).fill((byte) 0xA5);
        }
        synchronized (this) {
            MemorySegment first = small.slab().trim(small.memory(), BuddySlab.orderOf(bytes));
            slabs.changed(small.slab());
            return new SmallRegion(first, small.slab());
        }
    }

    /// Adopts a part of memory that was allocated elsewhere; holds a reference to `whole` until it is freed.
    Region adopt(Buffer whole, MemorySegment part) {
        Surplus surplus;
        synchronized (this) {
            requireOpen();
            surplus = makeRoom(part.byteSize());
            adoptedBytes += part.byteSize();
        }
        free(surplus);
        return new AdoptedRegion(part, whole.retain());
    }

    private void giveAdopted(AdoptedRegion region) {
        synchronized (this) {
            adoptedBytes -= region.memory().byteSize();
        }
        region.whole().release();
    }

    /// Off-heap bytes taken from the system, in use or idle, and those adopted.
    synchronized long footprint() {
        return slabResident + largeBytes + adoptedBytes;
    }

    /// The size of the region that [#take] returns for `bytes`, or slightly less if a larger one is idle.
    static long regionSize(long bytes) {
        return bytes <= LARGE ? BuddySlab.bytesOf(BuddySlab.orderOf(bytes)) : largeSize(bytes);
    }

    private Region takeSmall(long bytes) {
        int order = BuddySlab.orderOf(bytes);
        Surplus surplus;
        SmallRegion region = null;
        synchronized (this) {
            requireOpen();
            BuddySlab slab = slabs.find(order);
            if (slab != null) {
                region = takeFrom(slab, order);
            }
            surplus = makeRoom(region == null && !SystemMemory.isMapped() ? slabBytes : 0);
        }
        free(surplus);
        if (region != null) {
            return region;
        }
        // Zeroing a fresh slab takes milliseconds if it is not mapped, so it is created outside the lock; two threads
        // may create one each.
        BuddySlab fresh = fromSystem(slabBytes, () -> new BuddySlab(slabBytes, limit >= HUGE_SLABS_FROM));
        synchronized (this) {
            slabs.add(fresh);
            slabResident += fresh.residentBytes();
            return takeFrom(fresh, order);
        }
    }

    private SmallRegion takeFrom(BuddySlab slab, int order) {
        int before = slab.residentBytes();
        MemorySegment memory = slab.take(order);
        slabResident += slab.residentBytes() - before;
        slabs.changed(slab);
        return new SmallRegion(memory, slab);
    }

    private void giveSmall(SmallRegion region) {
        Surplus surplus = null;
        synchronized (this) {
            BuddySlab slab = region.slab();
            slab.give(region.memory());
            slabs.changed(slab);
            if (slab.isEmpty() && (closed || slabs.empty() > spareSlabs)) {
                surplus = new Surplus();
                remove(slab, surplus);
            }
        }
        free(surplus);
    }

    private void remove(BuddySlab slab, Surplus surplus) {
        slabs.remove(slab);
        slabResident -= slab.residentBytes();
        surplus.slabs.add(slab);
    }

    private Region takeLarge(long bytes, boolean orLarger) {
        long size = largeSize(bytes);
        Surplus unfit = new Surplus();
        Surplus surplus;
        synchronized (this) {
            requireOpen();
            Map.Entry<Long, ArrayDeque<LargeRegion>> fit = idle.ceilingEntry(size);
            if (fit != null && fit.getKey() <= size + (orLarger ? size / 4 : 0)) {
                LargeRegion region = fit.getValue().pollLast();
                if (fit.getValue().isEmpty()) {
                    idle.remove(fit.getKey());
                }
                idleBytes -= fit.getKey();
                return region;
            }
            // The idle regions did not fit; return some before the process grows.
            evict(idleLimit - size, unfit);
            surplus = makeRoom(size);
            largeBytes += size;
        }
        free(unfit);
        free(surplus);
        try {
            return fromSystem(size, () -> {
                Arena arena = Arena.ofShared();
                return new LargeRegion(SystemMemory.area(size, true, arena), arena);
            });
        } catch (MillraceException e) {
            synchronized (this) {
                largeBytes -= size;
            }
            throw e;
        }
    }

    private static <T> T fromSystem(long size, Supplier<T> allocation) {
        try {
            return allocation.get();
        } catch (OutOfMemoryError e) {
            throw new MillraceException(
                    Culprit.RESOURCES,
                    "The system refused " + size + " bytes of off-heap memory. Lower the session's memory limit.",
                    e);
        }
    }

    private void giveLarge(LargeRegion region) {
        Surplus surplus = new Surplus();
        synchronized (this) {
            long size = region.memory().byteSize();
            idle.computeIfAbsent(size, _ -> new ArrayDeque<>()).addLast(region);
            idleBytes += size;
            evict(closed ? 0 : idleLimit, surplus);
        }
        surplus.free();
    }

    /// How many idle bytes have to be returned if `more` is taken from the system.
    private long surplusWith(long more) {
        return Math.max(0, footprint() + more - ample);
    }

    /// Gives up idle memory until `more` can be taken from the system: large regions, empty slabs, then the pages
    /// between the regions of the others.
    ///
    /// @return what is to be freed outside the lock, or null
    private @Nullable Surplus makeRoom(long more) {
        long over = surplusWith(more);
        if (over == 0) {
            return null;
        }
        Surplus surplus = new Surplus();
        evict(idleBytes - over, surplus);
        while (surplusWith(more) > 0 && slabs.anyEmpty() != null) {
            remove(slabs.anyEmpty(), surplus);
        }
        over = surplusWith(more);
        if (over > 0) {
            slabResident -= slabs.forget(Math.max(over, limit / FORGET_PART));
        }
        return surplus;
    }

    private static void free(@Nullable Surplus surplus) {
        if (surplus != null) {
            surplus.free();
        }
    }

    /// Moves idle regions, largest first, into `surplus` until at most `keep` idle bytes are left.
    private void evict(long keep, Surplus surplus) {
        while (idleBytes > Math.max(0, keep)) {
            Map.Entry<Long, ArrayDeque<LargeRegion>> largest = idle.lastEntry();
            surplus.regions.add(largest.getValue().pollFirst());
            idleBytes -= largest.getKey();
            largeBytes -= largest.getKey();
            if (largest.getValue().isEmpty()) {
                idle.remove(largest.getKey());
            }
        }
    }

    /// What was removed from the pool under its lock, to be freed outside it.
    private static final class Surplus {
        private final List<LargeRegion> regions = new ArrayList<>(0);
        private final List<BuddySlab> slabs = new ArrayList<>(0);

        void free() {
            if (regions.isEmpty() && slabs.isEmpty()) {
                return;
            }
            long bytes = 0;
            for (LargeRegion region : regions) {
                bytes += region.memory().byteSize();
                region.arena().close();
            }
            for (BuddySlab slab : slabs) {
                bytes += slab.residentBytes();
                slab.free();
            }
            if (!SystemMemory.isMapped()) {
                FreedArenas.closed(bytes);
            }
        }
    }

    /// Eight sizes per doubling: at most an eighth is wasted, and regions can be reused.
    private static long largeSize(long bytes) {
        long step = Math.max(64 << 10, Long.highestOneBit(bytes) >> 3);
        return (bytes + step - 1) / step * step;
    }

    private void requireOpen() {
        if (closed) {
            throw MillraceException.user("The session is closed: no memory can be taken from it.");
        }
    }

    /// Frees all idle memory. Regions still in use are freed when they are released.
    @Override
    public void close() {
        Surplus surplus = new Surplus();
        synchronized (this) {
            closed = true;
            evict(0, surplus);
            for (BuddySlab slab = slabs.anyEmpty(); slab != null; slab = slabs.anyEmpty()) {
                remove(slab, surplus);
            }
        }
        surplus.free();
    }
}
