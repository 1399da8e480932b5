package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.expression.ArithmeticOperator;
import java.lang.foreign.MemorySegment;

/// Arithmetic on ints. Every loop writes a result per row and returns whether one overflowed or divided by zero; values
/// of null rows are included, so the caller must check the rows that are not null.
final class IntArithmetic {
    private IntArithmetic() {}

    static boolean apply(ArithmeticOperator operator, MemorySegment a, MemorySegment b, MemorySegment out, long rows) {
        return switch (operator) {
            case ADD -> add(a, b, out, rows);
            case SUBTRACT -> subtract(a, b, out, rows);
            case MULTIPLY -> multiply(a, b, out, rows);
            case INT_DIVIDE -> divide(a, b, out, rows);
            case MODULO -> modulo(a, b, out, rows);
            case DIVIDE -> throw new IllegalArgumentException("exact division is not done on integers");
        };
    }

    /// With a constant on the right.
    static boolean apply(ArithmeticOperator operator, MemorySegment a, int y, MemorySegment out, long rows) {
        return switch (operator) {
            case ADD -> add(a, y, out, rows);
            case SUBTRACT -> subtract(a, y, out, rows);
            case MULTIPLY -> multiply(a, y, out, rows);
            case INT_DIVIDE -> divide(a, y, out, rows);
            case MODULO -> modulo(a, y, out, rows);
            case DIVIDE -> throw new IllegalArgumentException("exact division is not done on integers");
        };
    }

    private static boolean add(MemorySegment a, MemorySegment b, MemorySegment out, long rows) {
        int bad = 0;
        for (long i = 0; i < rows; i++) {
            int x = a.getAtIndex(JAVA_INT, i);
            int y = b.getAtIndex(JAVA_INT, i);
            int r = x + y;
            bad |= ((x ^ r) & (y ^ r)) >>> Integer.SIZE - 1;
            out.setAtIndex(JAVA_INT, i, r);
        }
        return bad != 0;
    }

    private static boolean add(MemorySegment a, int y, MemorySegment out, long rows) {
        int bad = 0;
        for (long i = 0; i < rows; i++) {
            int x = a.getAtIndex(JAVA_INT, i);
            int r = x + y;
            bad |= ((x ^ r) & (y ^ r)) >>> Integer.SIZE - 1;
            out.setAtIndex(JAVA_INT, i, r);
        }
        return bad != 0;
    }

    private static boolean subtract(MemorySegment a, MemorySegment b, MemorySegment out, long rows) {
        int bad = 0;
        for (long i = 0; i < rows; i++) {
            int x = a.getAtIndex(JAVA_INT, i);
            int y = b.getAtIndex(JAVA_INT, i);
            int r = x - y;
            bad |= ((x ^ y) & (x ^ r)) >>> Integer.SIZE - 1;
            out.setAtIndex(JAVA_INT, i, r);
        }
        return bad != 0;
    }

    private static boolean subtract(MemorySegment a, int y, MemorySegment out, long rows) {
        int bad = 0;
        for (long i = 0; i < rows; i++) {
            int x = a.getAtIndex(JAVA_INT, i);
            int r = x - y;
            bad |= ((x ^ y) & (x ^ r)) >>> Integer.SIZE - 1;
            out.setAtIndex(JAVA_INT, i, r);
        }
        return bad != 0;
    }

    private static boolean multiply(MemorySegment a, MemorySegment b, MemorySegment out, long rows) {
        int bad = 0;
        for (long i = 0; i < rows; i++) {
            int x = a.getAtIndex(JAVA_INT, i);
            int y = b.getAtIndex(JAVA_INT, i);
            long wide = (long) x * y;
            int r = (int) wide;
            bad |= (int) (wide >> 32) ^ r >> 31;
            out.setAtIndex(JAVA_INT, i, r);
        }
        return bad != 0;
    }

    private static boolean multiply(MemorySegment a, int y, MemorySegment out, long rows) {
        int bad = 0;
        for (long i = 0; i < rows; i++) {
            int x = a.getAtIndex(JAVA_INT, i);
            long wide = (long) x * y;
            int r = (int) wide;
            bad |= (int) (wide >> 32) ^ r >> 31;
            out.setAtIndex(JAVA_INT, i, r);
        }
        return bad != 0;
    }

    @SuppressWarnings("ShortCircuitBoolean") // no branch per row
    private static boolean divide(MemorySegment a, MemorySegment b, MemorySegment out, long rows) {
        int bad = 0;
        for (long i = 0; i < rows; i++) {
            int x = a.getAtIndex(JAVA_INT, i);
            int y = b.getAtIndex(JAVA_INT, i);
            boolean traps = y == 0 | y == -1 & x == Integer.MIN_VALUE;
            bad |= traps ? 1 : 0;
            int r = traps ? 0 : x / y;
            out.setAtIndex(JAVA_INT, i, r);
        }
        return bad != 0;
    }

    @SuppressWarnings("ShortCircuitBoolean") // no branch per row
    private static boolean divide(MemorySegment a, int y, MemorySegment out, long rows) {
        int bad = 0;
        for (long i = 0; i < rows; i++) {
            int x = a.getAtIndex(JAVA_INT, i);
            boolean traps = y == 0 | y == -1 & x == Integer.MIN_VALUE;
            bad |= traps ? 1 : 0;
            int r = traps ? 0 : x / y;
            out.setAtIndex(JAVA_INT, i, r);
        }
        return bad != 0;
    }

    @SuppressWarnings("ShortCircuitBoolean") // no branch per row
    private static boolean modulo(MemorySegment a, MemorySegment b, MemorySegment out, long rows) {
        int bad = 0;
        for (long i = 0; i < rows; i++) {
            int x = a.getAtIndex(JAVA_INT, i);
            int y = b.getAtIndex(JAVA_INT, i);
            bad |= y == 0 ? 1 : 0;
            int r = y == 0 | y == -1 ? 0 : x % y;
            out.setAtIndex(JAVA_INT, i, r);
        }
        return bad != 0;
    }

    @SuppressWarnings("ShortCircuitBoolean") // no branch per row
    private static boolean modulo(MemorySegment a, int y, MemorySegment out, long rows) {
        int bad = 0;
        for (long i = 0; i < rows; i++) {
            int x = a.getAtIndex(JAVA_INT, i);
            bad |= y == 0 ? 1 : 0;
            int r = y == 0 | y == -1 ? 0 : x % y;
            out.setAtIndex(JAVA_INT, i, r);
        }
        return bad != 0;
    }

    /// A constant minus each value.
    static boolean subtractFrom(MemorySegment a, int y, MemorySegment out, long rows) {
        int bad = 0;
        for (long i = 0; i < rows; i++) {
            int x = a.getAtIndex(JAVA_INT, i);
            int r = y - x;
            bad |= ((x ^ y) & (y ^ r)) >>> Integer.SIZE - 1;
            out.setAtIndex(JAVA_INT, i, r);
        }
        return bad != 0;
    }
}
