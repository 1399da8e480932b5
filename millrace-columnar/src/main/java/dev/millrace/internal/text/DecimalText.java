package dev.millrace.internal.text;

import static dev.millrace.internal.text.TextWords.at;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/// Parses exact numbers, for every format and for casts: an optional sign, ASCII digits with an optional decimal point,
/// an optional exponent.
public final class DecimalText {
    /// Not a decimal, or not one that the fast path supports.
    public static final long NONE = IntegerText.NONE;

    /// A longer number does not fit any type, and arithmetic on it might take long.
    private static final int MAX_CHARACTERS = 1_000;
    /// A number with a larger exponent does not fit any type, in either direction.
    private static final int MAX_EXPONENT = 1_000;
    private static final int MAX_FAST_DIGITS = 18;

    private DecimalText() {}

    /// The unscaled value of up to 18 digits, without loss; [#NONE] for others.
    public static long fast(MemorySegment bytes, int from, int to, int precision, int scale) {
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
                return NONE;
            }
        }
        int missing = scale - Math.max(0, behind);
        if (digits == 0 || missing < 0 || digits + missing > Math.min(MAX_FAST_DIGITS, precision)) {
            return NONE;
        }
        for (int i = 0; i < missing; i++) {
            value *= 10;
        }
        return start > from ? -value : value;
    }

    /// The value of the text, which may have blanks around it; null if it is not a number, or far outside the range of
    /// all types.
    public static @Nullable BigDecimal of(MemorySegment bytes, int from, int to) {
        int start = TextWords.trimStart(bytes, from, to);
        int end = TextWords.trimEnd(bytes, start, to);
        if (end - start > MAX_CHARACTERS || !isNumber(bytes, start, end)) {
            return null;
        }
        try {
            BigDecimal number = new BigDecimal(DoubleText.ascii(bytes, start, end));
            return Math.abs((long) number.scale()) > MAX_EXPONENT ? null : number;
        } catch (NumberFormatException _) {
            // The exponent exceeds an int.
            return null;
        }
    }

    /// The unscaled value for this precision and scale; null if digits would be lost.
    public static @Nullable BigInteger unscaled(@Nullable BigDecimal number, int precision, int scale) {
        if (number == null) {
            return null;
        }
        BigDecimal plain = number.scale() > scale ? number.stripTrailingZeros() : number;
        // A zero has any scale.
        if (plain.signum() != 0 && plain.scale() > scale) {
            return null;
        }
        BigInteger unscaled = plain.setScale(scale).unscaledValue();
        return unscaled.abs().compareTo(BigInteger.TEN.pow(precision)) < 0 ? unscaled : null;
    }

    private static boolean isNumber(MemorySegment bytes, int from, int to) {
        int i = from < to && (at(bytes, from) == '-' || at(bytes, from) == '+') ? from + 1 : from;
        int digits = 0;
        boolean dotted = false;
        for (; i < to; i++) {
            byte value = at(bytes, i);
            if (value >= '0' && value <= '9') {
                digits++;
            } else if (value == '.' && !dotted) {
                dotted = true;
            } else {
                break;
            }
        }
        return digits > 0 && (i == to || DoubleText.exponent(bytes, i, to) != DoubleText.NO_EXPONENT);
    }
}
