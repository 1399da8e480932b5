package dev.millrace.internal.jsonfile;

import dev.millrace.internal.text.TextWords;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A key that objects have, as text and as the bytes of a file: keys mostly come in the same order, so that the next
/// one is compared before anything is searched.
final class FieldKey {
    private static final int WORD = Long.BYTES;

    private final String name;
    /// With quotes, as files have it.
    private final byte[] bytes;
    /// Its first eight bytes, and its last eight; of a shorter one all, and zeros behind it.
    private final long head;
    private final long tail;
    /// What counts of the first eight.
    private final long mask;

    FieldKey(String name) {
        this.name = name;
        this.bytes = ("\"" + name + "\"").getBytes(StandardCharsets.UTF_8);
        byte[] padded = Arrays.copyOf(bytes, Math.max(WORD, bytes.length));
        // What files have escapes for is always searched: no text is like this.
        boolean isPlain = name.chars().allMatch(c -> c >= ' ' && c != '"' && c != '\\');
        this.mask = !isPlain ? 0 : bytes.length < WORD ? (1L << Byte.SIZE * bytes.length) - 1 : -1;
        this.head = TextWords.word(padded, 0);
        this.tail = TextWords.word(padded, padded.length - WORD);
    }

    String name() {
        return name;
    }

    /// Of the text that it is in a file.
    int length() {
        return bytes.length;
    }

    /// Whether it stands at a position of a text, which is padded as that of a cursor is.
    boolean isAt(byte[] text, int at) {
        int length = bytes.length;
        if ((TextWords.word(text, at) & mask) != head) {
            return false;
        }
        return length <= WORD
                || at + length <= text.length
                        && TextWords.word(text, at + length - WORD) == tail
                        && (length <= 2 * WORD
                                || Arrays.equals(text, at + WORD, at + length - WORD, bytes, WORD, length - WORD));
    }
}
