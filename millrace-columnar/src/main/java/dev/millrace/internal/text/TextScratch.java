package dev.millrace.internal.text;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Native memory for short texts from other memory, so that the parsers of this package see one kind of memory only and
/// stay fast. One thread.
public final class TextScratch {
    private static final int FIRST_BYTES = 64;
    /// Parsers that read whole words read past the end.
    private static final int PADDING = 8;

    private MemorySegment bytes = Arena.ofAuto().allocate(FIRST_BYTES + PADDING);

    /// The text that was stored last, starting at 0.
    public MemorySegment bytes() {
        return bytes;
    }

    /// Stores a text, or nothing if it is not ASCII.
    ///
    /// @return its length, or 0
    public int put(String text) {
        int length = text.length();
        reserve(length);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c > 0x7F) {
                return 0;
            }
            bytes.set(JAVA_BYTE, i, (byte) c);
        }
        return length;
    }

    /// @return its length
    public int put(byte[] text, int from, int to) {
        int length = to - from;
        reserve(length);
        // Texts are short: copying words costs less than a call that copies any number of bytes.
        int at = 0;
        for (; at < length && from + at + Long.BYTES <= text.length; at += Long.BYTES) {
            bytes.set(TextWords.WORD, at, TextWords.word(text, from + at));
        }
        for (; at < length; at++) {
            bytes.set(JAVA_BYTE, at, text[from + at]);
        }
        return length;
    }

    private void reserve(int length) {
        if (length > bytes.byteSize() - PADDING) {
            bytes = Arena.ofAuto().allocate(2L * length + PADDING);
        }
    }
}
