package dev.millrace.internal.expression;

/// Comparisons that give 1 or 0 without a branch. What `x < y ? 1 : 0` becomes depends on the data the method saw
/// while it was compiled: a branch, which costs 3 to 9 ns per value once the data turns unpredictable, or none. These
/// cost below 1 ns always.
final class BranchFree {
    private static final long INFINITY = 0x7FF0_0000_0000_0000L;

    private BranchFree() {}

    static long less(int x, int y) {
        return (long) x - y >>> 63;
    }

    static long equal(int x, int y) {
        int different = x ^ y;
        return ~(different | -different) >>> 31;
    }

    static long less(long x, long y) {
        return (x & ~y | ~(x ^ y) & x - y) >>> 63;
    }

    static long equal(long x, long y) {
        long different = x ^ y;
        return ~(different | -different) >>> 63;
    }

    /// The sign of the difference: it is not zero for values that differ, adding zero takes the sign from -0.0, and NaN
    /// (of NaNs, or of equal infinities) is above the bits of infinity.
    static long less(double x, double y) {
        long difference = Double.doubleToRawLongBits(x - y + 0.0);
        return (difference & ~(INFINITY - (difference & Long.MAX_VALUE))) >>> 63;
    }

    static long lessOrEqual(double x, double y) {
        return (1 ^ less(y, x)) & ~(isNaN(x) | isNaN(y));
    }

    static long equal(double x, double y) {
        long different = Double.doubleToRawLongBits(x + 0.0) ^ Double.doubleToRawLongBits(y + 0.0);
        return ~(different | -different) >>> 63 & ~isNaN(x);
    }

    private static long isNaN(double x) {
        return INFINITY - (Double.doubleToRawLongBits(x) & Long.MAX_VALUE) >>> 63;
    }
}
