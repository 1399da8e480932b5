package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Direct addressing of groups for a single integer key with a dense range: the value indexes the array of group ids,
/// and nothing is hashed. One thread.
final class DirectGroups implements AutoCloseable {
    private static final long FEW = 1 << 14;
    private static final long MOST = 1 << 23;

    private final MemorySegment keys;
    private final boolean wide;
    private final long least;
    private final Buffer buffer;

    private DirectGroups(MemorySegment keys, boolean wide, long least, Buffer buffer) {
        this.keys = keys;
        this.wide = wide;
        this.least = least;
        this.buffer = buffer;
    }

    /// Null if the key is not an integer, has nulls, or has a range that is too large for the number of rows.
    static @Nullable DirectGroups of(Allocator allocator, Column key) {
        MemorySegment values = switch (key) {
            case LongColumn longs -> longs.values();
            case IntColumn ints -> ints.values();
            // Not integers of 32 or 64 bits: the hash table handles them.
            default -> null;
        };
        if (values == null || key.hasNulls() || key.length() < FEW) {
            return null;
        }
        boolean wide = key instanceof LongColumn;
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (long row = 0; row < key.length(); row++) {
            long value = wide ? values.getAtIndex(JAVA_LONG, row) : values.getAtIndex(JAVA_INT, row);
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        long span = most - least + 1;
        if (most - least < 0 || span <= 0 || span > Math.min(MOST, 2 * key.length())) {
            return null;
        }
        return new DirectGroups(values, wide, least, allocator.allocateZeroed(span * Integer.BYTES));
    }

    /// Writes the group ids of rows `from` to `from + count` to the front of `assigned`; new groups are numbered from
    /// `groups` on, and the row of each is written to `firstRows`.
    ///
    /// @return the number of groups afterwards
    int assign(long from, int count, int[] assigned, int groups, MemorySegment firstRows) {
        MemorySegment numbers = buffer.segment();
        int known = groups;
        for (int i = 0; i < count; i++) {
            long key = wide ? keys.getAtIndex(JAVA_LONG, from + i) : keys.getAtIndex(JAVA_INT, from + i);
            int group = numbers.getAtIndex(JAVA_INT, key - least);
            if (group == 0) {
                firstRows.setAtIndex(JAVA_INT, known, (int) from + i);
                group = ++known;
                numbers.setAtIndex(JAVA_INT, key - least, group);
            }
            assigned[i] = group - 1;
        }
        return known;
    }

    @Override
    public void close() {
        buffer.release();
    }
}
