package dev.millrace.internal.kernel.sort;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.block.Block;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.relation.SortKey;
import dev.millrace.type.DataType;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The keys of single rows as bytes whose unsigned order is the order of the rows, also between blocks: for samples and
/// boundaries. Blocks whose [#kinds] differ cannot be compared in this way.
public final class KeyBytes {
    private static final byte VALUE = 0;
    private static final byte NAN = 1;
    private static final byte NULL = 2;

    private final Column[] columns;
    private final boolean[] descending;
    private final @Nullable NumberKey[] numbers;

    private KeyBytes(Column[] columns, boolean[] descending, @Nullable NumberKey[] numbers) {
        this.columns = columns;
        this.descending = descending;
        this.numbers = numbers;
    }

    /// @param block the caller keeps it; it must live as long as this
    public static KeyBytes of(Block block, List<SortKey> keys) {
        Column[] columns = new Column[keys.size()];
        boolean[] descending = new boolean[keys.size()];
        @Nullable NumberKey[] numbers = new NumberKey[keys.size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = block.column(block.schema().require(keys.get(i).column(), "sort"));
            descending[i] = keys.get(i).isDescending();
            NumberKey.Kind kind = NumberKey.kindOf(below(columns[i]));
            numbers[i] = kind == null ? null : new NumberKey(kind, descending[i]);
        }
        return new KeyBytes(columns, descending, numbers);
    }

    private static Column below(Column column) {
        return column instanceof DictionaryColumn dictionary ? below(dictionary.dictionary()) : column;
    }

    /// The meaning of the bytes: equal for blocks whose keys may be compared.
    public List<String> kinds() {
        List<String> kinds = new ArrayList<>();
        for (Column column : columns) {
            kinds.add(
                    switch (below(column).type()) {
                        case DataType.Int integer when integer.signed() || integer.bits() < 64 -> "int";
                        case DataType.Float _ -> "float";
                        case DataType type -> type.toString();
                    });
        }
        return kinds;
    }

    public byte[] of(long row) {
        KeyBuffer bytes = new KeyBuffer();
        for (int i = 0; i < columns.length; i++) {
            append(bytes, columns[i], row, i);
        }
        return bytes.toByteArray();
    }

    /// Compares a row's key with some bytes.
    public int compare(long row, byte[] key) {
        return Arrays.compareUnsigned(of(row), key);
    }

    /// The first of the rows `from` to `to` of a sorted block whose key is not below `key`; `to` if there is none.
    public long firstNotBelow(long from, long to, byte[] key) {
        long below = from - 1;
        long not = to;
        while (not - below > 1) {
            long middle = below + not >>> 1;
            if (compare(middle, key) < 0) {
                below = middle;
            } else {
                not = middle;
            }
        }
        return not;
    }

    private void append(KeyBuffer bytes, Column column, long row, int key) {
        if (column.isNull(row)) {
            bytes.write(NULL);
            return;
        }
        if (column instanceof DictionaryColumn dictionary) {
            append(bytes, dictionary.dictionary(), dictionary.index(row), key);
            return;
        }
        if (isNaN(column, row)) {
            bytes.write(NAN);
            return;
        }
        bytes.write(VALUE);
        if (numbers[key] != null) {
            bytes.number(numbers[key].of(column, row));
        } else if (column instanceof DecimalColumn decimals) {
            bytes.number(NumberKey.ofLong(decimals.high(row), descending[key]));
            bytes.number(NumberKey.ofLong(decimals.low(row) ^ Long.MIN_VALUE, descending[key]));
        } else if (column instanceof VariableWidthColumn text) {
            bytes.text(text, row, descending[key]);
        }
    }

    private static boolean isNaN(Column column, long row) {
        return switch (column) {
            case DoubleColumn doubles -> Double.isNaN(doubles.get(row));
            case FloatColumn floats -> Float.isNaN(floats.get(row));
            case HalfColumn halves -> Float.isNaN(halves.get(row));
            case BooleanColumn _,
                    DictionaryColumn _,
                    FixedListColumn _,
                    FixedWidthColumn _,
                    NullColumn _,
                    OffsetColumn _,
                    StructColumn _,
                    VariableTensorColumn _ -> false;
        };
    }

    private static final class KeyBuffer extends ByteArrayOutputStream {
        /// A zero is written as 0, 255 and the end as 0, 0: so an end comes before a zero.
        void text(VariableWidthColumn column, long row, boolean descending) {
            MemorySegment data = column.dataSegment();
            int flip = descending ? 0xFF : 0;
            for (long at = column.start(row); at < column.end(row); at++) {
                int value = data.get(JAVA_BYTE, at) & 0xFF;
                write(value ^ flip);
                if (value == 0) {
                    write(0xFF ^ flip);
                }
            }
            write(flip);
            write(flip);
        }

        void number(long value) {
            for (int shift = 56; shift >= 0; shift -= 8) {
                write((int) (value >>> shift));
            }
        }
    }
}
