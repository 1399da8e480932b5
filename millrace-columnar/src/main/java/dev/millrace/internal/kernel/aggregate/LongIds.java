package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.internal.kernel.hash.HashMix;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Assigns dense ids to distinct longs in order of occurrence. As long as the values are dense, the value is an array
/// index to its id; after that an open-addressing hash table of value and id is used. One thread.
final class LongIds implements AutoCloseable {
    private static final int MIN_SLOTS = 1 << 10;
    /// A slot is the value, then its id plus one; zero is empty.
    private static final int SLOT_LONGS = 2;
    /// The array for dense values may always have this many entries,
    private static final long FREE_SPAN = 1 << 18;
    /// and this many for each distinct one.
    private static final long SPAN_PER_VALUE = 16;
    /// The approximate bytes of a value, in either table.
    private static final long BYTES_EACH = 64;

    private final Allocator allocator;
    /// The values by their ids.
    private final GroupCells values;
    private int known;

    /// The id plus one of the value at `base + i`, while the array is used.
    private Buffer direct = Buffer.EMPTY;
    private boolean isDirect;
    private long base;
    private long span;

    private Buffer table = Buffer.EMPTY;
    private MemorySegment slots = MemorySegment.NULL;
    private int mask = -1;

    /// @param mayBeClose whether values may be dense, so that checking pays
    LongIds(Allocator allocator, boolean mayBeClose) {
        this.allocator = allocator;
        this.values = new GroupCells(allocator, Long.BYTES);
        this.isDirect = mayBeClose;
    }

    int known() {
        return known;
    }

    /// The value of each id, valid until the next call.
    MemorySegment values() {
        return values.segment;
    }

    /// Its approximate size, depending only on the values that occurred.
    long estimatedBytes() {
        return known * BYTES_EACH;
    }

    /// An id that no value gets.
    int another() {
        values.reserve(known + 1L);
        return known++;
    }

    /// Writes the ids of the longs from index `from` to `end` to the same indices.
    void assign(long[] longs, int from, int end, int[] numbers) {
        if (from >= end) {
            return;
        }
        int count = end - from;
        values.reserve(known + (long) count);
        if (isDirect) {
            long least = Long.MAX_VALUE;
            long most = Long.MIN_VALUE;
            for (int i = from; i < end; i++) {
                least = Math.min(least, longs[i]);
                most = Math.max(most, longs[i]);
            }
            if (cover(least, most)) {
                assignDirect(longs, from, end, numbers);
                return;
            }
            leaveDirect();
        }
        reserveSlots(known + (long) count);
        assignHashed(longs, from, end, numbers);
    }

    /// The ids of those that occurred; negative for the others.
    void find(long[] longs, int[] numbers) {
        if (isDirect && span > 0) {
            findDirect(direct.segment(), base, span, longs, numbers);
        } else if (mask >= 0) {
            findHashed(slots, mask, longs, numbers);
        } else {
            Arrays.fill(numbers, -1);
        }
    }

    private static void findDirect(MemorySegment places, long least, long span, long[] longs, int[] numbers) {
        for (int i = 0; i < longs.length; i++) {
            long place = longs[i] - least;
            numbers[i] = place >= 0 && place < span ? places.getAtIndex(JAVA_INT, place) - 1 : -1;
        }
    }

    private static void findHashed(MemorySegment table, int last, long[] longs, int[] numbers) {
        for (int i = 0; i < longs.length; i++) {
            long slot = (int) HashMix.of(longs[i]) & last;
            int number;
            while ((number = (int) table.getAtIndex(JAVA_LONG, slot * SLOT_LONGS + 1)) != 0
                    && table.getAtIndex(JAVA_LONG, slot * SLOT_LONGS) != longs[i]) {
                slot = slot + 1 & last;
            }
            numbers[i] = number - 1;
        }
    }

    private void assignDirect(long[] longs, int from, int end, int[] numbers) {
        MemorySegment places = direct.segment();
        long least = base;
        for (int i = from; i < end; i++) {
            int number = places.getAtIndex(JAVA_INT, longs[i] - least);
            if (number == 0) {
                values.segment.setAtIndex(JAVA_LONG, known, longs[i]);
                number = ++known;
                places.setAtIndex(JAVA_INT, longs[i] - least, number);
            }
            numbers[i] = number - 1;
        }
    }

    private void assignHashed(long[] longs, int from, int end, int[] numbers) {
        MemorySegment table = slots;
        int last = mask;
        for (int i = from; i < end; i++) {
            long value = longs[i];
            long slot = (int) HashMix.of(value) & last;
            int number;
            while ((number = (int) table.getAtIndex(JAVA_LONG, slot * SLOT_LONGS + 1)) != 0
                    && table.getAtIndex(JAVA_LONG, slot * SLOT_LONGS) != value) {
                slot = slot + 1 & last;
            }
            if (number == 0) {
                values.segment.setAtIndex(JAVA_LONG, known, value);
                number = ++known;
                table.setAtIndex(JAVA_LONG, slot * SLOT_LONGS, value);
                table.setAtIndex(JAVA_LONG, slot * SLOT_LONGS + 1, (long) number);
            }
            numbers[i] = number - 1;
        }
    }

    /// Extends the array to values of this range; false if the range is too large for their number.
    private boolean cover(long least, long most) {
        // Differences that do not fit a long are negative.
        if (span > 0 && least >= base && most - base >= 0 && most - base < span) {
            return true;
        }
        long low = span == 0 ? least : Math.min(least, base);
        long high = span == 0 ? most : Math.max(most, base + span - 1);
        long needed = high - low + 1;
        long allowed = Math.max(FREE_SPAN, SPAN_PER_VALUE * known);
        if (high - low < 0 || needed <= 0 || needed > allowed) {
            return false;
        }
        long wanted = Math.min(allowed, Math.max(needed, 2 * span));
        // The reserve beyond the need is on the side to which the values moved.
        long from = span > 0 && low < base ? high - wanted + 1 : low;
        if (from > low || from + wanted - 1 < high) {
            from = low;
            wanted = needed;
        }
        Buffer larger = allocator.allocateZeroed(wanted * Integer.BYTES);
        if (span > 0) {
            MemorySegment.copy(
                    direct.segment(), 0, larger.segment(), (base - from) * Integer.BYTES, span * Integer.BYTES);
        }
        direct.release();
        direct = larger;
        base = from;
        span = wanted;
        return true;
    }

    private void leaveDirect() {
        isDirect = false;
        MemorySegment places = direct.segment();
        reserveSlots(known);
        for (long i = 0; i < span; i++) {
            int number = places.getAtIndex(JAVA_INT, i);
            if (number != 0) {
                put(slots, mask, base + i, number);
            }
        }
        direct.release();
        direct = Buffer.EMPTY;
        span = 0;
    }

    private static void put(MemorySegment slots, int mask, long value, long number) {
        long slot = (int) HashMix.of(value) & mask;
        while (slots.getAtIndex(JAVA_LONG, slot * SLOT_LONGS + 1) != 0) {
            slot = slot + 1 & mask;
        }
        slots.setAtIndex(JAVA_LONG, slot * SLOT_LONGS, value);
        slots.setAtIndex(JAVA_LONG, slot * SLOT_LONGS + 1, number);
    }

    /// At most half of the slots are taken.
    private void reserveSlots(long count) {
        if (2 * count <= mask + 1L) {
            return;
        }
        int size = Math.toIntExact(Math.max(MIN_SLOTS, Long.highestOneBit(4 * count - 1)));
        Buffer larger = allocator.allocateZeroed((long) size * SLOT_LONGS * Long.BYTES);
        for (long old = 0; old <= mask; old++) {
            long number = slots.getAtIndex(JAVA_LONG, old * SLOT_LONGS + 1);
            if (number != 0) {
                put(larger.segment(), size - 1, slots.getAtIndex(JAVA_LONG, old * SLOT_LONGS), number);
            }
        }
        table.release();
        table = larger;
        slots = larger.segment();
        mask = size - 1;
    }

    @Override
    public void close() {
        values.close();
        direct.release();
        direct = Buffer.EMPTY;
        table.release();
        table = Buffer.EMPTY;
    }
}
