package dev.millrace.internal.text;

import java.math.BigInteger;

/// Converts a decimal number of up to 19 digits to the nearest double by the method of Eisel and Lemire ("Number
/// Parsing at a Gigabyte per Second", 2021): one or two products with a power of ten truncated to 128 bits, which
/// determine the rounding for all but a few numbers.
public final class PowersOfTen {
    /// The bits that represent no number.
    public static final long NONE = 0x7FF8_DEAD_0000_0001L;

    private static final int LOWEST = -342;
    private static final int HIGHEST = 308;
    /// The upper and the lower half of each power, shifted so that its highest bit is set.
    private static final long[] HIGH = new long[HIGHEST - LOWEST + 1];

    private static final long[] LOW = new long[HIGHEST - LOWEST + 1];
    private static final double[] EXACT = new double[23];

    static {
        BigInteger five = BigInteger.valueOf(5);
        for (int power = LOWEST; power <= HIGHEST; power++) {
            BigInteger value = five.pow(Math.abs(power));
            if (power < 0) {
                value = BigInteger.ONE.shiftLeft(2 * value.bitLength() + 128).divide(value);
            }
            value = value.shiftRight(value.bitLength() - 128);
            HIGH[power - LOWEST] = value.shiftRight(64).longValue();
            LOW[power - LOWEST] = value.longValue();
        }
        for (int i = 0; i < EXACT.length; i++) {
            EXACT[i] = Double.parseDouble("1e" + i);
        }
    }

    private PowersOfTen() {}

    /// A power of ten that a double represents exactly: 0 to 22.
    public static double exact(int power) {
        return EXACT[power];
    }

    /// The bits of the double nearest to `mantissa` (unsigned) times 10^`power`, or [NONE] if this method cannot
    /// determine it: too close to the middle of two doubles, subnormal or infinite.
    public static long toDouble(long mantissa, int power) {
        if (mantissa == 0) {
            return 0;
        }
        if (mantissa > 0 && mantissa < 1L << 53 && power >= -22 && power <= 22) {
            double value = mantissa;
            return Double.doubleToRawLongBits(power < 0 ? value / EXACT[-power] : value * EXACT[power]);
        }
        if (power < LOWEST || power > HIGHEST) {
            return NONE;
        }
        int zeros = Long.numberOfLeadingZeros(mantissa);
        long normal = mantissa << zeros;
        long exponent = (217_706L * power >> 16) + 64 + 1023 - zeros;
        long high = Math.unsignedMultiplyHigh(normal, HIGH[power - LOWEST]);
        long low = normal * HIGH[power - LOWEST];
        if ((high & 0x1FF) == 0x1FF && Long.compareUnsigned(low + normal, normal) < 0) {
            long more = Math.unsignedMultiplyHigh(normal, LOW[power - LOWEST]);
            long rest = normal * LOW[power - LOWEST];
            long merged = low + more;
            if (Long.compareUnsigned(merged, low) < 0) {
                high++;
            }
            if ((high & 0x1FF) == 0x1FF && merged == -1 && Long.compareUnsigned(rest + normal, normal) < 0) {
                return NONE;
            }
            low = merged;
        }
        long top = high >>> 63;
        long bits = high >>> (top + 9);
        exponent -= 1 ^ top;
        if (low == 0 && (high & 0x1FF) == 0 && (bits & 3) == 1) {
            return NONE;
        }
        bits = bits + (bits & 1) >>> 1;
        if (bits >>> 53 > 0) {
            bits >>>= 1;
            exponent++;
        }
        if (exponent < 1 || exponent >= 0x7FF) {
            return NONE;
        }
        return exponent << 52 | bits & (1L << 52) - 1;
    }
}
