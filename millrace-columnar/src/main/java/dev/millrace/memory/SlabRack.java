package dev.millrace.memory;

/// The slabs of a pool, filed by the largest region each can still give, so that finding one takes the same time with
/// one slab and with thousands. Not thread-safe: [SlabPool] holds its lock around every call.
///
/// A doubly linked list per size class, linked through the slabs themselves; a bit of `filled` per class that has any.
final class SlabRack {
    private final BuddySlab[] first;
    private int filled;
    private int size;
    private int empty;

    /// @param slabBytes of each slab
    SlabRack(int slabBytes) {
        this.first = new BuddySlab[BuddySlab.classes(slabBytes)];
    }

    /// How many slabs there are.
    int size() {
        return size;
    }

    /// How many of them have no region in use.
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

    /// A slab that can give a region of `order`, the fullest kind first, so that empty ones stay empty; or null.
    BuddySlab find(int order) {
        int candidates = filled & -1 << (order + 1);
        return candidates == 0 ? null : first[Integer.numberOfTrailingZeros(candidates)];
    }

    /// Any slab without a region in use, or null.
    BuddySlab anyEmpty() {
        return first[first.length - 1];
    }

    /// Has slabs give back what lies between their regions until that is `bytes`, those with most room first.
    ///
    /// @return how much it was
    long forget(long bytes) {
        long forgotten = 0;
        for (int at = first.length - 1; at > 0 && forgotten < bytes; at--) {
            for (BuddySlab slab = first[at]; slab != null && forgotten < bytes; slab = slab.next) {
                forgotten += slab.forget();
            }
        }
        return forgotten;
    }

    /// Files the slab anew after it gave or got a region.
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
