package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Assigns dense ids to the distinct values of a key column that arrives block by block, including null, in order of
/// occurrence; keeps the values. Equality is that of [SameValues]. One thread.
abstract class KeyIds implements AutoCloseable {
    final Allocator allocator;
    /// The id of null; negative before it occurred.
    int nullNumber = -1;

    /// If keys are a dictionary: the column, its values, and the ids of those that occurred, negative for others.
    private @Nullable DictionaryColumn coded;

    private @Nullable Column dictionary;
    private int[] ofCodes = {};

    KeyIds(Allocator allocator) {
        this.allocator = allocator;
    }

    /// Whether [#of] supports keys of this type.
    static boolean areFor(DataType type) {
        return LongWords.areFor(type) || type instanceof DataType.Utf8 || type instanceof DataType.Binary;
    }

    /// @param mostRows the maximum number of rows at a time
    static KeyIds of(Allocator allocator, DataType type, int mostRows) {
        return type instanceof DataType.Utf8 || type instanceof DataType.Binary
                ? new TextIds(allocator, type, mostRows)
                : new ValueIds(allocator, type, mostRows);
    }

    /// Continues with this column, which must live until the next. It may be a dictionary, whose values are looked up
    /// once each.
    final void bind(Column column) {
        coded = column instanceof DictionaryColumn codes ? codes : null;
        if (coded == null) {
            dictionary = null;
            bindValues(column);
        } else if (coded.dictionary() != dictionary) {
            dictionary = coded.dictionary();
            bindValues(dictionary);
            ofCodes = new int[Math.toIntExact(dictionary.length())];
            findKnown(ofCodes);
        }
    }

    /// The ids of the values of rows `from` to `from + count`.
    final void assign(long from, int count, int[] numbers) {
        if (coded == null) {
            assignValues(from, count, numbers);
        } else if (!coded.hasNulls() && coded.indices() instanceof IntColumn codes) {
            MemorySegment.copy(codes.values(), JAVA_INT, from * Integer.BYTES, numbers, 0, count);
            assignCodes(numbers, count, ofCodes);
        } else {
            for (int i = 0; i < count; i++) {
                numbers[i] = coded.isNull(from + i) ? ofNull() : ofCode(coded.index(from + i));
            }
        }
    }

    /// Replaces codes by their ids.
    private void assignCodes(int[] codes, int count, int[] ids) {
        for (int i = 0; i < count; i++) {
            int id = ids[codes[i]];
            codes[i] = id >= 0 ? id : ofCode(codes[i]);
        }
    }

    private int ofCode(int code) {
        if (ofCodes[code] < 0) {
            ofCodes[code] = numberOf(code);
        }
        return ofCodes[code];
    }

    /// Continues with this column of values.
    abstract void bindValues(Column column);

    /// The ids of rows of the column of values.
    abstract void assignValues(long from, int count, int[] numbers);

    /// The id of one of its rows, which is not null.
    abstract int numberOf(int row);

    /// The id of null.
    abstract int ofNull();

    /// The ids of all of its rows whose values occurred before, as far as that is cheap to determine; negative for the
    /// others.
    void findKnown(int[] numbers) {
        Arrays.fill(numbers, -1);
    }

    /// The number of values.
    abstract int known();

    /// Its approximate size, depending only on the values that occurred.
    abstract long estimatedBytes();

    /// The values with these ids, as a column that the caller releases.
    ///
    /// @param numbers null: all, in their order
    abstract Column build(int @Nullable [] numbers, int count);

    /// Validity of the values with these ids; null if none of them is null.
    final @Nullable Buffer validity(int @Nullable [] numbers, int count) {
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
