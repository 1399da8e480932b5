package dev.millrace.internal.parquet.encode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Distinct byte strings in the order of their first occurrence, in the layout of a dictionary page. One thread.
public final class BytesDictionaryBuilder implements AutoCloseable {
    private static final int FIRST_SLOTS = 512;
    /// The size of an entry: a value's first eight bytes, its offset in the page, its length, its hash, and the page of
    /// codes in which it last occurred.
    private static final int ENTRY = 24;

    private static final int START = 8;
    private static final int LENGTH = 12;
    private static final int HASH = 16;
    private static final int TOLD = 20;

    /// The dictionary page: each value preceded by its length, or without one if all have the same.
    private final GrowingBuffer page;
    private final GrowingBuffer entries;
    /// Each slot contains a code plus 1, or 0 if it is free.
    private final GrowingBuffer slots;

    private final boolean prefixed;
    private int shift;
    /// Codes plus 1 of one-byte strings, or 0.
    private final int[] ones = new int[256];

    private int size;
    /// The number of the page of codes that is being filled.
    private int codePage = 1;

    /// @param prefixed whether values have varying lengths
    public BytesDictionaryBuilder(Allocator allocator, boolean prefixed) {
        page = new GrowingBuffer(allocator, PageGrowth.PAGE);
        entries = new GrowingBuffer(allocator, PageGrowth.PAGE);
        slots = new GrowingBuffer(allocator, PageGrowth.PAGE);
        this.prefixed = prefixed;
    }

    public int size() {
        return size;
    }

    /// The contents of the dictionary page.
    public GrowingBuffer page() {
        return page;
    }

    public long heldBytes() {
        return page.heldBytes() + entries.heldBytes() + slots.heldBytes();
    }

    public int start(int code) {
        return entries.memory().get(JAVA_INT, (long) code * ENTRY + START);
    }

    public int length(int code) {
        return entries.memory().get(JAVA_INT, (long) code * ENTRY + LENGTH);
    }

    /// Appends the codes of the batch's values to `codes`, four bytes each, and keeps in the batch only the values that
    /// are new in the current page of codes.
    public void encode(BytesBatch batch, GrowingBuffer codes) {
        int count = batch.count;
        MemorySegment out = codes.reserve((long) count * Integer.BYTES);
        long at = codes.size() >>> 2;
        codes.size(codes.size() + (long) count * Integer.BYTES);
        if (slots.size() == 0) {
            slots(FIRST_SLOTS);
        }
        int kept = 0;
        for (int i = 0; i < count; i++) {
            long from = batch.starts[i];
            int length = batch.lengths[i];
            int code = length == 1 ? codeOfOne(batch.data, from) : code(batch.data, from, length);
            out.setAtIndex(JAVA_INT, at + i, code);
            long told = (long) code * ENTRY + TOLD;
            if (entries.memory().get(JAVA_INT, told) != codePage) {
                entries.memory().set(JAVA_INT, told, codePage);
                batch.starts[kept] = from;
                batch.lengths[kept++] = length;
            }
        }
        batch.count = kept;
    }

    /// Starts the next page of codes.
    public void nextPage() {
        codePage++;
    }

    /// One-byte flags are common enough for a table of their own.
    private int codeOfOne(MemorySegment data, long from) {
        int one = data.get(JAVA_BYTE, from) & 0xFF;
        int known = ones[one];
        if (known == 0) {
            known = code(data, from, 1) + 1;
            ones[one] = known;
        }
        return known - 1;
    }

    private int code(MemorySegment data, long from, int length) {
        long word = length >= 8 ? data.get(JAVA_LONG_UNALIGNED, from) : ByteStrings.word(data, from, length);
        int hash = length <= 8 ? ByteStrings.hash(word, length) : ByteStrings.hash(data, from, length, word);
        MemorySegment table = slots.memory();
        MemorySegment known = entries.memory();
        int mask = (1 << (32 - shift)) - 1;
        int slot = hash >>> shift;
        while (true) {
            int found = table.getAtIndex(JAVA_INT, slot);
            if (found == 0) {
                return add(data, from, length, word, hash, slot);
            }
            long entry = (long) (found - 1) * ENTRY;
            if (known.get(JAVA_LONG, entry) == word
                    && known.get(JAVA_INT, entry + LENGTH) == length
                    && (length <= 8
                            || known.get(JAVA_INT, entry + HASH) == hash
                                    && ByteStrings.equal(
                                            page.memory(), known.get(JAVA_INT, entry + START), data, from, length))) {
                return found - 1;
            }
            slot = slot + 1 & mask;
        }
    }

    private int add(MemorySegment data, long from, int length, long word, int hash, int slot) {
        MemorySegment memory = page.reserve(length + 4L);
        long at = page.size();
        if (prefixed) {
            memory.set(JAVA_INT_UNALIGNED, at, length);
            at += 4;
        }
        ByteStrings.copy(data, from, length, memory, at);
        page.size(at + length);
        entries.putLong(word);
        entries.putInt((int) at);
        entries.putInt(length);
        entries.putInt(hash);
        entries.putInt(0);
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
            int slot = known.get(JAVA_INT, (long) code * ENTRY + HASH) >>> shift;
            while (table.getAtIndex(JAVA_INT, slot) != 0) {
                slot = slot + 1 & count - 1;
            }
            table.setAtIndex(JAVA_INT, slot, code + 1);
        }
    }

    public void clear() {
        size = 0;
        Arrays.fill(ones, 0);
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
