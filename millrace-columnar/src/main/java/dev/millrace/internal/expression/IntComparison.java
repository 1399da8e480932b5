package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.expression.ComparisonOperator;
import java.lang.foreign.MemorySegment;

/// Comparison of ints into bits, valid only where neither side is null. Two loops implement all operators: the others
/// are negations of them or have swapped operands.
final class IntComparison {
    private IntComparison() {}

    static long[] compare(ComparisonOperator operator, MemorySegment a, MemorySegment b, long rows) {
        return switch (operator) {
            case EQUAL, EQUAL_NULL_SAFE -> equal(a, b, rows, 0);
            case NOT_EQUAL -> equal(a, b, rows, -1L);
            case LESS -> less(a, b, rows, 0);
            case GREATER_OR_EQUAL -> less(a, b, rows, -1L);
            case GREATER -> less(b, a, rows, 0);
            case LESS_OR_EQUAL -> less(b, a, rows, -1L);
        };
    }

    /// With a constant on the right.
    static long[] compare(ComparisonOperator operator, MemorySegment a, int y, long rows) {
        return switch (operator) {
            case EQUAL, EQUAL_NULL_SAFE -> equal(a, y, rows, 0);
            case NOT_EQUAL -> equal(a, y, rows, -1L);
            case LESS -> less(a, y, rows, 0);
            case GREATER_OR_EQUAL -> less(a, y, rows, -1L);
            case GREATER -> greater(a, y, rows, 0);
            case LESS_OR_EQUAL -> greater(a, y, rows, -1L);
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
            int x = a.getAtIndex(JAVA_INT, i + j);
            int y = b.getAtIndex(JAVA_INT, i + j);
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
            int x = a.getAtIndex(JAVA_INT, i + j);
            int y = b.getAtIndex(JAVA_INT, i + j);
            bits |= BranchFree.less(x, y) << j;
        }
        return bits;
    }

    private static long[] equal(MemorySegment a, int y, long rows, long negated) {
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

    private static long equalWord(MemorySegment a, int y, long i, int count) {
        long bits = 0;
        for (int j = 0; j < count; j++) {
            int x = a.getAtIndex(JAVA_INT, i + j);
            bits |= BranchFree.equal(x, y) << j;
        }
        return bits;
    }

    private static long[] less(MemorySegment a, int y, long rows, long negated) {
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

    private static long lessWord(MemorySegment a, int y, long i, int count) {
        long bits = 0;
        for (int j = 0; j < count; j++) {
            int x = a.getAtIndex(JAVA_INT, i + j);
            bits |= BranchFree.less(x, y) << j;
        }
        return bits;
    }

    private static long[] greater(MemorySegment a, int y, long rows, long negated) {
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

    private static long greaterWord(MemorySegment a, int y, long i, int count) {
        long bits = 0;
        for (int j = 0; j < count; j++) {
            int x = a.getAtIndex(JAVA_INT, i + j);
            bits |= BranchFree.less(y, x) << j;
        }
        return bits;
    }
}
