package dev.millrace.internal.kernel.join;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Column;
import dev.millrace.column.LongColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A hash table for keys of any kind: open addressing, where a slot contains the first row of a key.
final class HashTable extends JoinHashTable {
    private static final int MIN_SLOTS = 16;
    private static final long TAG = 0xFFFFFFFF00000000L;

    private final int stride;
    private final boolean bytes;
    private final long[] words;
    private final long[] hashes = new long[CHUNK];
    private final long mask;
    /// For each slot the upper half of the hash, and the row + 1 in the lower half; 0 if it is free.
    private final MemorySegment table;
    /// The words of each row's keys, side by side.
    private final MemorySegment stored;

    private @Nullable Buffer slotsBuffer;
    private @Nullable Buffer storedBuffer;

    /// @param words null if keys have none
    HashTable(JoinKeys keys, List<KeyForm> forms, LongColumn slots, @Nullable LongColumn words) {
        this(keys, forms, slots.values(), slots.length(), words == null ? MemorySegment.NULL : words.values());
    }

    private HashTable(JoinKeys keys, List<KeyForm> forms, MemorySegment table, long slots, MemorySegment stored) {
        super(keys, forms);
        this.stride = JoinKeys.stride(forms);
        this.bytes = forms.contains(KeyForm.BYTES);
        this.words = new long[CHUNK * stride];
        this.mask = slots - 1;
        this.table = table;
        this.stored = stored;
    }

    static HashTable of(Allocator allocator, JoinKeys keys, List<KeyForm> forms, int rows) {
        long slots = Math.max(MIN_SLOTS, Long.highestOneBit(Math.max(1, 2L * rows - 1)) << 1);
        long words = (long) rows * JoinKeys.stride(forms) * Long.BYTES;
        Buffer table = allocator.allocateZeroed(slots * Long.BYTES);
        Buffer stored;
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(table);
            stored = allocator.allocate(Math.max(1, words));
            scope.keep();
        }
        HashTable made = new HashTable(keys, forms, table.segment(), slots, stored.segment());
        made.slotsBuffer = made.own(table);
        made.storedBuffer = made.own(stored);
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(made);
            made.fill(allocator, rows);
            return scope.keep(made);
        }
    }

    /// Inserts from the last row to the first, each in front of its chain.
    private void fill(Allocator allocator, int rows) {
        MemorySegment chains = openChains(allocator, rows);
        boolean unique = true;
        for (int end = rows; end > 0; end -= CHUNK) {
            int from = Math.max(0, end - CHUNK);
            int count = end - from;
            keys.read(forms, from, count, words, hashes, matchable);
            MemorySegment.copy(words, 0, stored, JAVA_LONG, (long) from * stride * Long.BYTES, count * stride);
            for (int i = count - 1; i >= 0; i--) {
                if (matchable[i]) {
                    long slot = slot(keys, from + i, i);
                    long there = table.getAtIndex(JAVA_LONG, slot);
                    unique &= there == 0;
                    chains.setAtIndex(JAVA_INT, from + i, (int) there - 1);
                    table.setAtIndex(JAVA_LONG, slot, (hashes[i] & TAG) | (from + i + 1));
                }
            }
        }
        if (unique) {
            dropChains();
        }
    }

    /// The slot that contains the key at index `i` of what was read, or the free one where it belongs.
    private long slot(JoinKeys reader, long row, int i) {
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
        for (int w = 0; w < stride; w++) {
            if (stored.getAtIndex(JAVA_LONG, (long) stands * stride + w) != words[i * stride + w]) {
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

    @Override
    public TableShape shape() {
        return new TableShape(forms, TableShape.Kind.HASHED, 0, 0, isUnique());
    }

    @Override
    public Column slots() {
        return new LongColumn(
                DataType.INT64, mask + 1, requireNonNull(slotsBuffer, IS_READER).retain(), null, 0, 0);
    }

    @Override
    public @Nullable Column words(int rows) {
        if (stride == 0) {
            return null;
        }
        Buffer shared = requireNonNull(storedBuffer, IS_READER);
        return new LongColumn(DataType.INT64, (long) rows * stride, shared.retain(), null, 0, 0);
    }

    @Override
    public void find(JoinKeys other, long from, int count, int[] firsts) {
        other.read(forms, from, count, words, hashes, matchable);
        for (int i = 0; i < count; i++) {
            firsts[i] = matchable[i] ? (int) table.getAtIndex(JAVA_LONG, slot(other, from + i, i)) - 1 : NONE;
        }
    }
}
