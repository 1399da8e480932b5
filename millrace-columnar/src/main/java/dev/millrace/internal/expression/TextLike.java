package dev.millrace.internal.expression;

import dev.millrace.column.VariableWidthColumn;
import java.lang.foreign.MemorySegment;

/// Whether texts match a LIKE pattern.
final class TextLike extends PredicateNode {
    private final ExpressionNode text;
    private final LikePattern pattern;

    TextLike(ExpressionNode text, LikePattern pattern) {
        this.text = text;
        this.pattern = pattern;
    }

    @Override
    TruthBits truth(EvaluationRows rows) {
        try (HeldColumn held = text.values(rows)) {
            VariableWidthColumn texts = (VariableWidthColumn) held.column();
            long[] bits = new long[BitWords.words(texts.length())];
            MemorySegment data = texts.dataSegment();
            for (long row = 0; row < texts.length(); row++) {
                if (pattern.matches(data, texts.start(row), texts.end(row))) {
                    BitWords.set(bits, row);
                }
            }
            return TruthBits.of(bits, BitWords.valid(texts), rows.count());
        }
    }
}
