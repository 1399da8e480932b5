package dev.millrace.internal.kernel.aggregate;

import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The accumulator of one aggregate: its state for each group. One thread.
abstract class GroupAccumulator implements AutoCloseable {
    final Allocator allocator;

    GroupAccumulator(Allocator allocator) {
        this.allocator = allocator;
    }

    /// Reserves space for this many groups in total; new ones have an empty state.
    abstract void reserve(int groups);

    /// Adds rows `from` to `from + count`: the one at `from + i` to group `groups[i]`.
    abstract void update(int[] groups, long from, int count);

    /// Continues with the rows of another column of the same type. Only if [AccumulatorFunctions#goesOn] says so.
    void bind(Column column) {
        throw MillraceException.internal(getClass().getSimpleName() + " is made of one column alone");
    }

    /// Continues with the states of another block, of the same types. Only if [AccumulatorFunctions#mergeGoesOn] says
    /// so.
    void bind(List<Column> columns) {
        bind(columns.getFirst());
    }

    /// The approximate bytes that it takes beside a few words for each group.
    long estimatedBytes() {
        return 0;
    }

    /// The states of the first `groups` groups as columns that the caller releases. The accumulator is empty
    /// afterwards.
    abstract List<Column> build(int groups);

    @Override
    public abstract void close();

    /// Validity bits from one byte for each group: null if all of them are set.
    static @Nullable Buffer validity(Allocator allocator, MemorySegment seen, int groups) {
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
