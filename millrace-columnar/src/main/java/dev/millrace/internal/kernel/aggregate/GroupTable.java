package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.internal.kernel.hash.RowHash;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Assigns group ids to the rows of some key columns; groups are numbered in order of occurrence. Two rows are in one
/// group if [SameValues] says so.
///
/// An open-addressing hash table of hash and group id, or, for dense integers, [DirectGroups]. A group's key is that of
/// its first row, so the columns stay where they are and no key is copied. One thread.
final class GroupTable implements AutoCloseable {
    private static final int MIN_SLOTS = 1 << 10;
    /// A slot is the hash, then the group id plus one; zero is empty.
    private static final int SLOT_LONGS = 2;

    private final Allocator allocator;
    private final RowHash hash;
    private final SameValues same;
    /// Whether equal hashes are equal keys.
    private final boolean exact;
    private final long[] hashes;
    private final GroupCells firstRows;
    /// Used instead of the hash table; null if that is not possible.
    private final @Nullable DirectGroups direct;
    private Buffer table = Buffer.EMPTY;
    private MemorySegment slots = MemorySegment.NULL;
    private int mask;
    private int groups;

    /// @param mostRows the maximum number of rows at a time
    GroupTable(Allocator allocator, List<Column> keys, int mostRows) {
        this.allocator = allocator;
        this.hash = RowHash.of(keys);
        this.same = new SameValues(keys);
        this.exact = keys.size() == 1 && isExact(keys.getFirst());
        this.hashes = new long[mostRows];
        this.firstRows = new GroupCells(allocator, Integer.BYTES);
        this.direct = keys.size() == 1 ? DirectGroups.of(allocator, keys.getFirst()) : null;
        if (direct == null) {
            resize(MIN_SLOTS);
        }
    }

    /// A single integer is hashed by a bijection, so that comparing the hash is enough; but a large uint64 has the hash
    /// of the float that is equal to it.
    private static boolean isExact(Column key) {
        return (key instanceof LongColumn || key instanceof IntColumn)
                && !key.type().equals(DataType.UINT64)
                && !key.hasNulls();
    }

    int groups() {
        return groups;
    }

    /// The first row of each group: 32-bit numbers, valid until the next [#assign].
    MemorySegment firstRows() {
        return firstRows.segment;
    }

    /// Writes the group ids of rows `from` to `from + count` to the front of `assigned`.
    void assign(long from, int count, int[] assigned) {
        firstRows.reserve(groups + (long) count);
        if (direct != null) {
            groups = direct.assign(from, count, assigned, groups, firstRows.segment);
            return;
        }
        hash.compute(from, count, hashes);
        for (int i = 0; i < count; i++) {
            assigned[i] = find(hashes[i], from + i);
        }
    }

    private int find(long hash, long row) {
        int slot = (int) hash & mask;
        while (true) {
            int group = (int) slots.getAtIndex(JAVA_LONG, (long) slot * SLOT_LONGS + 1) - 1;
            if (group < 0) {
                return add(slot, hash, row);
            }
            if (slots.getAtIndex(JAVA_LONG, (long) slot * SLOT_LONGS) == hash
                    && (exact || same.test(row, firstRows.segment.getAtIndex(JAVA_INT, group)))) {
                return group;
            }
            slot = slot + 1 & mask;
        }
    }

    private int add(int slot, long hash, long row) {
        slots.setAtIndex(JAVA_LONG, (long) slot * SLOT_LONGS, hash);
        slots.setAtIndex(JAVA_LONG, (long) slot * SLOT_LONGS + 1, groups + 1L);
        firstRows.segment.setAtIndex(JAVA_INT, groups, (int) row);
        groups++;
        if (groups > mask / 2) {
            resize((mask + 1) * 2);
        }
        return groups - 1;
    }

    private void resize(int count) {
        Buffer larger = allocator.allocateZeroed((long) count * SLOT_LONGS * Long.BYTES);
        MemorySegment to = larger.segment();
        int newMask = count - 1;
        for (long old = 0; groups > 0 && old <= mask; old++) {
            long group = slots.getAtIndex(JAVA_LONG, old * SLOT_LONGS + 1);
            if (group != 0) {
                long value = slots.getAtIndex(JAVA_LONG, old * SLOT_LONGS);
                int slot = (int) value & newMask;
                while (to.getAtIndex(JAVA_LONG, (long) slot * SLOT_LONGS + 1) != 0) {
                    slot = slot + 1 & newMask;
                }
                to.setAtIndex(JAVA_LONG, (long) slot * SLOT_LONGS, value);
                to.setAtIndex(JAVA_LONG, (long) slot * SLOT_LONGS + 1, group);
            }
        }
        table.release();
        table = larger;
        slots = to;
        mask = newMask;
    }

    @Override
    public void close() {
        firstRows.close();
        if (direct != null) {
            direct.close();
        }
        table.release();
        table = Buffer.EMPTY;
    }
}
