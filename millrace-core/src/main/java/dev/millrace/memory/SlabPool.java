package dev.millrace.memory;

import dev.millrace.error.MillraceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Hands out regions of off-heap memory and takes them back for reuse: fresh memory costs zeroing and page faults
/// (about 0.5 ms per MiB), closing a shared arena a handshake with every thread. Regions up to [#LARGE] bytes are cut
/// from 16 MiB slabs by the buddy scheme; larger ones have an arena of their own and are kept, up to a cap, for the
/// next request of about that size. Contents of a region are undefined. Thread-safe.
///
/// The pool knows nothing of limits: [Allocator] counts, the pool only keeps what is idle below `idleLimit`.
final class SlabPool implements AutoCloseable {
    private static final long LARGE = 2 << 20;
    private static final int SPARE_SLABS = 4;

    /// A region and where it came from.
    sealed interface Region {
        MemorySegment memory();
    }

    private record SmallRegion(MemorySegment memory, BuddySlab slab) implements Region {}

    private record LargeRegion(MemorySegment memory, Arena arena) implements Region {}

    private final long idleLimit;
    private final List<BuddySlab> slabs = new ArrayList<>();
    private final TreeMap<Long, ArrayDeque<LargeRegion>> idle = new TreeMap<>();
    private long idleBytes;
    private long largeBytes;
    private boolean closed;

    SlabPool(long idleLimit) {
        this.idleLimit = idleLimit;
    }

    Region take(long bytes) {
        return bytes <= LARGE ? takeSmall(bytes) : takeLarge(bytes);
    }

    void give(Region region) {
        if (Lifetimes.CHECKED) {
            region.memory().fill((byte) 0xA5);
        }
        switch (region) {
            case SmallRegion small -> giveSmall(small);
            case LargeRegion large -> giveLarge(large);
        }
    }

    /// Off-heap bytes taken from the system, in use or idle.
    synchronized long footprint() {
        return (long) slabs.size() * BuddySlab.SLAB_BYTES + largeBytes;
    }

    private synchronized Region takeSmall(long bytes) {
        requireOpen();
        int order = BuddySlab.orderOf(bytes);
        for (BuddySlab slab : slabs) {
            if (slab.canHold(order)) {
                return new SmallRegion(slab.take(order), slab);
            }
        }
        BuddySlab fresh = new BuddySlab();
        slabs.add(fresh);
        return new SmallRegion(fresh.take(order), fresh);
    }

    private void giveSmall(SmallRegion region) {
        BuddySlab surplus = null;
        synchronized (this) {
            region.slab().give(region.memory());
            if (region.slab().isEmpty() && slabs.stream().filter(BuddySlab::isEmpty).count() > SPARE_SLABS) {
                surplus = region.slab();
                slabs.remove(surplus);
            }
        }
        if (surplus != null) {
            surplus.free();
        }
    }

    private Region takeLarge(long bytes) {
        long size = largeSize(bytes);
        List<LargeRegion> evicted = new ArrayList<>();
        synchronized (this) {
            requireOpen();
            Map.Entry<Long, ArrayDeque<LargeRegion>> fit = idle.ceilingEntry(size);
            if (fit != null && fit.getKey() <= size + size / 4) {
                LargeRegion region = fit.getValue().pollLast();
                if (fit.getValue().isEmpty()) {
                    idle.remove(fit.getKey());
                }
                idleBytes -= fit.getKey();
                return region;
            }
            // What lies idle did not fit; make room before the process grows.
            evict(idleLimit - size, evicted);
            largeBytes += size;
        }
        evicted.forEach(region -> region.arena().close());
        Arena arena = Arena.ofShared();
        try {
            return new LargeRegion(arena.allocate(size, 64), arena);
        } catch (OutOfMemoryError e) {
            arena.close();
            synchronized (this) {
                largeBytes -= size;
            }
            throw new MillraceException(
                    dev.millrace.error.Culprit.RESOURCES,
                    "The system refused " + size + " bytes of off-heap memory. Lower the session's memory limit.",
                    e);
        }
    }

    private void giveLarge(LargeRegion region) {
        List<LargeRegion> evicted = new ArrayList<>();
        synchronized (this) {
            long size = region.memory().byteSize();
            idle.computeIfAbsent(size, _ -> new ArrayDeque<>()).addLast(region);
            idleBytes += size;
            evict(closed ? 0 : idleLimit, evicted);
        }
        evicted.forEach(r -> r.arena().close());
    }

    /// Moves idle regions, largest first, into `evicted` until at most `keep` idle bytes are left.
    private void evict(long keep, List<LargeRegion> evicted) {
        while (idleBytes > Math.max(0, keep)) {
            Map.Entry<Long, ArrayDeque<LargeRegion>> largest = idle.lastEntry();
            evicted.add(largest.getValue().pollFirst());
            idleBytes -= largest.getKey();
            largeBytes -= largest.getKey();
            if (largest.getValue().isEmpty()) {
                idle.remove(largest.getKey());
            }
        }
    }

    /// Eight sizes per doubling: at most an eighth is wasted, and regions find a second use.
    private static long largeSize(long bytes) {
        long step = Math.max(64 << 10, Long.highestOneBit(bytes) >> 3);
        return (bytes + step - 1) / step * step;
    }

    private void requireOpen() {
        if (closed) {
            throw MillraceException.user("The session is closed: no memory can be taken from it.");
        }
    }

    /// Frees all that is idle. Regions still in use are freed when they are given back.
    @Override
    public void close() {
        List<LargeRegion> evicted = new ArrayList<>();
        List<BuddySlab> empty = new ArrayList<>();
        synchronized (this) {
            closed = true;
            evict(0, evicted);
            for (BuddySlab slab : slabs) {
                if (slab.isEmpty()) {
                    empty.add(slab);
                }
            }
            slabs.removeAll(empty);
        }
        evicted.forEach(region -> region.arena().close());
        empty.forEach(BuddySlab::free);
    }
}
