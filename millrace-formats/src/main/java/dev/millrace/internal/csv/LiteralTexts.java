package dev.millrace.internal.csv;

import static dev.millrace.internal.text.TextWords.at;

import java.nio.charset.Charset;
import java.util.List;

/// Texts that mean null, true or false.
final class LiteralTexts {
    private final byte[][] texts;
    final boolean emptyIsOne;
    /// A text might also be a value of the column's type, so each value must be compared before it is parsed.
    final boolean first;

    LiteralTexts(List<String> texts, boolean first, Charset charset) {
        this.emptyIsOne = texts.contains("");
        this.first = first;
        this.texts = texts.stream()
                .filter(text -> !text.isEmpty())
                .map(text -> text.getBytes(charset))
                .toArray(byte[][]::new);
    }

    /// Whether the text means null, which a quoted one does not if quotes are recorded.
    boolean isNull(ColumnFields fields, int row) {
        return !fields.isKept(row) && matches(fields, row);
    }

    boolean matches(ColumnFields fields, int row) {
        int from = fields.from[row];
        int length = fields.to[row] - from;
        if (length == 0) {
            return emptyIsOne;
        }
        for (byte[] text : texts) {
            if (text.length == length && matches(fields, from, text)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(ColumnFields fields, int from, byte[] text) {
        for (int i = 0; i < text.length; i++) {
            if (at(fields.bytes, from + i) != text[i]) {
                return false;
            }
        }
        return true;
    }
}
