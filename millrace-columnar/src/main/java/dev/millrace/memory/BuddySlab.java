package dev.millrace.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// One slab, divided by buddy allocation: region sizes are powers of two, and a freed region is merged with its free
/// buddy at once, so that no size class keeps memory that another one needs. Not thread-safe: [SlabPool] holds its lock
/// around every call.
///
/// `longest[node]` is 1 + the order of the largest free region below a node of the binary tree (0: none); node 1 is the
/// whole slab, the leaves are regions of [#MIN_REGION] bytes.
final class BuddySlab {
    static final int MIN_REGION = 512;
    static final int MAX_BYTES = 16 << 20;

    private final int topOrder;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final byte[] longest;
    private int usedBytes;

    /// Which granules of the slab may be resident; the others occupy no memory.
    private final BitSet resident;

    private final int granule;
    private int residentBytes;

    /// Whether any region was freed since the last [#forget].
    private boolean given;

    /// The size class and the list neighbours of this slab in its [SlabRack].
    int filedAs;

    @Nullable
    BuddySlab next;

    @Nullable
    BuddySlab previous;

    /// @param bytes a power of two
    /// @param huge in huge pages, which are fast to obtain but can only be returned whole
    BuddySlab(int bytes, boolean huge) {
        this.topOrder = orderOf(bytes);
        this.granule = huge ? SystemMemory.HUGE : SystemMemory.GRANULE;
        this.memory = SystemMemory.area(bytes, huge, arena);
        this.resident = new BitSet(bytes / granule);
        if (!SystemMemory.isMapped()) {
            resident.set(0, bytes / granule);
            residentBytes = bytes;
        }
        this.longest = new byte[2 * bytes / MIN_REGION];
        for (int node = 1; node < longest.length; node++) {
            longest[node] = (byte) (1 + topOrder - depth(node));
        }
    }

    /// The number of values of [#largestFree] for slabs of this size: 0 is a full slab, the last one an empty slab.
    static int classes(int bytes) {
        return orderOf(bytes) + 2;
    }

    /// The order of the smallest region that holds `bytes`: order 0 has [#MIN_REGION] bytes, each next one twice that.
    static int orderOf(long bytes) {
        long regions = Math.max(1, (bytes + MIN_REGION - 1) / MIN_REGION);
        return 64 - Long.numberOfLeadingZeros(regions - 1);
    }

    static long bytesOf(int order) {
        return (long) MIN_REGION << order;
    }

    /// 1 + the order of the largest region that can be allocated, 0 when full.
    int largestFree() {
        return longest[1];
    }

    boolean canHold(int order) {
        return longest[1] > order;
    }

    boolean isEmpty() {
        return usedBytes == 0;
    }

    /// Allocates a region of `order`; only after [#canHold].
    MemorySegment take(int order) {
        int node = 1;
        for (int at = topOrder; at > order; at--) {
            int left = 2 * node;
            // Best fit: taking the tighter child that still fits keeps large regions whole.
            boolean leftFits = longest[left] > order;
            boolean rightFits = longest[left + 1] > order;
            node = leftFits && (!rightFits || longest[left] <= longest[left + 1]) ? left : left + 1;
        }
        longest[node] = 0;
        usedBytes += (int) bytesOf(order);
        long offset = (long) (node - (1 << depth(node))) * bytesOf(order);
        refreshAncestors(node, order);
        occupy((int) (offset / granule), (int) ((offset + bytesOf(order) - 1) / granule) + 1);
        return memory.asSlice(offset, bytesOf(order));
    }

    private void occupy(int from, int to) {
        for (int at = resident.nextClearBit(from); at < to; at = resident.nextClearBit(at + 1)) {
            resident.set(at);
            residentBytes += granule;
        }
    }

    /// Bytes of the slab that may be resident now, in use or not.
    int residentBytes() {
        return residentBytes;
    }

    /// Returns the pages of free regions to the system, as far as possible.
    ///
    /// @return the number of bytes returned
    int forget() {
        int before = residentBytes;
        if (given && SystemMemory.isMapped()) {
            forget(1, topOrder);
        }
        given = false;
        return before - residentBytes;
    }

    private void forget(int node, int order) {
        if (bytesOf(order) < granule || longest[node] == 0) {
            return;
        }
        if (longest[node] <= order) {
            forget(2 * node, order - 1);
            forget(2 * node + 1, order - 1);
            return;
        }
        int from = (int) ((long) (node - (1 << depth(node))) * bytesOf(order) / granule);
        int to = from + (int) (bytesOf(order) / granule);
        int start = resident.nextSetBit(from);
        while (start >= 0 && start < to) {
            int end = Math.min(to, resident.nextClearBit(start));
            SystemMemory.forget(memory.address() + (long) start * granule, (long) (end - start) * granule);
            resident.clear(start, end);
            residentBytes -= (end - start) * granule;
            start = resident.nextSetBit(end);
        }
    }

    void give(MemorySegment region) {
        int order = orderOf(region.byteSize());
        long offset = region.address() - memory.address();
        int node = (int) (offset / bytesOf(order)) + (1 << (topOrder - order));
        longest[node] = (byte) (order + 1);
        usedBytes -= (int) bytesOf(order);
        given = true;
        refreshAncestors(node, order);
    }

    /// Frees all of an allocated region except its first part, of a smaller `order`.
    MemorySegment trim(MemorySegment region, int order) {
        int whole = orderOf(region.byteSize());
        long offset = region.address() - memory.address();
        int node = (int) (offset / bytesOf(order)) + (1 << (topOrder - order));
        // Everything below an allocated region is marked as free; the nodes in between are recomputed from here
        // upwards.
        longest[node] = 0;
        usedBytes -= (int) (bytesOf(whole) - bytesOf(order));
        given = true;
        refreshAncestors(node, order);
        return memory.asSlice(offset, bytesOf(order));
    }

    /// Returns the slab's memory to the system. Nothing of it may be in use.
    void free() {
        arena.close();
    }

    private void refreshAncestors(int node, int order) {
        int above = order;
        for (int parent = node >> 1; parent >= 1; parent >>= 1) {
            above++;
            byte left = longest[2 * parent];
            byte right = longest[2 * parent + 1];
            // Two completely free children of order above-1 are one free region of order above.
            byte now = left == above && right == above ? (byte) (above + 1) : (byte) Math.max(left, right);
            if (longest[parent] == now) {
                return;
            }
            longest[parent] = now;
        }
    }

    private static int depth(int node) {
        return 31 - Integer.numberOfLeadingZeros(node);
    }
}
