package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.column.VariableWidthColumn;
import dev.millrace.internal.text.TextWords;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The text of one row in a reused array, so that functions of ASCII need no Java string. One thread.
final class AsciiText {
    private byte[] bytes = new byte[256];
    private int length;

    /// Copies the text of a row, which is not null.
    ///
    /// @return whether it is ASCII
    boolean read(VariableWidthColumn texts, long row) {
        long start = texts.start(row);
        length = Math.toIntExact(texts.end(row) - start);
        if (length + Long.BYTES > bytes.length) {
            bytes = new byte[Math.max(2 * bytes.length, length + Long.BYTES)];
        }
        MemorySegment.copy(texts.dataSegment(), JAVA_BYTE, start, bytes, 0, length);
        return isAscii(bytes, length);
    }

    /// @param bytes with eight bytes or more behind the text
    private static boolean isAscii(byte[] bytes, int length) {
        long any = 0;
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            any |= TextWords.word(bytes, at);
        }
        if (at < length) {
            any |= TextWords.word(bytes, at) << Long.SIZE - Byte.SIZE * (length - at);
        }
        return (any & TextWords.HIGH_BITS) == 0;
    }

    /// The array, of which the first [#length] bytes are the text; at least eight more follow.
    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /// The text, ASCII or not.
    String string() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /// The UTF-8 of a text; null if it has none, because of unpaired surrogates.
    static byte @Nullable [] utf8(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return text.equals(new String(bytes, StandardCharsets.UTF_8)) ? bytes : null;
    }

    /// The position of the first occurrence at or behind `from`, or -1.
    ///
    /// @param text with eight bytes or more behind the text
    /// @param part not empty
    static int find(byte[] text, int from, int length, byte[] part) {
        long pattern = TextWords.repeat(part[0]);
        int last = length - part.length;
        for (int at = from; at <= last; at += Long.BYTES) {
            long found = TextWords.equal(TextWords.word(text, at), pattern);
            while (found != 0) {
                int start = at + TextWords.first(found);
                if (start > last) {
                    return -1;
                }
                if (part.length == 1 || Arrays.equals(text, start + 1, start + part.length, part, 1, part.length)) {
                    return start;
                }
                found &= found - 1;
            }
        }
        return -1;
    }
}
