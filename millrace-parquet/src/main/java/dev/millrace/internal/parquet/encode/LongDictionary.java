package dev.millrace.internal.parquet.encode;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;

/// Distinct numbers in the order of their first occurrence. One thread.
public final class LongDictionary implements AutoCloseable {
    private static final int FIRST_SLOTS = 512;

    private final GrowingBuffer values;
    /// Each slot contains a code plus 1, or 0 if it is free.
    private final GrowingBuffer slots;

    private int shift;
    private int size;

    public LongDictionary(Allocator allocator) {
        values = new GrowingBuffer(allocator, PageGrowth.PAGE);
        slots = new GrowingBuffer(allocator, PageGrowth.PAGE);
    }

    public int size() {
        return size;
    }

    public long value(int code) {
        return values.memory().getAtIndex(JAVA_LONG, code);
    }

    public long heldBytes() {
        return values.heldBytes() + slots.heldBytes();
    }

    /// Appends the codes of `count` numbers to `codes`, four bytes each.
    public void encode(long[] numbers, int count, GrowingBuffer codes) {
        MemorySegment out = codes.reserve((long) count * Integer.BYTES);
        long at = codes.size() >>> 2;
        codes.size(codes.size() + (long) count * Integer.BYTES);
        if (count == 0) {
            return;
        }
        if (slots.size() == 0) {
            slots(FIRST_SLOTS);
        }
        MemorySegment table = slots.memory();
        MemorySegment known = values.memory();
        int right = shift;
        for (int i = 0; i < count; i++) {
            long number = numbers[i];
            int found = table.getAtIndex(JAVA_INT, ByteStrings.hash(number) >>> right) - 1;
            if (found < 0 || known.getAtIndex(JAVA_LONG, found) != number) {
                found = search(number);
                table = slots.memory();
                known = values.memory();
                right = shift;
            }
            out.setAtIndex(JAVA_INT, at + i, found);
        }
    }

    /// The code of a number that is not in its first slot.
    private int search(long number) {
        MemorySegment table = slots.memory();
        MemorySegment known = values.memory();
        int mask = (1 << (32 - shift)) - 1;
        int slot = ByteStrings.hash(number) >>> shift;
        while (true) {
            int found = table.getAtIndex(JAVA_INT, slot);
            if (found == 0) {
                return add(number, slot);
            }
            if (known.getAtIndex(JAVA_LONG, found - 1) == number) {
                return found - 1;
            }
            slot = slot + 1 & mask;
        }
    }

    private int add(long number, int slot) {
        int code = size++;
        values.putLong(number);
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
        MemorySegment known = values.memory();
        for (int code = 0; code < size; code++) {
            int slot = ByteStrings.hash(known.getAtIndex(JAVA_LONG, code)) >>> shift;
            while (table.getAtIndex(JAVA_INT, slot) != 0) {
                slot = slot + 1 & count - 1;
            }
            table.setAtIndex(JAVA_INT, slot, code + 1);
        }
    }

    /// Removes all values, and shrinks to the initial size.
    public void clear() {
        size = 0;
        values.clear();
        slots.clear();
    }

    @Override
    public void close() {
        size = 0;
        values.close();
        slots.close();
    }
}
