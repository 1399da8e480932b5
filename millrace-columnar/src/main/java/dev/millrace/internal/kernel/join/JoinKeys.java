package dev.millrace.internal.kernel.join;

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
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.internal.kernel.hash.HashMix;
import dev.millrace.internal.kernel.hash.RowHash;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The key columns of one side, readable as words: rows of two sides are equal if all their words are and, for bytes,
/// [#sameBytes]. Closed by its creator.
public final class JoinKeys implements AutoCloseable {
    private static final long SEED = 0x6A6F696EL;
    /// Above this, not every integer is representable as a double.
    private static final double TWO_TO_63 = 0x1p63;
    /// The low bits that must be zero for a uint64 beyond the range of longs to be representable as a double.
    private static final long UNSIGNED_ROUNDING = (1L << 11) - 1;

    private final List<Column> columns = new ArrayList<>();

    private JoinKeys() {}

    /// @param as the types to cast them to, null for those that stay
    public static JoinKeys of(Allocator allocator, List<Column> columns, List<@Nullable DataType> as) {
        try (ResourceScope scope = new ResourceScope()) {
            JoinKeys keys = scope.add(new JoinKeys());
            for (int i = 0; i < columns.size(); i++) {
                Column column = columns.get(i);
                DataType target = as.get(i);
                if (target == null && column instanceof DictionaryColumn dictionary) {
                    target = dictionary.type().value();
                }
                keys.columns.add(target == null ? column.retain() : WidenKernel.to(allocator, column, target));
            }
            return scope.keep(keys);
        }
    }

    public List<DataType> types() {
        return columns.stream().map(Column::type).toList();
    }

    /// Over columns that [#columns] returned before.
    public static JoinKeys over(List<Column> columns) {
        JoinKeys keys = new JoinKeys();
        columns.forEach(column -> keys.columns.add(column.retain()));
        return keys;
    }

    /// The columns in the form in which they are compared; this keeps owning them.
    public List<Column> columns() {
        return columns;
    }

    /// The words of rows `from` to `from + count`, those of a row side by side, and their hashes.
    ///
    /// @param matchable set to whether a row can be equal to any other
    void read(List<KeyForm> forms, long from, int count, long[] words, long[] hashes, boolean[] matchable) {
        readWords(forms, from, count, words, matchable);
        Arrays.fill(hashes, 0, count, SEED);
        int stride = stride(forms);
        for (int w = 0; w < stride; w++) {
            for (int i = 0; i < count; i++) {
                hashes[i] = HashMix.and(hashes[i], words[i * stride + w]);
            }
        }
    }

    /// The same without hashes.
    ///
    /// @return true when all of them can be equal to some other
    boolean readWords(List<KeyForm> forms, long from, int count, long[] words, boolean[] matchable) {
        Arrays.fill(matchable, 0, count, true);
        boolean all = true;
        int stride = stride(forms);
        int at = 0;
        for (int k = 0; k < forms.size(); k++) {
            Column column = columns.get(k);
            switch (forms.get(k)) {
                case NEVER -> Arrays.fill(matchable, 0, count, false);
                case WHOLE -> whole(column, from, count, words, at, stride);
                case SMALL_WHOLE -> {
                    whole(column, from, count, words, at, stride);
                    for (int i = 0; i < count; i++) {
                        matchable[i] &= words[i * stride + at] >= 0;
                    }
                }
                case FLOAT -> floats(column, from, count, words, at, stride, matchable);
                case DECIMAL -> {
                    DecimalColumn decimals = (DecimalColumn) column;
                    for (int i = 0; i < count; i++) {
                        boolean there = !decimals.isNull(from + i);
                        words[i * stride + at] = there ? decimals.low(from + i) : 0;
                        words[i * stride + at + 1] = there ? decimals.high(from + i) : 0;
                    }
                }
                case BYTES -> {
                    long[] ofBytes = new long[count];
                    RowHash.of(List.of(column)).compute(from, count, ofBytes);
                    for (int i = 0; i < count; i++) {
                        words[i * stride + at] = ofBytes[i];
                    }
                }
            }
            all &= forms.get(k) == KeyForm.WHOLE || forms.get(k) == KeyForm.DECIMAL || forms.get(k) == KeyForm.BYTES;
            if (column.hasNulls()) {
                all = false;
                for (int i = 0; i < count; i++) {
                    matchable[i] &= !column.isNull(from + i);
                }
            }
            at += forms.get(k).words();
        }
        return all;
    }

    static int stride(List<KeyForm> forms) {
        return forms.stream().mapToInt(KeyForm::words).sum();
    }

    /// Whether key `k`, which is bytes, is equal in a row of this and a row of the other.
    boolean sameBytes(int k, long row, JoinKeys other, long otherRow) {
        VariableWidthColumn a = (VariableWidthColumn) columns.get(k);
        VariableWidthColumn b = (VariableWidthColumn) other.columns.get(k);
        return MemorySegment.mismatch(
                        a.dataSegment(), a.start(row), a.end(row), b.dataSegment(), b.start(otherRow), b.end(otherRow))
                < 0;
    }

    private static void whole(Column column, long from, int count, long[] words, int at, int stride) {
        boolean signed = !(column.type() instanceof DataType.Int integer) || integer.signed();
        switch (column) {
            case LongColumn longs -> {
                MemorySegment values = longs.values();
                for (int i = 0; i < count; i++) {
                    words[i * stride + at] = values.getAtIndex(JAVA_LONG, from + i);
                }
            }
            case IntColumn ints -> {
                MemorySegment values = ints.values();
                long mask = signed ? -1L : 0xFFFFFFFFL;
                for (int i = 0; i < count; i++) {
                    words[i * stride + at] = values.getAtIndex(JAVA_INT, from + i) & mask;
                }
            }
            case ShortColumn shorts -> {
                for (int i = 0; i < count; i++) {
                    boolean there = !shorts.isNull(from + i);
                    words[i * stride + at] = there ? shorts.get(from + i) & (signed ? -1L : 0xFFFFL) : 0;
                }
            }
            case ByteColumn bytes -> {
                for (int i = 0; i < count; i++) {
                    boolean there = !bytes.isNull(from + i);
                    words[i * stride + at] = there ? bytes.get(from + i) & (signed ? -1L : 0xFFL) : 0;
                }
            }
            case BooleanColumn booleans -> {
                for (int i = 0; i < count; i++) {
                    words[i * stride + at] = booleans.isTrue(from + i) ? 1 : 0;
                }
            }
            case DictionaryColumn _,
                    FixedListColumn _,
                    FixedWidthColumn _,
                    NullColumn _,
                    OffsetColumn _,
                    StructColumn _,
                    VariableTensorColumn _ ->
                throw new IllegalArgumentException(column.type().toString());
        }
    }

    private static void floats(
            Column column, long from, int count, long[] words, int at, int stride, boolean[] matchable) {
        switch (column) {
            case DoubleColumn doubles -> {
                MemorySegment values = doubles.values();
                for (int i = 0; i < count; i++) {
                    words[i * stride + at] = bits(values.getAtIndex(JAVA_DOUBLE, from + i));
                }
            }
            case FloatColumn floats -> {
                for (int i = 0; i < count; i++) {
                    words[i * stride + at] = floats.isNull(from + i) ? 0 : bits(floats.get(from + i));
                }
            }
            case HalfColumn halves -> {
                for (int i = 0; i < count; i++) {
                    words[i * stride + at] = halves.isNull(from + i) ? 0 : bits(halves.get(from + i));
                }
            }
            // Integers, compared with floats.
            default -> {
                whole(column, from, count, words, at, stride);
                boolean wide = column.type().equals(DataType.UINT64);
                for (int i = 0; i < count; i++) {
                    long value = words[i * stride + at];
                    boolean above = wide && value < 0;
                    double real = above ? (value >>> 1) * 2.0 : value;
                    matchable[i] &=
                            above ? (value & UNSIGNED_ROUNDING) == 0 : real != TWO_TO_63 && (long) real == value;
                    words[i * stride + at] = bits(real);
                }
            }
        }
    }

    /// Normalises NaN and zero to one representation each.
    private static long bits(double value) {
        return Double.doubleToLongBits(value + 0.0);
    }

    @Override
    public void close() {
        columns.forEach(Column::release);
        columns.clear();
    }
}
