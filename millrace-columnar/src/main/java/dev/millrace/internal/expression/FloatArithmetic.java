package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.millrace.expression.ArithmeticOperator;
import java.lang.foreign.MemorySegment;

/// IEEE 754 arithmetic on floats: nothing overflows, nothing traps.
final class FloatArithmetic {
    private FloatArithmetic() {}

    static void apply(ArithmeticOperator operator, MemorySegment a, MemorySegment b, MemorySegment out, long rows) {
        switch (operator) {
            case ADD -> add(a, b, out, rows);
            case SUBTRACT -> subtract(a, b, out, rows);
            case MULTIPLY -> multiply(a, b, out, rows);
            case DIVIDE -> divide(a, b, out, rows);
            case INT_DIVIDE -> truncate(a, b, out, rows);
            case MODULO -> modulo(a, b, out, rows);
        }
    }

    /// With a constant on the right.
    static void apply(ArithmeticOperator operator, MemorySegment a, float y, MemorySegment out, long rows) {
        switch (operator) {
            case ADD -> add(a, y, out, rows);
            case SUBTRACT -> subtract(a, y, out, rows);
            case MULTIPLY -> multiply(a, y, out, rows);
            case DIVIDE -> divide(a, y, out, rows);
            case INT_DIVIDE -> truncate(a, y, out, rows);
            case MODULO -> modulo(a, y, out, rows);
        }
    }

    private static double truncated(double quotient) {
        return quotient < 0 ? Math.ceil(quotient) : Math.floor(quotient);
    }

    private static void add(MemorySegment a, MemorySegment b, MemorySegment out, long rows) {
        for (long i = 0; i < rows; i++) {
            float x = a.getAtIndex(JAVA_FLOAT, i);
            float y = b.getAtIndex(JAVA_FLOAT, i);
            out.setAtIndex(JAVA_FLOAT, i, x + y);
        }
    }

    private static void add(MemorySegment a, float y, MemorySegment out, long rows) {
        for (long i = 0; i < rows; i++) {
            float x = a.getAtIndex(JAVA_FLOAT, i);
            out.setAtIndex(JAVA_FLOAT, i, x + y);
        }
    }

    private static void subtract(MemorySegment a, MemorySegment b, MemorySegment out, long rows) {
        for (long i = 0; i < rows; i++) {
            float x = a.getAtIndex(JAVA_FLOAT, i);
            float y = b.getAtIndex(JAVA_FLOAT, i);
            out.setAtIndex(JAVA_FLOAT, i, x - y);
        }
    }

    private static void subtract(MemorySegment a, float y, MemorySegment out, long rows) {
        for (long i = 0; i < rows; i++) {
            float x = a.getAtIndex(JAVA_FLOAT, i);
            out.setAtIndex(JAVA_FLOAT, i, x - y);
        }
    }

    private static void multiply(MemorySegment a, MemorySegment b, MemorySegment out, long rows) {
        for (long i = 0; i < rows; i++) {
            float x = a.getAtIndex(JAVA_FLOAT, i);
            float y = b.getAtIndex(JAVA_FLOAT, i);
            out.setAtIndex(JAVA_FLOAT, i, x * y);
        }
    }

    private static void multiply(MemorySegment a, float y, MemorySegment out, long rows) {
        for (long i = 0; i < rows; i++) {
            float x = a.getAtIndex(JAVA_FLOAT, i);
            out.setAtIndex(JAVA_FLOAT, i, x * y);
        }
    }

    private static void divide(MemorySegment a, MemorySegment b, MemorySegment out, long rows) {
        for (long i = 0; i < rows; i++) {
            float x = a.getAtIndex(JAVA_FLOAT, i);
            float y = b.getAtIndex(JAVA_FLOAT, i);
            out.setAtIndex(JAVA_FLOAT, i, x / y);
        }
    }

    private static void divide(MemorySegment a, float y, MemorySegment out, long rows) {
        for (long i = 0; i < rows; i++) {
            float x = a.getAtIndex(JAVA_FLOAT, i);
            out.setAtIndex(JAVA_FLOAT, i, x / y);
        }
    }

    private static void truncate(MemorySegment a, MemorySegment b, MemorySegment out, long rows) {
        for (long i = 0; i < rows; i++) {
            float x = a.getAtIndex(JAVA_FLOAT, i);
            float y = b.getAtIndex(JAVA_FLOAT, i);
            out.setAtIndex(JAVA_FLOAT, i, (float) truncated(x / y));
        }
    }

    private static void truncate(MemorySegment a, float y, MemorySegment out, long rows) {
        for (long i = 0; i < rows; i++) {
            float x = a.getAtIndex(JAVA_FLOAT, i);
            out.setAtIndex(JAVA_FLOAT, i, (float) truncated(x / y));
        }
    }

    private static void modulo(MemorySegment a, MemorySegment b, MemorySegment out, long rows) {
        for (long i = 0; i < rows; i++) {
            float x = a.getAtIndex(JAVA_FLOAT, i);
            float y = b.getAtIndex(JAVA_FLOAT, i);
            out.setAtIndex(JAVA_FLOAT, i, x % y);
        }
    }

    private static void modulo(MemorySegment a, float y, MemorySegment out, long rows) {
        for (long i = 0; i < rows; i++) {
            float x = a.getAtIndex(JAVA_FLOAT, i);
            out.setAtIndex(JAVA_FLOAT, i, x % y);
        }
    }

    /// A constant minus each value.
    static void subtractFrom(MemorySegment a, float y, MemorySegment out, long rows) {
        for (long i = 0; i < rows; i++) {
            float x = a.getAtIndex(JAVA_FLOAT, i);
            out.setAtIndex(JAVA_FLOAT, i, y - x);
        }
    }

    /// A constant divided by each value.
    static void divideInto(MemorySegment a, float y, MemorySegment out, long rows) {
        for (long i = 0; i < rows; i++) {
            float x = a.getAtIndex(JAVA_FLOAT, i);
            out.setAtIndex(JAVA_FLOAT, i, y / x);
        }
    }
}
