package dev.millrace.internal.csv;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// float64, and float32 rounded once.
final class FloatParser extends ColumnParser {
    FloatParser(DataType.Float type, Texts nulls) {
        super(type, nulls);
    }

    @Override
    Column parse(Fields fields, ColumnOutput output) {
        return type.equals(DataType.FLOAT64) ? doubles(fields, output) : floats(fields, output);
    }

    private Column doubles(Fields fields, ColumnOutput output) {
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
                bits = FloatText.fast(bytes, from[row], to[row]);
                if (bits == FloatText.NONE) {
                    bits = slow(fields, row, output);
                }
            }
            target.setAtIndex(JAVA_LONG, row, bits);
        }
        return output.fixed(type, data);
    }

    /// A text of letters may mean null (`NaN`) before it means a number.
    private long slow(Fields fields, int row, ColumnOutput output) {
        long bits = FloatText.slow(fields.bytes, fields.from[row], fields.to[row]);
        boolean isNumber = bits != FloatText.NONE
                && (Math.abs(Double.longBitsToDouble(bits)) <= Double.MAX_VALUE || !nulls.isNull(fields, row));
        if (!isNumber) {
            settle(fields, row, output);
        }
        return isNumber ? bits : 0;
    }

    private Column floats(Fields fields, ColumnOutput output) {
        Buffer data = output.buffer(4L * fields.rows);
        MemorySegment target = data.segment();
        for (int row = 0; row < fields.rows; row++) {
            float value = 0;
            if (isNullFirst(fields, row)) {
                output.setNull(row);
            } else {
                long bits = FloatText.slow(fields.bytes, fields.from[row], fields.to[row]);
                double wide = Double.longBitsToDouble(bits);
                if (bits == FloatText.NONE || Double.isNaN(wide)) {
                    slow(fields, row, output);
                    value = Float.NaN;
                } else {
                    value = (float) wide;
                    // Rounded twice it might be another float only where the double lies in the middle of two.
                    if ((bits & 0x1FFF_FFFFL) == 0x1000_0000L || Math.abs(wide) < 0x1p-125) {
                        value = Float.parseFloat(FloatText.ascii(fields.bytes, fields.from[row], fields.to[row])
                                .strip());
                    }
                }
            }
            target.setAtIndex(JAVA_FLOAT, row, value);
        }
        return output.fixed(type, data);
    }
}
