package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.millrace.expression.ComparisonOperator;
import java.lang.foreign.MemorySegment;

/// Comparison of doubles into bits, valid only where neither side is null. NaN equals nothing and is unordered, so only
/// `!=` is the negation of another operator.
final class DoubleComparison {
    private DoubleComparison() {}

    static long[] compare(ComparisonOperator operator, MemorySegment a, MemorySegment b, long rows) {
        return switch (operator) {
            case EQUAL, EQUAL_NULL_SAFE -> equal(a, b, rows, 0);
            case NOT_EQUAL -> equal(a, b, rows, -1L);
            case LESS -> less(a, b, rows, 0);
            case LESS_OR_EQUAL -> lessOrEqual(a, b, rows, 0);
            case GREATER -> less(b, a, rows, 0);
            case GREATER_OR_EQUAL -> lessOrEqual(b, a, rows, 0);
        };
    }

    /// With a constant on the right.
    static long[] compare(ComparisonOperator operator, MemorySegment a, double y, long rows) {
        return switch (operator) {
            case EQUAL, EQUAL_NULL_SAFE -> equal(a, y, rows, 0);
            case NOT_EQUAL -> equal(a, y, rows, -1L);
            case LESS -> less(a, y, rows, 0);
            case LESS_OR_EQUAL -> lessOrEqual(a, y, rows, 0);
            case GREATER -> greater(a, y, rows, 0);
            case GREATER_OR_EQUAL -> greaterOrEqual(a, y, rows, 0);
        };
    }

    private static long[] equal(MemorySegment a, MemorySegment b, long rows, long negated) {
        long[] words = new long[BitWords.words(rows)];
        int whole = (int) (rows >>> 6);
        for (int w = 0; w < whole; w++) {
            words[w] = negated ^ equalWord(a, b, (long) w << 6, 64);
        }
        if (whole < words.length) {
            words[whole] = negated ^ equalWord(a, b, (long) whole << 6, (int) (rows & 63));
        }
        return words;
    }

    private static long equalWord(MemorySegment a, MemorySegment b, long i, int count) {
        long bits = 0;
        for (int j = 0; j < count; j++) {
            double x = a.getAtIndex(JAVA_DOUBLE, i + j);
            double y = b.getAtIndex(JAVA_DOUBLE, i + j);
            bits |= BranchFree.equal(x, y) << j;
        }
        return bits;
    }

    private static long[] less(MemorySegment a, MemorySegment b, long rows, long negated) {
        long[] words = new long[BitWords.words(rows)];
        int whole = (int) (rows >>> 6);
        for (int w = 0; w < whole; w++) {
            words[w] = negated ^ lessWord(a, b, (long) w << 6, 64);
        }
        if (whole < words.length) {
            words[whole] = negated ^ lessWord(a, b, (long) whole << 6, (int) (rows & 63));
        }
        return words;
    }

    private static long lessWord(MemorySegment a, MemorySegment b, long i, int count) {
        long bits = 0;
        for (int j = 0; j < count; j++) {
            double x = a.getAtIndex(JAVA_DOUBLE, i + j);
            double y = b.getAtIndex(JAVA_DOUBLE, i + j);
            bits |= BranchFree.less(x, y) << j;
        }
        return bits;
    }

    private static long[] lessOrEqual(MemorySegment a, MemorySegment b, long rows, long negated) {
        long[] words = new long[BitWords.words(rows)];
        int whole = (int) (rows >>> 6);
        for (int w = 0; w < whole; w++) {
            words[w] = negated ^ lessOrEqualWord(a, b, (long) w << 6, 64);
        }
        if (whole < words.length) {
            words[whole] = negated ^ lessOrEqualWord(a, b, (long) whole << 6, (int) (rows & 63));
        }
        return words;
    }

    private static long lessOrEqualWord(MemorySegment a, MemorySegment b, long i, int count) {
        long bits = 0;
        for (int j = 0; j < count; j++) {
            double x = a.getAtIndex(JAVA_DOUBLE, i + j);
            double y = b.getAtIndex(JAVA_DOUBLE, i + j);
            bits |= BranchFree.lessOrEqual(x, y) << j;
        }
        return bits;
    }

    private static long[] equal(MemorySegment a, double y, long rows, long negated) {
        long[] words = new long[BitWords.words(rows)];
        int whole = (int) (rows >>> 6);
        for (int w = 0; w < whole; w++) {
            words[w] = negated ^ equalWord(a, y, (long) w << 6, 64);
        }
        if (whole < words.length) {
            words[whole] = negated ^ equalWord(a, y, (long) whole << 6, (int) (rows & 63));
        }
        return words;
    }

    private static long equalWord(MemorySegment a, double y, long i, int count) {
        long bits = 0;
        for (int j = 0; j < count; j++) {
            double x = a.getAtIndex(JAVA_DOUBLE, i + j);
            bits |= BranchFree.equal(x, y) << j;
        }
        return bits;
    }

    private static long[] less(MemorySegment a, double y, long rows, long negated) {
        long[] words = new long[BitWords.words(rows)];
        int whole = (int) (rows >>> 6);
        for (int w = 0; w < whole; w++) {
            words[w] = negated ^ lessWord(a, y, (long) w << 6, 64);
        }
        if (whole < words.length) {
            words[whole] = negated ^ lessWord(a, y, (long) whole << 6, (int) (rows & 63));
        }
        return words;
    }

    private static long lessWord(MemorySegment a, double y, long i, int count) {
        long bits = 0;
        for (int j = 0; j < count; j++) {
            double x = a.getAtIndex(JAVA_DOUBLE, i + j);
            bits |= BranchFree.less(x, y) << j;
        }
        return bits;
    }

    private static long[] greater(MemorySegment a, double y, long rows, long negated) {
        long[] words = new long[BitWords.words(rows)];
        int whole = (int) (rows >>> 6);
        for (int w = 0; w < whole; w++) {
            words[w] = negated ^ greaterWord(a, y, (long) w << 6, 64);
        }
        if (whole < words.length) {
            words[whole] = negated ^ greaterWord(a, y, (long) whole << 6, (int) (rows & 63));
        }
        return words;
    }

    private static long greaterWord(MemorySegment a, double y, long i, int count) {
        long bits = 0;
        for (int j = 0; j < count; j++) {
            double x = a.getAtIndex(JAVA_DOUBLE, i + j);
            bits |= BranchFree.less(y, x) << j;
        }
        return bits;
    }

    private static long[] lessOrEqual(MemorySegment a, double y, long rows, long negated) {
        long[] words = new long[BitWords.words(rows)];
        int whole = (int) (rows >>> 6);
        for (int w = 0; w < whole; w++) {
            words[w] = negated ^ lessOrEqualWord(a, y, (long) w << 6, 64);
        }
        if (whole < words.length) {
            words[whole] = negated ^ lessOrEqualWord(a, y, (long) whole << 6, (int) (rows & 63));
        }
        return words;
    }

    private static long lessOrEqualWord(MemorySegment a, double y, long i, int count) {
        long bits = 0;
        for (int j = 0; j < count; j++) {
            double x = a.getAtIndex(JAVA_DOUBLE, i + j);
            bits |= BranchFree.lessOrEqual(x, y) << j;
        }
        return bits;
    }

    private static long[] greaterOrEqual(MemorySegment a, double y, long rows, long negated) {
        long[] words = new long[BitWords.words(rows)];
        int whole = (int) (rows >>> 6);
        for (int w = 0; w < whole; w++) {
            words[w] = negated ^ greaterOrEqualWord(a, y, (long) w << 6, 64);
        }
        if (whole < words.length) {
            words[whole] = negated ^ greaterOrEqualWord(a, y, (long) whole << 6, (int) (rows & 63));
        }
        return words;
    }

    private static long greaterOrEqualWord(MemorySegment a, double y, long i, int count) {
        long bits = 0;
        for (int j = 0; j < count; j++) {
            double x = a.getAtIndex(JAVA_DOUBLE, i + j);
            bits |= BranchFree.lessOrEqual(y, x) << j;
        }
        return bits;
    }
}
