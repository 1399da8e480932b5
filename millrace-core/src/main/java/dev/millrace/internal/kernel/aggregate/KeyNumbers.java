package dev.millrace.internal.kernel.aggregate;

import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// Numbers the different values of a key column that comes block by block, null among them, in the order in which they
/// come; keeps the values. Equal is what [SameValues] calls so. One thread.
abstract class KeyNumbers implements AutoCloseable {
    final Allocator allocator;
    /// The number of null; negative before it came.
    int nullNumber = -1;

    KeyNumbers(Allocator allocator) {
        this.allocator = allocator;
    }

    /// Whether [#of] knows keys of this type.
    static boolean areFor(DataType type) {
        return Words.areFor(type) || type instanceof DataType.Utf8 || type instanceof DataType.Binary;
    }

    /// @param mostRows at most so many at a time
    static KeyNumbers of(Allocator allocator, DataType type, int mostRows) {
        return type instanceof DataType.Utf8 || type instanceof DataType.Binary
                ? new TextNumbers(allocator, type, mostRows)
                : new ValueNumbers(allocator, type, mostRows);
    }

    /// Goes on with this column, which must live until the next.
    abstract void bind(Column column);

    /// The numbers of the values of rows `from` to `from + count`.
    abstract void assign(long from, int count, int[] numbers);

    /// How many values there are.
    abstract int known();

    /// About what this takes, by what came alone.
    abstract long estimatedBytes();

    /// The values with these numbers, as a column that the caller releases.
    ///
    /// @param numbers null: all, in their order
    abstract Column build(int[] numbers, int count);

    /// Validity of the values with these numbers; null where none of them is null.
    final Buffer validity(int[] numbers, int count) {
        boolean any = false;
        for (int i = 0; i < count && nullNumber >= 0 && !any; i++) {
            any = (numbers == null ? i : numbers[i]) == nullNumber;
        }
        if (!any) {
            return null;
        }
        Buffer validity = allocator.allocateZeroed(Math.max(1, (count + 7) / 8));
        MemorySegment bits = validity.segment();
        for (int i = 0; i < count; i++) {
            Bits.set(bits, i, (numbers == null ? i : numbers[i]) != nullNumber);
        }
        return validity;
    }

    @Override
    public abstract void close();
}
