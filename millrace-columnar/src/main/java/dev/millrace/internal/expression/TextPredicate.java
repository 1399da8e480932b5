package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.column.VariableWidthColumn;
import java.lang.foreign.MemorySegment;

/// Whether texts begin with, end with or contain another, compared by bytes. (UTF-8 is self-synchronising, so a match
/// never begins within a character.)
final class TextPredicate extends PredicateNode {
    enum Place {
        START,
        END,
        ANYWHERE
    }

    private final Place place;
    private final ExpressionNode text;
    private final ExpressionNode part;

    TextPredicate(Place place, ExpressionNode text, ExpressionNode part) {
        this.place = place;
        this.text = text;
        this.part = part;
    }

    @Override
    TruthBits truth(EvaluationRows rows) {
        try (HeldColumn held = text.values(rows)) {
            VariableWidthColumn texts = (VariableWidthColumn) held.column();
            long[] valid = BitWords.valid(texts);
            if (part instanceof ConstantNode constant) {
                byte[] wanted = TextComparison.bytes(constant.present());
                return TruthBits.of(find(texts, wanted), valid, rows.count());
            }
            try (HeldColumn other = part.values(rows)) {
                VariableWidthColumn parts = (VariableWidthColumn) other.column();
                long[] both = BitWords.both(valid, BitWords.valid(parts));
                return TruthBits.of(find(texts, parts), both, rows.count());
            }
        }
    }

    private long[] find(VariableWidthColumn texts, byte[] wanted) {
        long[] bits = new long[BitWords.words(texts.length())];
        MemorySegment data = texts.dataSegment();
        MemorySegment part = MemorySegment.ofArray(wanted);
        for (long row = 0; row < texts.length(); row++) {
            if (holds(data, texts.start(row), texts.end(row), part, 0, wanted.length)) {
                BitWords.set(bits, row);
            }
        }
        return bits;
    }

    private long[] find(VariableWidthColumn texts, VariableWidthColumn parts) {
        long[] bits = new long[BitWords.words(texts.length())];
        MemorySegment data = texts.dataSegment();
        MemorySegment part = parts.dataSegment();
        for (long row = 0; row < texts.length(); row++) {
            if (holds(data, texts.start(row), texts.end(row), part, parts.start(row), parts.end(row))) {
                BitWords.set(bits, row);
            }
        }
        return bits;
    }

    private boolean holds(MemorySegment data, long start, long end, MemorySegment part, long from, long to) {
        long length = to - from;
        if (end - start < length) {
            return false;
        }
        return switch (place) {
            case START -> same(data, start, part, from, length);
            case END -> same(data, end - length, part, from, length);
            case ANYWHERE -> indexOf(data, start, end, part, from, to) >= 0;
        };
    }

    /// The position of the first occurrence, or -1.
    static long indexOf(MemorySegment data, long start, long end, MemorySegment part, long from, long to) {
        long length = to - from;
        if (length == 0) {
            return start;
        }
        byte first = part.get(JAVA_BYTE, from);
        for (long at = start; at <= end - length; at++) {
            if (data.get(JAVA_BYTE, at) == first && same(data, at, part, from, length)) {
                return at;
            }
        }
        return -1;
    }

    private static boolean same(MemorySegment data, long at, MemorySegment part, long from, long length) {
        for (long i = 0; i < length; i++) {
            if (data.get(JAVA_BYTE, at + i) != part.get(JAVA_BYTE, from + i)) {
                return false;
            }
        }
        return true;
    }
}
