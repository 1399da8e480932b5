package dev.millrace.internal.kernel.hash;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// Combines the hash of a column's values with those of the columns before it.
final class ColumnHash {
    private static final long NULL = 0x6E756C6C6E756C6CL;

    private ColumnHash() {}

    static void combine(Column column, long from, int count, long[] hashes) {
        boolean plain = !column.hasNulls();
        switch (column) {
            case LongColumn longs
            when plain && isSigned(longs) -> {
                MemorySegment values = longs.values();
                for (int i = 0; i < count; i++) {
                    hashes[i] = HashMix.and(hashes[i], values.getAtIndex(JAVA_LONG, from + i));
                }
            }
            case IntColumn ints
            when plain && isSigned(ints) -> {
                MemorySegment values = ints.values();
                for (int i = 0; i < count; i++) {
                    hashes[i] = HashMix.and(hashes[i], values.getAtIndex(JAVA_INT, from + i));
                }
            }
            case DoubleColumn doubles
            when plain -> {
                MemorySegment values = doubles.values();
                for (int i = 0; i < count; i++) {
                    hashes[i] = HashMix.and(hashes[i], HashMix.bitsOf(values.getAtIndex(JAVA_DOUBLE, from + i)));
                }
            }
            case VariableWidthColumn bytes
            when plain -> {
                MemorySegment data = bytes.dataSegment();
                long start = count == 0 ? 0 : bytes.start(from);
                for (int i = 0; i < count; i++) {
                    long end = bytes.end(from + i);
                    hashes[i] = HashMix.and(hashes[i], HashMix.bytes(data, start, end - start));
                    start = end;
                }
            }
            // All other types, value by value.
            default -> {
                for (int i = 0; i < count; i++) {
                    hashes[i] = HashMix.and(hashes[i], value(column, from + i));
                }
            }
        }
    }

    private static boolean isSigned(Column column) {
        return !(column.type() instanceof DataType.Int integer) || integer.signed();
    }

    /// Bits that are equal for equal values; mixed by the caller.
    private static long value(Column column, long row) {
        if (column.isNull(row)) {
            return NULL;
        }
        return switch (column) {
            case NullColumn _ -> NULL;
            case BooleanColumn booleans -> booleans.get(row) ? 1 : 0;
            case ByteColumn bytes -> isSigned(bytes) ? bytes.get(row) : bytes.get(row) & 0xFF;
            case ShortColumn shorts -> isSigned(shorts) ? shorts.get(row) : shorts.get(row) & 0xFFFF;
            case IntColumn ints -> isSigned(ints) ? ints.get(row) : ints.get(row) & 0xFFFFFFFFL;
            case LongColumn longs -> isSigned(longs) ? longs.get(row) : HashMix.bitsOfUnsigned(longs.get(row));
            case HalfColumn halves -> HashMix.bitsOf(halves.get(row));
            case FloatColumn floats -> HashMix.bitsOf(floats.get(row));
            case DoubleColumn doubles -> HashMix.bitsOf(doubles.get(row));
            case DecimalColumn decimals -> decimals.low(row) ^ HashMix.of(decimals.high(row));
            case VariableWidthColumn bytes ->
                HashMix.bytes(bytes.dataSegment(), bytes.start(row), bytes.end(row) - bytes.start(row));
            case DictionaryColumn dictionary -> value(dictionary.dictionary(), dictionary.index(row));
            case ListColumn list -> elements(list.elements(), list.start(row), list.end(row));
            case FixedListColumn list -> elements(list.elements(), row * list.size(), (row + 1) * list.size());
            case MapColumn map ->
                HashMix.and(
                        elements(map.keys(), map.start(row), map.end(row)),
                        elements(map.items(), map.start(row), map.end(row)));
            case StructColumn struct -> {
                long hash = NULL;
                for (Column child : struct.children()) {
                    hash = HashMix.and(hash, value(child, row));
                }
                yield hash;
            }
            case TensorColumn tensor -> HashMix.bytes(tensor.values(), row * tensor.byteWidth(), tensor.byteWidth());
            case VariableTensorColumn tensor -> HashMix.and(value(tensor.shapes(), row), value(tensor.data(), row));
        };
    }

    private static long elements(Column elements, long from, long end) {
        long hash = end - from;
        for (long i = from; i < end; i++) {
            hash = HashMix.and(hash, value(elements, i));
        }
        return hash;
    }
}
