package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Text as a dictionary, if it has few distinct values.
public final class TextCodes {
    private static final int CHUNK = 2048;
    /// With more than one distinct value per this many rows, a dictionary does not pay.
    private static final int MIN_REPEATS = 16;

    private static final int FEW = 256;

    private TextCodes() {}

    /// The column as a dictionary, which the caller releases; null if that does not pay.
    public static @Nullable DictionaryColumn of(Allocator allocator, Column column) {
        return of(allocator, List.of(column));
    }

    /// The same for concatenated columns of one type.
    ///
    /// @param columns at least one
    public static @Nullable DictionaryColumn of(Allocator allocator, List<? extends Column> columns) {
        long length = 0;
        for (Column column : columns) {
            if (!(column instanceof VariableWidthColumn) || column.hasNulls()) {
                return null;
            }
            length += column.length();
        }
        if (length == 0) {
            return null;
        }
        int rows = Math.toIntExact(length);
        DataType type = columns.getFirst().type();
        Buffer codes = allocator.allocate((long) rows * Integer.BYTES);
        try (KeyIds values = KeyIds.of(allocator, type, CHUNK)) {
            int at = 0;
            for (Column column : columns) {
                if (!write(values, column, codes.segment(), at)) {
                    return null;
                }
                at += (int) column.length();
            }
            Column dictionary = values.build(null, values.known());
            IntColumn indices = new IntColumn(DataType.INT32, rows, codes.retain(), null, 0, 0);
            return new DictionaryColumn(DataType.dictionary(type), indices, dictionary);
        } finally {
            codes.release();
        }
    }

    /// False if there are too many values.
    private static boolean write(KeyIds values, Column column, MemorySegment codes, int at) {
        int[] numbers = new int[CHUNK];
        values.bind(column);
        for (int from = 0; from < column.length(); from += CHUNK) {
            int count = (int) Math.min(CHUNK, column.length() - from);
            values.assign(from, count, numbers);
            if (values.known() > FEW && values.known() > (at + from + count) / MIN_REPEATS) {
                return false;
            }
            MemorySegment.copy(numbers, 0, codes, JAVA_INT, (long) (at + from) * Integer.BYTES, count);
        }
        return true;
    }
}
