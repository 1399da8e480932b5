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

/// Text as a dictionary, where it has few different values.
public final class TextCodes {
    private static final int CHUNK = 2048;
    /// With more than one value in so many rows, a dictionary is of no use.
    private static final int LEAST_REPEATS = 16;

    private static final int FEW = 256;

    private TextCodes() {}

    /// The column as a dictionary, which the caller releases; null where that is not worth it.
    public static Column of(Allocator allocator, Column column) {
        if (!(column instanceof VariableWidthColumn) || column.hasNulls() || column.length() == 0) {
            return null;
        }
        int rows = Math.toIntExact(column.length());
        Buffer codes = allocator.allocate((long) rows * Integer.BYTES);
        try (KeyNumbers values = KeyNumbers.of(allocator, column.type(), CHUNK)) {
            int[] numbers = new int[CHUNK];
            values.bind(column);
            for (int from = 0; from < rows; from += CHUNK) {
                int count = Math.min(CHUNK, rows - from);
                values.assign(from, count, numbers);
                if (values.known() > FEW && values.known() > (from + count) / LEAST_REPEATS) {
                    return null;
                }
                MemorySegment.copy(numbers, 0, codes.segment(), JAVA_INT, (long) from * Integer.BYTES, count);
            }
            Column dictionary = values.build(null, values.known());
            IntColumn indices = new IntColumn(DataType.INT32, rows, codes.retain(), null, 0, 0);
            return new DictionaryColumn(DataType.dictionary(column.type()), indices, dictionary);
        } finally {
            codes.release();
        }
    }
}
