package dev.millrace.internal.expression;

/// Branch-free comparisons that return 1 or 0. The compiled form of `x < y ? 1 : 0` depends on the data that the method
/// saw while it was compiled: it may be a branch, which costs 3 to 9 ns per value once the data becomes unpredictable.
/// These methods always cost less than 1 ns.
final class BranchFree {
    private static final long INFINITY = 0x7FF0_0000_0000_0000L;

    private BranchFree() {}

    static long less(int x, int y) {
        return (long) x - y >>> 63;
    }

    static long equal(int x, int y) {
        int different = x ^ y;
        int equal = ~(different | -different) >>> 31;
        return equal;
    }

    static long less(long x, long y) {
        return (x & ~y | ~(x ^ y) & x - y) >>> 63;
    }

    static long equal(long x, long y) {
        long different = x ^ y;
        return ~(different | -different) >>> 63;
    }

    /// Uses the sign of the difference: it is not zero for different values, adding zero removes the sign of -0.0, and
    /// the bits of NaN (from NaNs, or from equal infinities) are above those of infinity.
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
