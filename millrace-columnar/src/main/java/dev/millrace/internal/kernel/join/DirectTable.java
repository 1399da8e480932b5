package dev.millrace.internal.kernel.join;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Column;
import dev.millrace.column.IntColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A direct-address table for a single integer key with a dense range: the value determines its slot. Keys that arrive
/// in order, as those of generated data and of numbered tables do, are found in order too.
final class DirectTable extends JoinHashTable {
    /// The maximum number of slots per row: what a hash table would take.
    private static final int SLOTS_PER_ROW = 8;

    private static final long FEW_SLOTS = 1024;
    /// This many slots fit the cache, and then this many per row are acceptable.
    private static final long CACHED_SLOTS = 1 << 19;

    private static final long CACHED_SLOTS_PER_ROW = 64;

    private final long least;
    private final long[] words = new long[CHUNK];
    /// For each value the number of its first row + 1; 0 if there is none.
    private final MemorySegment table;

    private final long span;
    private @Nullable Buffer slotsBuffer;

    DirectTable(JoinKeys keys, List<KeyForm> forms, long least, IntColumn slots) {
        super(keys, forms);
        this.least = least;
        this.table = slots.values();
        this.span = slots.length();
    }

    private DirectTable(JoinKeys keys, List<KeyForm> forms, long least, long span, Buffer slots) {
        super(keys, forms);
        this.least = least;
        this.span = span;
        this.slotsBuffer = own(slots);
        this.table = slots.segment();
    }

    /// Null if the keys are not of that kind.
    ///
    /// @param range the minimum and maximum key, of a single integer key
    static @Nullable DirectTable tryBuild(
            Allocator allocator, JoinKeys keys, List<KeyForm> forms, int rows, long[] range) {
        long span = range[1] - range[0] + 1;
        long cached = Math.min(CACHED_SLOTS, rows * CACHED_SLOTS_PER_ROW);
        long most = Math.max(Math.max(FEW_SLOTS, (long) rows * SLOTS_PER_ROW), cached);
        if (range[0] > range[1] || span <= 0 || span > most) {
            return null;
        }
        DirectTable table =
                new DirectTable(keys, forms, range[0], span, allocator.allocateZeroed(span * Integer.BYTES));
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(table);
            table.fill(allocator, rows);
            return scope.keep(table);
        }
    }

    /// Inserts from the last row to the first, each in front of its chain.
    private void fill(Allocator allocator, int rows) {
        MemorySegment chains = openChains(allocator, rows);
        boolean unique = true;
        for (int end = rows; end > 0; end -= CHUNK) {
            int from = Math.max(0, end - CHUNK);
            int count = end - from;
            boolean all = keys.readWords(forms, from, count, words, matchable);
            for (int i = count - 1; i >= 0; i--) {
                if (all || matchable[i]) {
                    long slot = words[i] - least;
                    int there = table.getAtIndex(JAVA_INT, slot);
                    unique &= there == 0;
                    chains.setAtIndex(JAVA_INT, from + i, there - 1);
                    table.setAtIndex(JAVA_INT, slot, from + i + 1);
                }
            }
        }
        if (unique) {
            dropChains();
        }
    }

    @Override
    public TableShape shape() {
        return new TableShape(forms, TableShape.Kind.DIRECT, least, span, isUnique());
    }

    @Override
    public Column slots() {
        return new IntColumn(
                DataType.INT32, span, requireNonNull(slotsBuffer, IS_READER).retain(), null, 0, 0);
    }

    @Override
    public @Nullable Column words(int rows) {
        return null;
    }

    @Override
    public void find(JoinKeys other, long from, int count, int[] firsts) {
        boolean all = other.readWords(forms, from, count, words, matchable);
        for (int i = 0; i < count; i++) {
            long slot = words[i] - least;
            boolean there = slot >= 0 && slot < span && (all || matchable[i]);
            firsts[i] = there ? table.getAtIndex(JAVA_INT, slot) - 1 : NONE;
        }
    }
}
