package dev.millrace.internal.csv;

import static dev.millrace.internal.csv.Words.at;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;

/// Decimals, exactly: a value with more digits behind the point than the type has is a misfit.
final class DecimalParser extends ColumnParser {
    private final int precision;
    private final int scale;

    DecimalParser(DataType.Decimal type, Texts nulls) {
        super(type, nulls);
        this.precision = type.precision();
        this.scale = type.scale();
    }

    @Override
    Column parse(Fields fields, ColumnOutput output) {
        Buffer data = output.buffer(16L * fields.rows);
        MemorySegment target = data.segment();
        for (int row = 0; row < fields.rows; row++) {
            long low = 0;
            long high = 0;
            if (isNullFirst(fields, row)) {
                output.setNull(row);
            } else {
                low = fast(fields.bytes, fields.from[row], fields.to[row]);
                high = low >> 63;
                if (low == IntegerText.NONE) {
                    BigInteger unscaled = slow(fields, row);
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

    /// Up to 18 digits, none lost.
    private long fast(MemorySegment bytes, int from, int to) {
        int start = from < to && at(bytes, from) == '-' ? from + 1 : from;
        long value = 0;
        int digits = 0;
        int behind = -1;
        for (int i = start; i < to; i++) {
            int digit = at(bytes, i) - '0';
            if (digit >= 0 && digit <= 9) {
                value = value * 10 + digit;
                digits++;
                behind += behind >= 0 ? 1 : 0;
            } else if (digit == '.' - '0' && behind < 0) {
                behind = 0;
            } else {
                return IntegerText.NONE;
            }
        }
        int missing = scale - Math.max(0, behind);
        if (digits == 0 || missing < 0 || digits + missing > Math.min(18, precision)) {
            return IntegerText.NONE;
        }
        for (int i = 0; i < missing; i++) {
            value *= 10;
        }
        return start > from ? -value : value;
    }

    private BigInteger slow(Fields fields, int row) {
        int start = IntegerText.trimStart(fields.bytes, fields.from[row], fields.to[row]);
        int end = IntegerText.trimEnd(fields.bytes, start, fields.to[row]);
        // A number of more characters is none that fits, and arithmetic on it might take long.
        if (end - start > 100) {
            return null;
        }
        try {
            BigDecimal value = new BigDecimal(FloatText.ascii(fields.bytes, start, end));
            if (Math.abs((long) value.scale()) > 200) {
                return null;
            }
            BigInteger unscaled = value.setScale(scale).unscaledValue();
            return unscaled.abs().compareTo(BigInteger.TEN.pow(precision)) < 0 ? unscaled : null;
        } catch (ArithmeticException | NumberFormatException _) {
            return null;
        }
    }
}
