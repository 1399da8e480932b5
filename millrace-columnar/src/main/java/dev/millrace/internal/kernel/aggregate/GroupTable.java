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

/// Gives the rows of some key columns the number of their group; groups are numbered as they come. Two rows are of one
/// group where [SameValues] says so.
///
/// An open-addressing table of hash and group number, or for integers close together [DirectGroups]. A group's key is
/// that of its first row, so the columns stay
/// where they are and no key is copied. One thread.
final class GroupTable implements AutoCloseable {
    private static final int MIN_SLOTS = 1 << 10;
    /// A slot is the hash, then the number of the group plus one; zero is nobody.
    private static final int SLOT_LONGS = 2;

    private final Allocator allocator;
    private final RowHash hash;
    private final SameValues same;
    /// Whether equal hashes are equal keys.
    private final boolean exact;
    private final long[] hashes;
    private final GroupCells firstRows;
    /// Used instead of the table; null where it cannot be.
    private final DirectGroups direct;
    private Buffer table = Buffer.EMPTY;
    private MemorySegment slots;
    private int mask;
    private int groups;

    /// @param mostRows at most so many at a time
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

    /// One integer is mixed by a bijection, so that its hash is as good as itself; but a large uint64 has the hash of
    /// the float that is equal to it.
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

    /// The groups of rows `from` to `from + count` into the front of `assigned`.
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
