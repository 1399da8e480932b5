package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.internal.kernel.hash.HashMix;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Keys that are text or bytes. One-byte values index an array. Values of up to seven bytes are one word with their
/// length, which is looked up first in a small cache and then in the hash table; longer ones are hashed and compared.
final class TextIds extends KeyIds {
    private static final int SHORT = 7;
    private static final int MIN_SLOTS = 1 << 10;
    private static final int SLOT_LONGS = 2;
    /// Marks the slot of a short value: equal hashes are equal values.
    private static final long EXACT = Long.MIN_VALUE;

    /// The approximate bytes of a value beside its own.
    private static final long BYTES_EACH = 64;

    private static final int CACHE_BITS = 8;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final DataType type;
    private final long[] cachedWords = new long[1 << CACHE_BITS];
    private final int[] cachedNumbers = new int[1 << CACHE_BITS];
    /// For values of one byte: the id plus one.
    private final int[] ofSingle = new int[256];
    private final long[] bounds;
    private final int[] one = new int[1];
    /// The bytes of all values, and where each begins.
    private final GroupCells bytes;
    private final GroupCells starts;
    private long end;
    private int known;

    private Buffer table = Buffer.EMPTY;
    private MemorySegment slots = MemorySegment.NULL;
    private int mask;

    private @Nullable VariableWidthColumn column;
    private MemorySegment data = MemorySegment.NULL;
    private long dataSize;

    TextIds(Allocator allocator, DataType type, int mostRows) {
        super(allocator);
        this.type = type;
        this.bounds = new long[mostRows + 1];
        this.bytes = new GroupCells(allocator, 1);
        this.starts = new GroupCells(allocator, Long.BYTES);
        Arrays.fill(cachedNumbers, -1);
    }

    @Override
    void bindValues(Column next) {
        VariableWidthColumn texts = (VariableWidthColumn) next;
        column = texts;
        data = texts.dataSegment();
        dataSize = data.byteSize();
    }

    @Override
    int numberOf(int row) {
        assignValues(row, 1, one);
        return one[0];
    }

    @Override
    void assignValues(long from, int count, int[] numbers) {
        reserveSlots(known + (long) count);
        starts.reserve(known + count + 2L);
        VariableWidthColumn texts = requireNonNull(column, "a column is bound before its rows are read");
        boolean nulls = texts.hasNulls();
        texts.starts(from, count + 1, bounds);
        for (int i = 0; i < count; i++) {
            long start = bounds[i];
            long length = bounds[i + 1] - start;
            if (nulls && texts.isNull(from + i)) {
                numbers[i] = ofNull();
            } else if (length == 1) {
                int single = data.get(JAVA_BYTE, start) & 0xFF;
                if (ofSingle[single] == 0) {
                    ofSingle[single] = find(HashMix.of(word(start, 1)), EXACT, start, length) + 1;
                }
                numbers[i] = ofSingle[single] - 1;
            } else if (length <= SHORT) {
                long word = word(start, (int) length);
                int cached = (int) (word * SPREAD >>> 64 - CACHE_BITS);
                if (cachedWords[cached] != word || cachedNumbers[cached] < 0) {
                    cachedNumbers[cached] = find(HashMix.of(word), EXACT, start, length);
                    cachedWords[cached] = word;
                }
                numbers[i] = cachedNumbers[cached];
            } else {
                numbers[i] = find(HashMix.bytes(data, start, length), 0, start, length);
            }
        }
    }

    @Override
    int ofNull() {
        if (nullNumber < 0) {
            starts.reserve(known + 2L);
            nullNumber = known++;
            starts.segment.setAtIndex(JAVA_LONG, known, end);
        }
        return nullNumber;
    }

    private long word(long start, int length) {
        long word = 0;
        if (start + Long.BYTES <= dataSize) {
            word = length == 0 ? 0 : data.get(JAVA_LONG_UNALIGNED, start) & -1L >>> 64 - 8 * length;
        } else {
            for (int i = 0; i < length; i++) {
                word |= (data.get(JAVA_BYTE, start + i) & 0xFFL) << 8 * i;
            }
        }
        return word | (long) length << 56;
    }

    /// @param kind [#EXACT], or zero where bytes must be compared
    private int find(long hash, long kind, long start, long length) {
        long slot = (int) hash & mask;
        while (true) {
            long entry = slots.getAtIndex(JAVA_LONG, slot * SLOT_LONGS + 1);
            if (entry == 0) {
                slots.setAtIndex(JAVA_LONG, slot * SLOT_LONGS, hash);
                slots.setAtIndex(JAVA_LONG, slot * SLOT_LONGS + 1, known + 1L | kind);
                return add(start, length);
            }
            int number = (int) entry - 1;
            if (slots.getAtIndex(JAVA_LONG, slot * SLOT_LONGS) == hash
                    && (entry & EXACT) == kind
                    && (kind == EXACT || isAt(number, start, length))) {
                return number;
            }
            slot = slot + 1 & mask;
        }
    }

    private boolean isAt(int number, long start, long length) {
        long from = starts.segment.getAtIndex(JAVA_LONG, number);
        long to = starts.segment.getAtIndex(JAVA_LONG, number + 1L);
        return to - from == length && MemorySegment.mismatch(bytes.segment, from, to, data, start, start + length) < 0;
    }

    private int add(long start, long length) {
        bytes.reserve(end + length);
        MemorySegment.copy(data, start, bytes.segment, end, length);
        end += length;
        known++;
        starts.segment.setAtIndex(JAVA_LONG, known, end);
        return known - 1;
    }

    private void reserveSlots(long count) {
        if (2 * count <= table.size() / (SLOT_LONGS * Long.BYTES)) {
            return;
        }
        int size = Math.toIntExact(Math.max(MIN_SLOTS, Long.highestOneBit(4 * count - 1)));
        Buffer larger = allocator.allocateZeroed((long) size * SLOT_LONGS * Long.BYTES);
        MemorySegment to = larger.segment();
        for (long old = 0; old * SLOT_LONGS * Long.BYTES < table.size(); old++) {
            long entry = slots.getAtIndex(JAVA_LONG, old * SLOT_LONGS + 1);
            if (entry != 0) {
                long hash = slots.getAtIndex(JAVA_LONG, old * SLOT_LONGS);
                long slot = (int) hash & size - 1;
                while (to.getAtIndex(JAVA_LONG, slot * SLOT_LONGS + 1) != 0) {
                    slot = slot + 1 & size - 1;
                }
                to.setAtIndex(JAVA_LONG, slot * SLOT_LONGS, hash);
                to.setAtIndex(JAVA_LONG, slot * SLOT_LONGS + 1, entry);
            }
        }
        table.release();
        table = larger;
        slots = to;
        mask = size - 1;
    }

    @Override
    int known() {
        return known;
    }

    @Override
    long estimatedBytes() {
        return end + known * BYTES_EACH;
    }

    @Override
    Column build(int @Nullable [] wanted, int count) {
        if (count == 0) {
            return Columns.empty(type);
        }
        long total = 0;
        for (int i = 0; i < count; i++) {
            total += length(wanted == null ? i : wanted[i]);
        }
        boolean wide = total > Integer.MAX_VALUE;
        int width = wide ? Long.BYTES : Integer.BYTES;
        Buffer offsets = allocator.allocate((count + 1L) * width);
        try {
            Buffer text = allocator.allocate(total);
            try {
                long at = 0;
                for (int i = 0; i <= count; i++) {
                    if (wide) {
                        offsets.segment().setAtIndex(JAVA_LONG, i, at);
                    } else {
                        offsets.segment().setAtIndex(JAVA_INT, i, (int) at);
                    }
                    if (i < count) {
                        int number = wanted == null ? i : wanted[i];
                        long length = length(number);
                        long from = starts.segment.getAtIndex(JAVA_LONG, number);
                        MemorySegment.copy(bytes.segment, from, text.segment(), at, length);
                        at += length;
                    }
                }
                Buffer validity = validity(wanted, count);
                return VariableWidthColumn.of(
                        type, count, offsets.retain(), width, text.retain(), validity, 0, Column.UNKNOWN_NULLS);
            } finally {
                text.release();
            }
        } finally {
            offsets.release();
        }
    }

    private long length(int number) {
        return starts.segment.getAtIndex(JAVA_LONG, number + 1L) - starts.segment.getAtIndex(JAVA_LONG, number);
    }

    @Override
    public void close() {
        bytes.close();
        starts.close();
        table.release();
        table = Buffer.EMPTY;
    }
}
