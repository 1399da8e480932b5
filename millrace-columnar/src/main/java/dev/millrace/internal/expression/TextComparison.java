package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.column.VariableWidthColumn;
import dev.millrace.expression.ComparisonOperator;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Comparison of strings and binaries by their unsigned bytes, eight at a time; a prefix is less than the longer text.
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

    /// Length and the first (up to) eight bytes are compared together and branch-free; only rows that match, and only
    /// for longer constants, are compared further.
    private static long[] equal(VariableWidthColumn a, byte[] constant, long negated) {
        long rows = a.length();
        long[] words = new long[BitWords.words(rows)];
        MemorySegment data = a.dataSegment();
        MemorySegment wanted = MemorySegment.ofArray(constant);
        int length = constant.length;
        long mask = length >= 8 ? -1L : (1L << 8 * length) - 1;
        long head = headAt(wanted, 0) & mask;
        MemorySegment offsets = a.offsets();
        boolean narrow = a.offsetWidth() == Integer.BYTES;
        for (int w = 0; w < words.length; w++) {
            long bits = 0;
            long first = (long) w << 6;
            int count = (int) Math.min(64, rows - first);
            long start = a.start(first);
            for (int j = 0; j < count; j++) {
                long next = first + j + 1;
                long end = narrow ? offsets.getAtIndex(JAVA_INT, next) : offsets.getAtIndex(JAVA_LONG, next);
                long different = (headAt(data, start) ^ head) & mask | end - start ^ length;
                bits |= BranchFree.equal(different, 0) << j;
                start = end;
            }
            words[w] = (length > 8 ? confirmed(bits, a, first, wanted) : bits) ^ negated;
        }
        return words;
    }

    /// Eight bytes starting at `at`; zero beyond the end of the memory.
    private static long headAt(MemorySegment data, long at) {
        if (at + 8 <= data.byteSize()) {
            return data.get(JAVA_LONG_UNALIGNED, at);
        }
        long head = 0;
        for (long i = at; i < data.byteSize(); i++) {
            head |= (data.get(JAVA_BYTE, i) & 0xFFL) << 8 * (i - at);
        }
        return head;
    }

    /// The candidate rows whose bytes after the first eight match as well; the last eight may overlap the ones before.
    private static long confirmed(long candidates, VariableWidthColumn a, long first, MemorySegment wanted) {
        long bits = candidates;
        MemorySegment data = a.dataSegment();
        long length = wanted.byteSize();
        for (long left = candidates; left != 0; left &= left - 1) {
            int j = Long.numberOfTrailingZeros(left);
            long start = a.start(first + j);
            long different =
                    data.get(JAVA_LONG_UNALIGNED, start + length - 8) ^ wanted.get(JAVA_LONG_UNALIGNED, length - 8);
            for (long i = 8; i + 8 <= length; i += 8) {
                different |= data.get(JAVA_LONG_UNALIGNED, start + i) ^ wanted.get(JAVA_LONG_UNALIGNED, i);
            }
            bits &= ~((different == 0 ? 0L : 1L) << j);
        }
        return bits;
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
