package dev.millrace.memory;

import org.jspecify.annotations.Nullable;

/// The slabs of a pool, indexed by the largest region each can still allocate, so that finding one takes constant time,
/// with one slab and with thousands. Not thread-safe: [SlabPool] holds its lock around every call.
///
/// A doubly linked list per size class, linked through the slabs themselves; one bit of `filled` per non-empty class.
final class SlabRack {
    private final @Nullable BuddySlab[] first;
    private int filled;
    private int size;
    private int empty;

    /// @param slabBytes of each slab
    SlabRack(int slabBytes) {
        this.first = new BuddySlab[BuddySlab.classes(slabBytes)];
    }

    /// The number of slabs.
    int size() {
        return size;
    }

    /// The number of slabs without a region in use.
    int empty() {
        return empty;
    }

    void add(BuddySlab slab) {
        size++;
        file(slab);
    }

    void remove(BuddySlab slab) {
        size--;
        unfile(slab);
    }

    /// A slab that can allocate a region of `order`, the fullest class first, so that empty slabs stay empty; or null.
    @Nullable
    BuddySlab find(int order) {
        int candidates = filled & -1 << (order + 1);
        return candidates == 0 ? null : first[Integer.numberOfTrailingZeros(candidates)];
    }

    /// Any slab without a region in use, or null.
    @Nullable
    BuddySlab anyEmpty() {
        return first[first.length - 1];
    }

    /// Makes slabs return the pages between their regions until that is `bytes`, those with most free space first.
    ///
    /// @return the number of bytes returned
    long forget(long bytes) {
        long forgotten = 0;
        for (int at = first.length - 1; at > 0 && forgotten < bytes; at--) {
            for (BuddySlab slab = first[at]; slab != null && forgotten < bytes; slab = slab.next) {
                forgotten += slab.forget();
            }
        }
        return forgotten;
    }

    /// Moves the slab to its new class after it allocated or freed a region.
    void changed(BuddySlab slab) {
        if (slab.filedAs != slab.largestFree()) {
            unfile(slab);
            file(slab);
        }
    }

    private void file(BuddySlab slab) {
        int at = slab.largestFree();
        slab.filedAs = at;
        slab.next = first[at];
        slab.previous = null;
        if (slab.next != null) {
            slab.next.previous = slab;
        }
        first[at] = slab;
        filled |= 1 << at;
        empty += at == first.length - 1 ? 1 : 0;
    }

    private void unfile(BuddySlab slab) {
        int at = slab.filedAs;
        if (slab.previous == null) {
            first[at] = slab.next;
        } else {
            slab.previous.next = slab.next;
        }
        if (slab.next != null) {
            slab.next.previous = slab.previous;
        }
        if (first[at] == null) {
            filled &= ~(1 << at);
        }
        slab.next = null;
        slab.previous = null;
        empty -= at == first.length - 1 ? 1 : 0;
    }
}
