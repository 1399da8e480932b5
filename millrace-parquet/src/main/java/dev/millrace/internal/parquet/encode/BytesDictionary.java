package dev.millrace.internal.parquet.encode;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;

/// Distinct byte strings in the order of their first appearance, held as a dictionary page holds them. One thread.
public final class BytesDictionary implements AutoCloseable {
    private static final int FIRST_SLOTS = 512;
    private static final int ENTRY = 12;

    /// The page: each value behind its length, or without one where all have the same.
    private final Growing page;
    /// Three numbers per value: where its bytes begin in the page, how many they are, their hash.
    private final Growing entries;
    /// Each slot holds a code plus 1, or 0.
    private final Growing slots;

    private final boolean prefixed;
    private int shift;
    private int size;

    /// @param prefixed whether values have lengths of their own
    public BytesDictionary(Allocator allocator, boolean prefixed) {
        page = new Growing(allocator);
        entries = new Growing(allocator);
        slots = new Growing(allocator);
        this.prefixed = prefixed;
    }

    public int size() {
        return size;
    }

    /// What the dictionary page holds.
    public Growing page() {
        return page;
    }

    public long heldBytes() {
        return page.heldBytes() + entries.heldBytes() + slots.heldBytes();
    }

    public int start(int code) {
        return entries.memory().get(JAVA_INT, (long) code * ENTRY);
    }

    public int length(int code) {
        return entries.memory().get(JAVA_INT, (long) code * ENTRY + 4);
    }

    /// Appends the codes of the batch's values to `codes`, four bytes each.
    public void encode(BytesBatch batch, Growing codes) {
        MemorySegment out = codes.reserve((long) batch.count * Integer.BYTES);
        long at = codes.size() >>> 2;
        codes.size(codes.size() + (long) batch.count * Integer.BYTES);
        if (slots.size() == 0) {
            slots(FIRST_SLOTS);
        }
        for (int i = 0; i < batch.count; i++) {
            out.setAtIndex(JAVA_INT, at + i, code(batch.data, batch.starts[i], batch.lengths[i]));
        }
    }

    private int code(MemorySegment data, long from, int length) {
        int hash = Bytes.hash(data, from, length);
        MemorySegment table = slots.memory();
        MemorySegment known = entries.memory();
        int mask = (1 << (32 - shift)) - 1;
        int slot = hash >>> shift;
        while (true) {
            int found = table.getAtIndex(JAVA_INT, slot);
            if (found == 0) {
                return add(data, from, length, hash, slot);
            }
            long entry = (long) (found - 1) * ENTRY;
            if (known.get(JAVA_INT, entry + 8) == hash
                    && known.get(JAVA_INT, entry + 4) == length
                    && Bytes.equal(page.memory(), known.get(JAVA_INT, entry), data, from, length)) {
                return found - 1;
            }
            slot = slot + 1 & mask;
        }
    }

    private int add(MemorySegment data, long from, int length, int hash, int slot) {
        MemorySegment memory = page.reserve(length + 4L);
        long at = page.size();
        if (prefixed) {
            memory.set(JAVA_INT_UNALIGNED, at, length);
            at += 4;
        }
        Growing.copy(data, from, length, memory, at);
        page.size(at + length);
        entries.putInt((int) at);
        entries.putInt(length);
        entries.putInt(hash);
        int code = size++;
        slots.memory().setAtIndex(JAVA_INT, slot, size);
        if (size * 2L > 1L << (32 - shift)) {
            slots(2 << (32 - shift));
        }
        return code;
    }

    private void slots(int count) {
        shift = 32 - Integer.numberOfTrailingZeros(count);
        long bytes = (long) count * Integer.BYTES;
        slots.clear();
        MemorySegment table = slots.reserve(bytes);
        slots.size(bytes);
        table.asSlice(0, bytes).fill((byte) 0);
        MemorySegment known = entries.memory();
        for (int code = 0; code < size; code++) {
            int slot = known.get(JAVA_INT, (long) code * ENTRY + 8) >>> shift;
            while (table.getAtIndex(JAVA_INT, slot) != 0) {
                slot = slot + 1 & count - 1;
            }
            table.setAtIndex(JAVA_INT, slot, code + 1);
        }
    }

    public void clear() {
        size = 0;
        page.clear();
        entries.clear();
        slots.clear();
    }

    @Override
    public void close() {
        size = 0;
        page.close();
        entries.close();
        slots.close();
    }
}
