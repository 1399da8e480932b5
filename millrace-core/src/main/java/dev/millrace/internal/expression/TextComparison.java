package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.column.VariableWidthColumn;
import dev.millrace.expression.ComparisonOperator;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Comparison of strings and binaries by their bytes, unsigned, eight at a time; a prefix is less than what it begins.
final class TextComparison {
    private TextComparison() {}

    /// The bytes of a string or byte[].
    static byte[] bytes(Object value) {
        return value instanceof byte[] bytes ? bytes : ((String) value).getBytes(StandardCharsets.UTF_8);
    }

    static long[] compare(ComparisonOperator operator, VariableWidthColumn a, VariableWidthColumn b) {
        long[] bits = new long[BitWords.words(a.length())];
        MemorySegment x = a.dataSegment();
        MemorySegment y = b.dataSegment();
        for (long row = 0; row < a.length(); row++) {
            int order = order(x, a.start(row), a.end(row), y, b.start(row), b.end(row));
            if (DecimalComparison.holds(operator, order)) {
                BitWords.set(bits, row);
            }
        }
        return bits;
    }

    static long[] compare(ComparisonOperator operator, VariableWidthColumn a, byte[] constant) {
        return switch (operator) {
            case EQUAL, EQUAL_NULL_SAFE -> equal(a, constant, 0);
            case NOT_EQUAL -> equal(a, constant, -1L);
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> order(operator, a, constant);
        };
    }

    /// The length settles most rows, the first (up to) eight bytes most of the others.
    private static long[] equal(VariableWidthColumn a, byte[] constant, long negated) {
        long rows = a.length();
        long[] words = new long[BitWords.words(rows)];
        MemorySegment data = a.dataSegment();
        MemorySegment wanted = MemorySegment.ofArray(constant);
        int length = constant.length;
        long head = length >= 8 ? wanted.get(JAVA_LONG_UNALIGNED, 0) : 0;
        for (int w = 0; w < words.length; w++) {
            long bits = 0;
            long first = (long) w << 6;
            int count = (int) Math.min(64, rows - first);
            long start = a.start(first);
            for (int j = 0; j < count; j++) {
                long end = a.start(first + j + 1);
                boolean same = end - start == length
                        && (length < 8
                                ? sameShort(data, start, constant)
                                : data.get(JAVA_LONG_UNALIGNED, start) == head && same(data, start, wanted, length));
                bits |= (same ? 1L : 0L) << j;
                start = end;
            }
            words[w] = bits ^ negated;
        }
        return words;
    }

    private static boolean sameShort(MemorySegment data, long start, byte[] constant) {
        for (int i = 0; i < constant.length; i++) {
            if (data.get(JAVA_BYTE, start + i) != constant[i]) {
                return false;
            }
        }
        return true;
    }

    /// Whether `length` (8 or more) bytes at `start` equal those of `wanted` from 0; the last eight may overlap the ones before.
    private static boolean same(MemorySegment data, long start, MemorySegment wanted, int length) {
        for (int i = 8; i + 8 <= length; i += 8) {
            if (data.get(JAVA_LONG_UNALIGNED, start + i) != wanted.get(JAVA_LONG_UNALIGNED, i)) {
                return false;
            }
        }
        return data.get(JAVA_LONG_UNALIGNED, start + length - 8) == wanted.get(JAVA_LONG_UNALIGNED, length - 8);
    }

    private static long[] order(ComparisonOperator operator, VariableWidthColumn a, byte[] constant) {
        long[] bits = new long[BitWords.words(a.length())];
        MemorySegment data = a.dataSegment();
        MemorySegment wanted = MemorySegment.ofArray(constant);
        for (long row = 0; row < a.length(); row++) {
            int order = order(data, a.start(row), a.end(row), wanted, 0, constant.length);
            if (DecimalComparison.holds(operator, order)) {
                BitWords.set(bits, row);
            }
        }
        return bits;
    }

    /// Negative, zero or positive, as the bytes `from` to `to` of one segment are less than, equal to or greater than
    /// those of another.
    static int order(MemorySegment x, long fromX, long toX, MemorySegment y, long fromY, long toY) {
        long shared = Math.min(toX - fromX, toY - fromY);
        long i = 0;
        for (; i + 8 <= shared; i += 8) {
            long a = x.get(JAVA_LONG_UNALIGNED, fromX + i);
            long b = y.get(JAVA_LONG_UNALIGNED, fromY + i);
            if (a != b) {
                return Long.compareUnsigned(Long.reverseBytes(a), Long.reverseBytes(b));
            }
        }
        for (; i < shared; i++) {
            int a = x.get(JAVA_BYTE, fromX + i) & 0xFF;
            int b = y.get(JAVA_BYTE, fromY + i) & 0xFF;
            if (a != b) {
                return a - b;
            }
        }
        return Long.compare(toX - fromX, toY - fromY);
    }
}
