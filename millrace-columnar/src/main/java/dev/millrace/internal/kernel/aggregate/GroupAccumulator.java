package dev.millrace.internal.kernel.aggregate;

import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// What one aggregate knows of each group, made of the rows of the columns it was made for. One thread.
abstract class GroupAccumulator implements AutoCloseable {
    final Allocator allocator;

    GroupAccumulator(Allocator allocator) {
        this.allocator = allocator;
    }

    /// Makes room for so many groups in all; new ones know nothing.
    abstract void reserve(int groups);

    /// Adds rows `from` to `from + count`: the one at `from + i` to group `groups[i]`.
    abstract void update(int[] groups, long from, int count);

    /// Goes on with the rows of another column of the same type. Only where [AccumulatorFunctions#goesOn] says so.
    void bind(Column column) {
        throw MillraceException.internal(getClass().getSimpleName() + " is made of one column alone");
    }

    /// Goes on with the states of another block, of the same types. Only where [AccumulatorFunctions#mergeGoesOn] says
    /// so.
    void bind(List<Column> columns) {
        bind(columns.getFirst());
    }

    /// About what it takes beside a few words for each group.
    long estimatedBytes() {
        return 0;
    }

    /// The states of the first `groups` groups as columns that the caller releases. Used up by it.
    abstract List<Column> build(int groups);

    @Override
    public abstract void close();

    /// Validity bits from one cell of `bytes` for each group: null where all of them are set.
    static Buffer validity(Allocator allocator, MemorySegment seen, int groups) {
        Buffer validity = allocator.allocateZeroed(Math.max(1, (groups + 7) / 8));
        boolean all = true;
        for (int group = 0; group < groups; group++) {
            boolean there = seen.get(java.lang.foreign.ValueLayout.JAVA_BYTE, group) != 0;
            all &= there;
            if (there) {
                Bits.set(validity.segment(), group, true);
            }
        }
        if (all) {
            validity.release();
            return null;
        }
        return validity;
    }
}
