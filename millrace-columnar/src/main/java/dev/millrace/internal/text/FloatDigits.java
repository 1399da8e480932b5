package dev.millrace.internal.text;

/// Collects the digits of a number and converts them to the nearest double. The caller defines the grammar (positions
/// of signs, points and exponents): that of JSON is stricter than that of other texts.
public final class FloatDigits {
    /// The bits of a number beyond the range of a double.
    public static final long INFINITE = 0x7FF0_0000_0000_0000L;

    private static final int MAX_DIGITS = 19;
    private static final int MAX_EXPONENT = 200_000_000;

    /// Unsigned.
    private long mantissa;
    private int taken;
    private int exponent;
    /// Whether a non-zero digit did not fit.
    private boolean truncated;

    public void add(int digit, boolean isBehindPoint) {
        if (taken < MAX_DIGITS) {
            mantissa = mantissa * 10 + digit;
            taken += mantissa != 0 ? 1 : 0;
            exponent -= isBehindPoint ? 1 : 0;
        } else {
            truncated |= digit != 0;
            exponent += isBehindPoint ? 0 : 1;
        }
    }

    /// Multiplies by a power of ten.
    public void scale(int power) {
        exponent = Math.clamp((long) exponent + power, -MAX_EXPONENT, MAX_EXPONENT);
    }

    /// True if the digits, with the sign, are a 64-bit integer.
    public boolean isLong(boolean negative) {
        return exponent == 0 && !truncated && (mantissa >= 0 || negative && mantissa == Long.MIN_VALUE);
    }

    /// The integer, if [#isLong] is true.
    public long longValue(boolean negative) {
        return negative ? -mantissa : mantissa;
    }

    /// The bits of the nearest double, without a sign; [PowersOfTen#NONE] if only `Double.parseDouble` can determine
    /// it.
    public long bits() {
        return truncated ? PowersOfTen.NONE : PowersOfTen.toDouble(mantissa, exponent);
    }
}
