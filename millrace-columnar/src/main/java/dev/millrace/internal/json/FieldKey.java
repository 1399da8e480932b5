package dev.millrace.internal.json;

import dev.millrace.internal.text.TextWords;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A key of an object, as text and as the bytes in a file. Keys mostly come in the same order, so the expected next key
/// is compared before any lookup.
public final class FieldKey {
    private static final int WORD = Long.BYTES;

    private final String name;
    /// With quotes, as in the file.
    private final byte[] bytes;
    /// Its first and its last eight bytes; a shorter key is padded with zeros.
    private final long head;
    private final long tail;
    /// Selects the valid bytes of the first eight.
    private final long mask;

    public FieldKey(String name) {
        this.name = name;
        this.bytes = ("\"" + name + "\"").getBytes(StandardCharsets.UTF_8);
        byte[] padded = Arrays.copyOf(bytes, Math.max(WORD, bytes.length));
        // Keys that files have to escape are always looked up: no text matches these bytes.
        boolean isPlain = name.chars().allMatch(c -> c >= ' ' && c != '"' && c != '\\');
        this.mask = !isPlain ? 0 : bytes.length < WORD ? (1L << Byte.SIZE * bytes.length) - 1 : -1;
        this.head = TextWords.word(padded, 0);
        this.tail = TextWords.word(padded, padded.length - WORD);
    }

    public String name() {
        return name;
    }

    /// The length of the key as it is in a file.
    public int length() {
        return bytes.length;
    }

    /// Whether the key is at a position of a text, which is padded like that of a cursor.
    public boolean isAt(byte[] text, int at) {
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
