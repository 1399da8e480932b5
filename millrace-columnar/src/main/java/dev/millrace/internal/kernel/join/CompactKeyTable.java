package dev.millrace.internal.kernel.join;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Column;
import dev.millrace.column.LongColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.hash.HashMix;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A hash table for a single integer key whose values span less than 2^32: open addressing, where a slot contains the
/// key itself, as its offset from the minimum. Slots are ordered by key if the keys are evenly distributed, so that
/// keys that arrive in order are found in adjacent slots.
final class CompactKeyTable extends JoinHashTable {
    private static final int MIN_SLOTS = 16;
    private static final int MAX_ROWS = 1 << 28;
    private static final long FARTHEST = 0xFFFFFFFFL;
    /// More probe steps per row than this, on average, mean that keys are not evenly distributed.
    private static final int MANY_STEPS = 2;

    private final long least;
    private final long span;
    private final boolean ordered;
    private final long factor;
    private final long mask;
    private final long[] words = new long[CHUNK];
    /// For each slot the offset in the upper half, and the row + 1 in the lower half; 0 if it is free.
    private final MemorySegment table;

    private @Nullable Buffer slotsBuffer;

    CompactKeyTable(JoinKeys keys, List<KeyForm> forms, TableShape shape, LongColumn slots) {
        this(
                keys,
                forms,
                shape.least(),
                shape.span(),
                shape.kind() == TableShape.Kind.ORDERED,
                slots.values(),
                slots.length());
    }

    private CompactKeyTable(
            JoinKeys keys,
            List<KeyForm> forms,
            long least,
            long span,
            boolean ordered,
            MemorySegment table,
            long slots) {
        super(keys, forms);
        this.least = least;
        this.span = span;
        this.ordered = ordered;
        this.factor = (slots << 32) / (span + 1);
        this.mask = slots - 1;
        this.table = table;
    }

    /// Null if the keys are not of that kind.
    ///
    /// @param range the minimum and maximum key, of a single integer key
    static @Nullable CompactKeyTable tryBuild(
            Allocator allocator, JoinKeys keys, List<KeyForm> forms, int rows, long[] range) {
        long span = range[1] - range[0];
        if (rows > MAX_ROWS || range[0] > range[1] || span < 0 || span > FARTHEST) {
            return null;
        }
        long slots = Math.max(MIN_SLOTS, Long.highestOneBit(Math.max(1, 2L * rows - 1)) << 1);
        for (boolean ordered : new boolean[] {true, false}) {
            Buffer table = allocator.allocateZeroed(slots * Long.BYTES);
            CompactKeyTable made = new CompactKeyTable(keys, forms, range[0], span, ordered, table.segment(), slots);
            made.slotsBuffer = made.own(table);
            try (ResourceScope scope = new ResourceScope()) {
                scope.add(made);
                if (made.fill(allocator, rows)) {
                    return scope.keep(made);
                }
                scope.keep();
            }
            made.close();
        }
        throw new IllegalStateException("a table of " + rows + " rows was not filled");
    }

    /// Inserts from the last row to the first, each in front of its chain. False if keys are not distributed as
    /// required.
    private boolean fill(Allocator allocator, int rows) {
        MemorySegment chains = openChains(allocator, rows);
        boolean unique = true;
        long steps = 0;
        for (int end = rows; end > 0; end -= CHUNK) {
            int from = Math.max(0, end - CHUNK);
            int count = end - from;
            boolean all = keys.readWords(forms, from, count, words, matchable);
            for (int i = count - 1; i >= 0; i--) {
                if (all || matchable[i]) {
                    long distance = words[i] - least;
                    long first = place(distance);
                    long slot = slot(first, distance);
                    steps += slot - first & mask;
                    long there = table.getAtIndex(JAVA_LONG, slot);
                    unique &= there == 0;
                    chains.setAtIndex(JAVA_INT, from + i, (int) there - 1);
                    table.setAtIndex(JAVA_LONG, slot, distance << 32 | from + i + 1);
                }
            }
            if (ordered && steps > (long) MANY_STEPS * Math.max(CHUNK, rows - from)) {
                return false;
            }
        }
        if (unique) {
            dropChains();
        }
        return true;
    }

    private long place(long distance) {
        return ordered ? distance * factor >>> 32 : HashMix.of(distance) & mask;
    }

    /// The slot that contains the key, or the free one where it belongs.
    private long slot(long first, long distance) {
        long slot = first;
        while (true) {
            long there = table.getAtIndex(JAVA_LONG, slot);
            if (there == 0 || there >>> 32 == distance) {
                return slot;
            }
            slot = slot + 1 & mask;
        }
    }

    @Override
    public TableShape shape() {
        TableShape.Kind kind = ordered ? TableShape.Kind.ORDERED : TableShape.Kind.NEAR;
        return new TableShape(forms, kind, least, span, isUnique());
    }

    @Override
    public Column slots() {
        return new LongColumn(
                DataType.INT64, mask + 1, requireNonNull(slotsBuffer, IS_READER).retain(), null, 0, 0);
    }

    @Override
    public @Nullable Column words(int rows) {
        return null;
    }

    @Override
    public void find(JoinKeys other, long from, int count, int[] firsts) {
        boolean all = other.readWords(forms, from, count, words, matchable);
        for (int i = 0; i < count; i++) {
            long distance = words[i] - least;
            boolean near = distance >= 0 && distance <= span && (all || matchable[i]);
            firsts[i] = near ? (int) table.getAtIndex(JAVA_LONG, slot(place(distance), distance)) - 1 : NONE;
        }
    }
}
