package dev.millrace.internal.csv;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.column.Column;
import dev.millrace.internal.text.IntegerText;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// Integers of all widths.
final class IntegerParser extends ColumnParser {
    private final int width;
    private final boolean signed;
    private final long least;
    private final long most;

    IntegerParser(DataType.Int type, LiteralTexts nulls) {
        super(type, nulls);
        this.width = type.bits() / 8;
        this.signed = type.signed();
        this.least = !signed ? 0 : Long.MIN_VALUE >> (64 - type.bits());
        this.most = signed ? Long.MAX_VALUE >> (64 - type.bits()) : type.bits() == 64 ? -1 : (1L << type.bits()) - 1;
    }

    @Override
    Column parse(ColumnFields fields, ColumnOutput output) {
        Buffer data = output.buffer((long) fields.rows * width);
        MemorySegment target = data.segment();
        MemorySegment bytes = fields.bytes;
        int[] from = fields.from;
        int[] to = fields.to;
        long[] slow = new long[1];
        for (int row = 0; row < fields.rows; row++) {
            long value = 0;
            if (isNullFirst(fields, row)) {
                output.setNull(row);
            } else {
                value = IntegerText.fast(bytes, from[row], to[row]);
                if (value == IntegerText.NONE || width < 8 && (value < least || value > most) || !signed && value < 0) {
                    slow[0] = 0;
                    if (!isSlow(fields, row, slow)) {
                        settle(fields, row, output);
                    }
                    value = slow[0];
                }
            }
            switch (width) {
                case 8 -> target.setAtIndex(JAVA_LONG, row, value);
                case 4 -> target.setAtIndex(JAVA_INT, row, (int) value);
                case 2 -> target.setAtIndex(JAVA_SHORT, row, (short) value);
                default -> target.setAtIndex(JAVA_BYTE, row, (byte) value);
            }
        }
        return output.fixed(type, data);
    }

    private boolean isSlow(ColumnFields fields, int row, long[] result) {
        if (!IntegerText.slow(fields.bytes, fields.from[row], fields.to[row], signed, result)
                || width < 8 && (result[0] < least || result[0] > most)) {
            result[0] = 0;
            return false;
        }
        return true;
    }
}
