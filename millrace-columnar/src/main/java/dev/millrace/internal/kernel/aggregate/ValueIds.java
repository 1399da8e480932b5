package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Keys that are one long each: numbers, times, booleans, decimals of up to 18 digits.
final class ValueIds extends KeyIds {
    private final DataType type;
    private final int mostRows;
    private static final long[] NONE = {};
    private static final String UNBOUND = "a column is bound before its rows are read";

    private final LongIds numbers;
    private final int[] places;
    private int[] picked = {};
    private @Nullable Column column;
    private @Nullable ValueArrays values;
    private final long[] word = new long[1];
    private final int[] one = new int[1];
    /// Of a dictionary's values.
    private long[] words = NONE;

    ValueIds(Allocator allocator, DataType type, int mostRows) {
        super(allocator);
        this.type = type;
        this.mostRows = mostRows;
        this.numbers = new LongIds(allocator, !(type instanceof DataType.Float));
        this.places = new int[mostRows];
        for (int i = 0; i < mostRows; i++) {
            places[i] = i;
        }
    }

    @Override
    void bindValues(Column next) {
        column = next;
        words = NONE;
        if (values == null) {
            values = new ValueArrays(next, mostRows, false);
        } else {
            values.bind(next);
        }
    }

    /// Reads the words of all rows at once.
    @Override
    void findKnown(int[] into) {
        words = new long[into.length];
        ValueArrays values = values();
        for (int from = 0; from < words.length; from += mostRows) {
            values.all(from, Math.min(mostRows, words.length - from));
            readWords(values);
            System.arraycopy(values.longs, 0, words, from, values.count);
        }
        numbers.find(words, into);
    }

    @Override
    int numberOf(int row) {
        word[0] = words[row];
        numbers.assign(word, 0, 1, one);
        return one[0];
    }

    @Override
    int ofNull() {
        if (nullNumber < 0) {
            nullNumber = numbers.another();
        }
        return nullNumber;
    }

    @Override
    void assignValues(long from, int count, int[] into) {
        ValueArrays values = values();
        values.select(places, from, count);
        readWords(values);
        if (values.count == count) {
            numbers.assign(values.longs, 0, count, into);
            return;
        }
        if (picked.length < mostRows) {
            picked = new int[mostRows];
        }
        int before = 0;
        if (nullNumber < 0) {
            // Ids follow the rows: values before the first null are numbered before it.
            while (before < values.count && values.groups[before] == before) {
                before++;
            }
            numbers.assign(values.longs, 0, before, picked);
            nullNumber = numbers.another();
        }
        numbers.assign(values.longs, before, values.count, picked);
        Arrays.fill(into, 0, count, nullNumber);
        for (int i = 0; i < values.count; i++) {
            into[values.groups[i]] = picked[i];
        }
    }

    private ValueArrays values() {
        return requireNonNull(values, UNBOUND);
    }

    /// Maps equal values to equal words: one NaN, one zero.
    private void readWords(ValueArrays values) {
        long[] longs = values.longs;
        switch (requireNonNull(column, UNBOUND)) {
            case DoubleColumn c -> {
                for (int i = 0; i < values.count; i++) {
                    longs[i] = Double.doubleToLongBits(c.get(values.row(i)) + 0.0);
                }
            }
            case FloatColumn c -> {
                for (int i = 0; i < values.count; i++) {
                    longs[i] = Float.floatToIntBits(c.get(values.row(i)) + 0.0f);
                }
            }
            case HalfColumn c -> {
                for (int i = 0; i < values.count; i++) {
                    longs[i] = Float.floatToFloat16(c.get(values.row(i)) + 0.0f);
                }
            }
            // Stored as integers.
            default -> values.readLongs();
        }
    }

    @Override
    int known() {
        return numbers.known();
    }

    @Override
    long estimatedBytes() {
        return numbers.estimatedBytes();
    }

    @Override
    Column build(int @Nullable [] wanted, int count) {
        if (count == 0) {
            return Columns.empty(type);
        }
        MemorySegment words = numbers.values();
        return LongWords.column(
                allocator,
                type,
                count,
                validity(wanted, count),
                i -> words.getAtIndex(JAVA_LONG, wanted == null ? i : wanted[i]));
    }

    @Override
    public void close() {
        numbers.close();
    }
}
