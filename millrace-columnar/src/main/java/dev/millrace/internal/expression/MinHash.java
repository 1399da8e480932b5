package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.column.Column;
import dev.millrace.column.FixedListBuilder;
import dev.millrace.column.IntBuilder;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.type.DataType;
import io.airlift.compress.v3.xxhash.XxHash64Hasher;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// MinHash signatures of texts; `minHash` of expressions says how they are computed.
final class MinHash extends ExpressionNode {
    private static final long PRIME = (1L << 61) - 1;

    private final ExpressionNode input;
    private final int words;
    private final long[] factors;
    private final long[] offsets;
    /// The bytes of a text with one blank between its words, and where the words begin and end.
    private byte[] text = new byte[256];

    private int[] starts = new int[64];
    private int[] ends = new int[64];

    MinHash(DataType.FixedList type, ExpressionNode input, int words, long seed) {
        super(type);
        this.input = input;
        this.words = words;
        this.factors = new long[type.size()];
        this.offsets = new long[type.size()];
        long state = seed;
        for (int i = 0; i < factors.length; i++) {
            factors[i] = Long.remainderUnsigned(mix(state += 0x9E3779B97F4A7C15L), PRIME);
            offsets[i] = Long.remainderUnsigned(mix(state += 0x9E3779B97F4A7C15L), PRIME);
        }
    }

    private static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    @Override
    Column column(EvaluationRows rows) {
        try (HeldColumn held = input.values(rows);
                FixedListBuilder builder =
                        new FixedListBuilder(rows.allocator(), (DataType.FixedList) type(), rows.count())) {
            VariableWidthColumn texts = (VariableWidthColumn) held.column();
            IntBuilder elements = (IntBuilder) builder.elements();
            int[] least = new int[factors.length];
            TaskCancellation running = TaskCancellation.ofThread();
            for (long row = 0; row < rows.count(); row++) {
                running.check();
                if (texts.isNull(row)) {
                    builder.appendNull();
                    continue;
                }
                sign(texts, row, least);
                for (int value : least) {
                    elements.append(value);
                }
                builder.endValue();
            }
            return builder.build();
        }
    }

    private void sign(VariableWidthColumn texts, long row, int[] least) {
        Arrays.fill(least, -1);
        int count = cut(texts.dataSegment(), texts.start(row), texts.end(row));
        int grams = Math.max(1, count - words + 1);
        for (int i = 0; i < grams; i++) {
            int from = count == 0 ? 0 : starts[i];
            int to = count == 0 ? 0 : ends[Math.min(count, i + words) - 1];
            add(XxHash64Hasher.hash(text, from, to - from) & 0xFFFF_FFFFL, least);
        }
    }

    private void add(long hash, int[] least) {
        for (int i = 0; i < least.length; i++) {
            int value = (int) permuted(factors[i], hash, offsets[i]);
            if (Integer.compareUnsigned(value, least[i]) < 0) {
                least[i] = value;
            }
        }
    }

    /// `(factor * hash + offset) mod (2^61 - 1)`, for a hash of 32 bits.
    private static long permuted(long factor, long hash, long offset) {
        long high = Math.multiplyHigh(factor, hash);
        long low = factor * hash;
        long sum = (low & PRIME) + (high << 3 | low >>> 61) + offset;
        sum = (sum & PRIME) + (sum >>> 61);
        return sum >= PRIME ? sum - PRIME : sum;
    }

    /// Copies the words with one blank between them; returns their number.
    private int cut(MemorySegment bytes, long from, long to) {
        if (text.length < to - from + 1) {
            text = new byte[Math.toIntExact(2 * (to - from) + 1)];
        }
        int count = 0;
        int length = 0;
        boolean inWord = false;
        for (long at = from; at < to; at++) {
            byte c = bytes.get(JAVA_BYTE, at);
            boolean space = c == ' ' || c >= '\t' && c <= '\r';
            if (space) {
                inWord = false;
                continue;
            }
            if (!inWord) {
                if (count == starts.length) {
                    starts = Arrays.copyOf(starts, 2 * count);
                    ends = Arrays.copyOf(ends, 2 * count);
                }
                if (count > 0) {
                    text[length++] = ' ';
                }
                starts[count++] = length;
                inWord = true;
            }
            text[length++] = c;
            ends[count - 1] = length;
        }
        return count;
    }
}
