package dev.millrace.internal.text;

/// The digits of a number on their way to the nearest double. The grammar (where signs, points and exponents may
/// stand) is its caller's: JSON has a stricter one than other texts.
public final class FloatDigits {
    /// The bits of what is beyond a double.
    public static final long INFINITE = 0x7FF0_0000_0000_0000L;

    private static final int MAX_DIGITS = 19;
    private static final int MAX_EXPONENT = 200_000_000;

    /// Unsigned.
    private long mantissa;
    private int taken;
    private int exponent;
    /// Some digit that is not zero did not fit.
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

    /// True if the digits are an integer of 64 bits, with the sign.
    public boolean isLong(boolean negative) {
        return exponent == 0 && !truncated && (mantissa >= 0 || negative && mantissa == Long.MIN_VALUE);
    }

    /// Where [#isLong] is true.
    public long longValue(boolean negative) {
        return negative ? -mantissa : mantissa;
    }

    /// The bits of the nearest double, without a sign; [PowersOfTen#NONE] where only `Double.parseDouble` can tell.
    public long bits() {
        return truncated ? PowersOfTen.NONE : PowersOfTen.toDouble(mantissa, exponent);
    }
}
