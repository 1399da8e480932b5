package dev.millrace.internal.parquet.read;

import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/// A pool of scratch arrays, reused across uses and readers: a new array has to be zeroed, and its memory is in no
/// cache. Arrays have arbitrary contents. One thread at a time.
final class SpareArrays implements AutoCloseable {
    private static final int MIN_BYTES = 64 << 10;
    private static final int MAX_BYTES = 8 << 20;
    private static final int MAX_KEPT = Runtime.getRuntime().availableProcessors();
    /// Pools that no reader uses at the moment; garbage collected if the heap is short.
    private static final ConcurrentLinkedDeque<SoftReference<SpareArrays>> KEPT = new ConcurrentLinkedDeque<>();

    private final List<byte[]> bytes = new ArrayList<>();
    private final List<int[]> ints = new ArrayList<>();
    private int size;
    private boolean taken;

    private SpareArrays() {}

    /// A pool for one thread, until it is closed.
    static SpareArrays take() {
        while (true) {
            SoftReference<SpareArrays> kept = KEPT.pollFirst();
            SpareArrays spare = kept == null ? new SpareArrays() : kept.get();
            if (spare != null) {
                spare.taken = true;
                return spare;
            }
        }
    }

    /// An array of at least `least` elements.
    byte[] bytes(int least) {
        int best = -1;
        for (int i = 0; i < bytes.size(); i++) {
            int length = bytes.get(i).length;
            if (length >= least && (best < 0 || length < bytes.get(best).length)) {
                best = i;
            }
        }
        if (best < 0) {
            return new byte[Math.max(MIN_BYTES, least + (least >>> 3))];
        }
        size -= bytes.get(best).length;
        return bytes.remove(best);
    }

    /// An array of at least `least` elements.
    int[] ints(int least) {
        int best = -1;
        for (int i = 0; i < ints.size(); i++) {
            int length = ints.get(i).length;
            if (length >= least && (best < 0 || length < ints.get(best).length)) {
                best = i;
            }
        }
        if (best < 0) {
            return new int[Math.max(MIN_BYTES / Integer.BYTES, least + (least >>> 3))];
        }
        size -= Integer.BYTES * ints.get(best).length;
        return ints.remove(best);
    }

    /// Returns an unused array to the pool; an empty one is ignored.
    void giveBack(byte[] array) {
        if (array.length > 0 && array.length <= MAX_BYTES - size) {
            size += array.length;
            bytes.add(array);
        }
    }

    /// Returns an unused array to the pool; an empty one is ignored.
    void giveBack(int[] array) {
        if (array.length > 0 && array.length <= (MAX_BYTES - size) / Integer.BYTES) {
            size += Integer.BYTES * array.length;
            ints.add(array);
        }
    }

    @Override
    public void close() {
        boolean first = taken;
        taken = false;
        if (first && KEPT.size() < MAX_KEPT) {
            KEPT.addFirst(new SoftReference<>(this));
        }
    }
}
