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

/// Numbers the different values of a key column that comes block by block, null among them, in the order in which they
/// come; keeps the values. Equal is what [SameValues] calls so. One thread.
abstract class KeyIds implements AutoCloseable {
    final Allocator allocator;
    /// The number of null; negative before it came.
    int nullNumber = -1;

    /// Where keys come as a dictionary: they, its values, and the numbers of those that came, negative for others.
    private DictionaryColumn coded;

    private Column dictionary;
    private int[] ofCodes;

    KeyIds(Allocator allocator) {
        this.allocator = allocator;
    }

    /// Whether [#of] knows keys of this type.
    static boolean areFor(DataType type) {
        return LongWords.areFor(type) || type instanceof DataType.Utf8 || type instanceof DataType.Binary;
    }

    /// @param mostRows at most so many at a time
    static KeyIds of(Allocator allocator, DataType type, int mostRows) {
        return type instanceof DataType.Utf8 || type instanceof DataType.Binary
                ? new TextIds(allocator, type, mostRows)
                : new ValueIds(allocator, type, mostRows);
    }

    /// Goes on with this column, which must live until the next. It may be a dictionary, whose values are looked up
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

    /// The numbers of the values of rows `from` to `from + count`.
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

    /// Codes become numbers.
    private void assignCodes(int[] codes, int count, int[] numbers) {
        for (int i = 0; i < count; i++) {
            int number = numbers[codes[i]];
            codes[i] = number >= 0 ? number : ofCode(codes[i]);
        }
    }

    private int ofCode(int code) {
        if (ofCodes[code] < 0) {
            ofCodes[code] = numberOf(code);
        }
        return ofCodes[code];
    }

    /// Goes on with this column of values.
    abstract void bindValues(Column column);

    /// The numbers of rows of the column of values.
    abstract void assignValues(long from, int count, int[] numbers);

    /// The number of one of its rows, which is not null.
    abstract int numberOf(int row);

    /// The number of null.
    abstract int ofNull();

    /// The numbers of all of its rows whose values came before, as far as that is quickly told; a negative one for the
    /// others.
    void findKnown(int[] numbers) {
        Arrays.fill(numbers, -1);
    }

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
