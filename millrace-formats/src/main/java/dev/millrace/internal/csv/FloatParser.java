package dev.millrace.internal.csv;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.internal.text.DoubleText;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// float64, and float32 rounded once.
final class FloatParser extends ColumnParser {
    FloatParser(DataType.Float type, LiteralTexts nulls) {
        super(type, nulls);
    }

    @Override
    Column parse(ColumnFields fields, ColumnOutput output) {
        return type.equals(DataType.FLOAT64) ? doubles(fields, output) : floats(fields, output);
    }

    private Column doubles(ColumnFields fields, ColumnOutput output) {
        Buffer data = output.buffer(8L * fields.rows);
        MemorySegment target = data.segment();
        MemorySegment bytes = fields.bytes;
        int[] from = fields.from;
        int[] to = fields.to;
        for (int row = 0; row < fields.rows; row++) {
            long bits = 0;
            if (isNullFirst(fields, row)) {
                output.setNull(row);
            } else {
                bits = DoubleText.fast(bytes, from[row], to[row]);
                if (bits == DoubleText.NONE) {
                    bits = slow(fields, row, output);
                }
            }
            target.setAtIndex(JAVA_LONG, row, bits);
        }
        return output.fixed(type, data);
    }

    /// A text of letters may mean null (`NaN`) before it means a number.
    private long slow(ColumnFields fields, int row, ColumnOutput output) {
        long bits = DoubleText.slow(fields.bytes, fields.from[row], fields.to[row]);
        boolean isNumber = bits != DoubleText.NONE
                && (Math.abs(Double.longBitsToDouble(bits)) <= Double.MAX_VALUE || !nulls.isNull(fields, row));
        if (!isNumber) {
            settle(fields, row, output);
        }
        return isNumber ? bits : 0;
    }

    private float narrow(ColumnFields fields, int row, long bits, ColumnOutput output) {
        Float narrow = DoubleText.narrow(fields.bytes, fields.from[row], fields.to[row], bits);
        if (narrow == null) {
            settle(fields, row, output);
        }
        return narrow == null ? 0 : narrow;
    }

    private Column floats(ColumnFields fields, ColumnOutput output) {
        Buffer data = output.buffer(4L * fields.rows);
        MemorySegment target = data.segment();
        for (int row = 0; row < fields.rows; row++) {
            float value = 0;
            if (isNullFirst(fields, row)) {
                output.setNull(row);
            } else {
                long bits = DoubleText.slow(fields.bytes, fields.from[row], fields.to[row]);
                double wide = Double.longBitsToDouble(bits);
                if (bits == DoubleText.NONE || Double.isNaN(wide)) {
                    slow(fields, row, output);
                    value = Float.NaN;
                } else {
                    value = (float) wide;
                    if (DoubleText.mayRoundTwice(bits) || Float.isInfinite(value)) {
                        value = narrow(fields, row, bits, output);
                    }
                }
            }
            target.setAtIndex(JAVA_FLOAT, row, value);
        }
        return output.fixed(type, data);
    }
}
