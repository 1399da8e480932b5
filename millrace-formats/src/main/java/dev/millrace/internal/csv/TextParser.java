package dev.millrace.internal.csv;

import static dev.millrace.internal.text.TextWords.WORD;
import static dev.millrace.internal.text.TextWords.word;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.column.Column;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Strings, validated as or converted to UTF-8, and bytes unchanged.
final class TextParser extends ColumnParser {
    private static final int SHORT = 32;

    TextParser(DataType type, LiteralTexts nulls) {
        super(type, nulls);
    }

    @Override
    Column parse(ColumnFields fields, ColumnOutput output) {
        boolean convert = fields.beyondAscii && type instanceof DataType.Utf8;
        boolean latin = convert && fields.charset.equals(StandardCharsets.ISO_8859_1);
        boolean check = convert && !latin;
        int rows = fields.rows;
        Buffer offsets = output.buffer(4L * (rows + 1));
        Buffer data = output.buffer((latin ? 2 * length(fields) : length(fields)) + SHORT);
        MemorySegment bounds = offsets.segment();
        MemorySegment target = data.segment();
        bounds.setAtIndex(JAVA_INT, 0, 0);
        int end = 0;
        for (int row = 0; row < rows; row++) {
            int from = fields.from[row];
            int count = fields.to[row] - from;
            if (isNullFirst(fields, row)) {
                output.setNull(row);
            } else if (check && Utf8Check.firstWrong(fields.bytes, from, from + count) < from + count) {
                output.setMisfit(row);
            } else if (latin) {
                end = appendLatin(fields.bytes, from, count, target, end);
            } else {
                append(fields.bytes, from, count, target, end);
                end += count;
            }
            bounds.setAtIndex(JAVA_INT, row + 1, end);
        }
        return output.keep(VariableWidthColumn.of(
                type, rows, offsets, Integer.BYTES, data, output.validity(), 0, output.nullCount()));
    }

    private static long length(ColumnFields fields) {
        long sum = 0;
        for (int row = 0; row < fields.rows; row++) {
            sum += fields.to[row] - fields.from[row];
        }
        return sum;
    }

    /// Copies whole words; the surplus is overwritten by the next value.
    private static void append(MemorySegment bytes, int from, int count, MemorySegment target, int end) {
        if (count > SHORT) {
            MemorySegment.copy(bytes, from, target, end, count);
        } else {
            for (int i = 0; i < count; i += 8) {
                target.set(WORD, end + i, word(bytes, from + i));
            }
        }
    }

    private static int appendLatin(MemorySegment bytes, int from, int count, MemorySegment target, int end) {
        int at = end;
        for (int i = 0; i < count; i++) {
            int value = bytes.get(JAVA_BYTE, from + i) & 0xFF;
            if (value < 0x80) {
                target.set(JAVA_BYTE, at++, (byte) value);
            } else {
                target.set(JAVA_BYTE, at++, (byte) (0xC0 | value >> 6));
                target.set(JAVA_BYTE, at++, (byte) (0x80 | value & 0x3F));
            }
        }
        return at;
    }
}
