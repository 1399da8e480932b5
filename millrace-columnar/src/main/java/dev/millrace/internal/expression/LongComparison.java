package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.expression.ComparisonOperator;
import java.lang.foreign.MemorySegment;

/// Comparison of longs into bits, valid only where neither side is null. Two loops implement all operators: the others
/// are negations of them or have swapped operands. `flip` is `Long.MIN_VALUE` for unsigned values, else 0.
final class LongComparison {
    private LongComparison() {}

    static long[] compare(ComparisonOperator operator, MemorySegment a, MemorySegment b, long rows, long flip) {
        return switch (operator) {
            case EQUAL, EQUAL_NULL_SAFE -> equal(a, b, rows, 0);
            case NOT_EQUAL -> equal(a, b, rows, -1L);
            case LESS -> less(a, b, rows, 0, flip);
            case GREATER_OR_EQUAL -> less(a, b, rows, -1L, flip);
            case GREATER -> less(b, a, rows, 0, flip);
            case LESS_OR_EQUAL -> less(b, a, rows, -1L, flip);
        };
    }

    /// With a constant on the right.
    static long[] compare(ComparisonOperator operator, MemorySegment a, long y, long rows, long flip) {
        return switch (operator) {
            case EQUAL, EQUAL_NULL_SAFE -> equal(a, y, rows, 0);
            case NOT_EQUAL -> equal(a, y, rows, -1L);
            case LESS -> less(a, y, rows, 0, flip);
            case GREATER_OR_EQUAL -> less(a, y, rows, -1L, flip);
            case GREATER -> greater(a, y, rows, 0, flip);
            case LESS_OR_EQUAL -> greater(a, y, rows, -1L, flip);
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
            long x = a.getAtIndex(JAVA_LONG, i + j);
            long y = b.getAtIndex(JAVA_LONG, i + j);
            bits |= BranchFree.equal(x, y) << j;
        }
        return bits;
    }

    private static long[] less(MemorySegment a, MemorySegment b, long rows, long negated, long flip) {
        long[] words = new long[BitWords.words(rows)];
        int whole = (int) (rows >>> 6);
        for (int w = 0; w < whole; w++) {
            words[w] = negated
                    ^ (flip == 0 ? lessWord(a, b, (long) w << 6, 64) : lessLarge(a, b, (long) w << 6, 64, flip));
        }
        if (whole < words.length) {
            words[whole] = negated
                    ^ (flip == 0
                            ? lessWord(a, b, (long) whole << 6, (int) (rows & 63))
                            : lessLarge(a, b, (long) whole << 6, (int) (rows & 63), flip));
        }
        return words;
    }

    private static long lessWord(MemorySegment a, MemorySegment b, long i, int count) {
        long bits = 0;
        long large = 0;
        for (int j = 0; j < count; j++) {
            long x = a.getAtIndex(JAVA_LONG, i + j);
            long y = b.getAtIndex(JAVA_LONG, i + j);
            large |= x ^ x << 1 | y ^ y << 1;
            bits |= x - y >>> 63 << j;
        }
        return large < 0 ? lessLarge(a, b, i, count, 0) : bits;
    }

    /// For unsigned values, and for a word with values of 63 bits or more, whose difference may overflow.
    private static long lessLarge(MemorySegment a, MemorySegment b, long i, int count, long flip) {
        long bits = 0;
        for (int j = 0; j < count; j++) {
            long x = a.getAtIndex(JAVA_LONG, i + j) ^ flip;
            long y = b.getAtIndex(JAVA_LONG, i + j) ^ flip;
            bits |= BranchFree.less(x, y) << j;
        }
        return bits;
    }

    private static long[] equal(MemorySegment a, long y, long rows, long negated) {
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

    private static long equalWord(MemorySegment a, long y, long i, int count) {
        long bits = 0;
        for (int j = 0; j < count; j++) {
            long x = a.getAtIndex(JAVA_LONG, i + j);
            bits |= BranchFree.equal(x, y) << j;
        }
        return bits;
    }

    private static long[] less(MemorySegment a, long y, long rows, long negated, long flip) {
        long[] words = new long[BitWords.words(rows)];
        int whole = (int) (rows >>> 6);
        for (int w = 0; w < whole; w++) {
            words[w] = negated
                    ^ (flip == 0 ? lessWord(a, y, (long) w << 6, 64) : lessLarge(a, y, (long) w << 6, 64, flip));
        }
        if (whole < words.length) {
            words[whole] = negated
                    ^ (flip == 0
                            ? lessWord(a, y, (long) whole << 6, (int) (rows & 63))
                            : lessLarge(a, y, (long) whole << 6, (int) (rows & 63), flip));
        }
        return words;
    }

    private static long lessWord(MemorySegment a, long y, long i, int count) {
        long bits = 0;
        long large = y ^ y << 1;
        for (int j = 0; j < count; j++) {
            long x = a.getAtIndex(JAVA_LONG, i + j);
            large |= x ^ x << 1;
            bits |= x - y >>> 63 << j;
        }
        return large < 0 ? lessLarge(a, y, i, count, 0) : bits;
    }

    /// For unsigned values, and for a word with values of 63 bits or more, whose difference may overflow.
    private static long lessLarge(MemorySegment a, long constant, long i, int count, long flip) {
        long y = constant ^ flip;
        long bits = 0;
        for (int j = 0; j < count; j++) {
            long x = a.getAtIndex(JAVA_LONG, i + j) ^ flip;
            bits |= BranchFree.less(x, y) << j;
        }
        return bits;
    }

    private static long[] greater(MemorySegment a, long y, long rows, long negated, long flip) {
        long[] words = new long[BitWords.words(rows)];
        int whole = (int) (rows >>> 6);
        for (int w = 0; w < whole; w++) {
            words[w] = negated
                    ^ (flip == 0 ? greaterWord(a, y, (long) w << 6, 64) : greaterLarge(a, y, (long) w << 6, 64, flip));
        }
        if (whole < words.length) {
            words[whole] = negated
                    ^ (flip == 0
                            ? greaterWord(a, y, (long) whole << 6, (int) (rows & 63))
                            : greaterLarge(a, y, (long) whole << 6, (int) (rows & 63), flip));
        }
        return words;
    }

    private static long greaterWord(MemorySegment a, long y, long i, int count) {
        long bits = 0;
        long large = y ^ y << 1;
        for (int j = 0; j < count; j++) {
            long x = a.getAtIndex(JAVA_LONG, i + j);
            large |= x ^ x << 1;
            bits |= y - x >>> 63 << j;
        }
        return large < 0 ? greaterLarge(a, y, i, count, 0) : bits;
    }

    /// For unsigned values, and for a word with values of 63 bits or more, whose difference may overflow.
    private static long greaterLarge(MemorySegment a, long constant, long i, int count, long flip) {
        long y = constant ^ flip;
        long bits = 0;
        for (int j = 0; j < count; j++) {
            long x = a.getAtIndex(JAVA_LONG, i + j) ^ flip;
            bits |= BranchFree.less(y, x) << j;
        }
        return bits;
    }
}
