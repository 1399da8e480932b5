package dev.millrace.internal.kernel.join;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The rows of one side by their keys: open addressing, where a slot has the first row of a key, from which its other
/// rows follow in their order. Rows that can match nothing are not in it. The keys stay their holder's.
public final class JoinTable implements AutoCloseable {
    /// Rows are looked at so many at a time.
    public static final int CHUNK = 4096;

    private static final int LEAST_SLOTS = 16;
    private static final long TAG = 0xFFFFFFFF00000000L;
    private static final int NONE = -1;

    private final JoinKeys keys;
    private final List<KeyForm> forms;
    private final int stride;
    private final boolean bytes;
    private final long[] words;
    private final long[] hashes = new long[CHUNK];
    private final boolean[] matchable = new boolean[CHUNK];
    private final long mask;
    /// Of each slot the upper half of the hash, and the row + 1 in the lower half; 0 if it is free.
    private Buffer slots;
    /// Of each row the next with the same key, or -1.
    private Buffer next;
    /// Of each row the words of its keys.
    private Buffer stored;

    /// @param rows of the keys
    public JoinTable(Allocator allocator, JoinKeys keys, List<KeyForm> forms, int rows) {
        this.keys = keys;
        this.forms = List.copyOf(forms);
        this.stride = JoinKeys.stride(forms);
        this.bytes = forms.contains(KeyForm.BYTES);
        this.words = new long[CHUNK * stride];
        long count = Math.max(LEAST_SLOTS, Long.highestOneBit(Math.max(1, 2L * rows - 1)) << 1);
        this.mask = count - 1;
        try {
            this.slots = allocator.allocateZeroed(count * Long.BYTES);
            this.next = allocator.allocate(Math.max(1, (long) rows * Integer.BYTES));
            this.stored = allocator.allocate(Math.max(1, (long) rows * stride * Long.BYTES));
            fill(rows);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    public List<KeyForm> forms() {
        return forms;
    }

    /// From the last row to the first, each before those that are there.
    private void fill(int rows) {
        MemorySegment table = slots.segment();
        MemorySegment chain = next.segment();
        for (int end = rows; end > 0; end -= CHUNK) {
            int from = Math.max(0, end - CHUNK);
            int count = end - from;
            keys.read(forms, from, count, words, hashes, matchable);
            MemorySegment.copy(
                    words, 0, stored.segment(), JAVA_LONG, (long) from * stride * Long.BYTES, count * stride);
            for (int i = count - 1; i >= 0; i--) {
                if (matchable[i]) {
                    long slot = slot(keys, from + i, i);
                    long there = table.getAtIndex(JAVA_LONG, slot);
                    chain.setAtIndex(JAVA_INT, from + i, (int) there - 1);
                    table.setAtIndex(JAVA_LONG, slot, (hashes[i] & TAG) | (from + i + 1));
                }
            }
        }
    }

    /// The slot that has the key at place `i` of what was read, or the free one where it belongs.
    private long slot(JoinKeys reader, long row, int i) {
        MemorySegment table = slots.segment();
        long tag = hashes[i] & TAG;
        long slot = hashes[i] & mask;
        while (true) {
            long there = table.getAtIndex(JAVA_LONG, slot);
            if (there == 0 || ((there & TAG) == tag && same((int) there - 1, reader, row, i))) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    private boolean same(int stands, JoinKeys reader, long row, int i) {
        MemorySegment there = stored.segment();
        for (int w = 0; w < stride; w++) {
            if (there.getAtIndex(JAVA_LONG, (long) stands * stride + w) != words[i * stride + w]) {
                return false;
            }
        }
        if (bytes) {
            for (int k = 0; k < forms.size(); k++) {
                if (forms.get(k) == KeyForm.BYTES && !keys.sameBytes(k, stands, reader, row)) {
                    return false;
                }
            }
        }
        return true;
    }

    /// The first rows with the keys of rows `from` to `from + count` of the other side, -1 where there is none.
    ///
    /// @param count at most [#CHUNK]
    public void find(JoinKeys other, long from, int count, int[] firsts) {
        other.read(forms, from, count, words, hashes, matchable);
        MemorySegment table = slots.segment();
        for (int i = 0; i < count; i++) {
            firsts[i] = matchable[i] ? (int) table.getAtIndex(JAVA_LONG, slot(other, from + i, i)) - 1 : NONE;
        }
    }

    /// The next row with the key of this one, or -1.
    public int after(int row) {
        return next.segment().getAtIndex(JAVA_INT, row);
    }

    @Override
    public void close() {
        if (slots != null) {
            slots.release();
            slots = null;
        }
        if (next != null) {
            next.release();
            next = null;
        }
        if (stored != null) {
            stored.release();
            stored = null;
        }
    }
}
