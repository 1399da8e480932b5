package dev.millrace.internal.csv;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.internal.text.DecimalText;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/// Parses decimals exactly: a value with more fractional digits than the type allows is a misfit.
final class DecimalParser extends ColumnParser {
    private final int precision;
    private final int scale;

    DecimalParser(DataType.Decimal type, LiteralTexts nulls) {
        super(type, nulls);
        this.precision = type.precision();
        this.scale = type.scale();
    }

    @Override
    Column parse(ColumnFields fields, ColumnOutput output) {
        Buffer data = output.buffer(16L * fields.rows);
        MemorySegment target = data.segment();
        for (int row = 0; row < fields.rows; row++) {
            long low = 0;
            long high = 0;
            if (isNullFirst(fields, row)) {
                output.setNull(row);
            } else {
                low = DecimalText.fast(fields.bytes, fields.from[row], fields.to[row], precision, scale);
                high = low >> 63;
                if (low == DecimalText.NONE) {
                    BigInteger unscaled = DecimalText.unscaled(
                            DecimalText.of(fields.bytes, fields.from[row], fields.to[row]), precision, scale);
                    if (unscaled == null) {
                        settle(fields, row, output);
                        unscaled = BigInteger.ZERO;
                    }
                    low = unscaled.longValue();
                    high = unscaled.shiftRight(64).longValue();
                }
            }
            target.setAtIndex(JAVA_LONG, 2L * row, low);
            target.setAtIndex(JAVA_LONG, 2L * row + 1, high);
        }
        return output.fixed(type, data);
    }
}
