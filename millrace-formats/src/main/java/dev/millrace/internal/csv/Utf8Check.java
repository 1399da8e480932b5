package dev.millrace.internal.csv;

import static dev.millrace.internal.text.TextWords.at;

import dev.millrace.internal.text.TextWords;
import java.lang.foreign.MemorySegment;

/// Validates UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF.
final class Utf8Check {
    private Utf8Check() {}

    /// The position of the first invalid character, or `to`. May read seven bytes past `to`.
    static long firstWrong(MemorySegment bytes, long from, long to) {
        long position = from;
        while (position < to) {
            if (position + 8 <= to && (TextWords.word(bytes, position) & TextWords.HIGH_BITS) == 0) {
                position += 8;
                continue;
            }
            int length = length(bytes, position, to);
            if (length == 0) {
                return position;
            }
            position += length;
        }
        return to;
    }

    /// The number of bytes of the character, or 0 if it is invalid.
    private static int length(MemorySegment bytes, long position, long to) {
        int lead = at(bytes, position) & 0xFF;
        if (lead < 0x80) {
            return 1;
        }
        int length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
        if (length == 0 || position + length > to) {
            return 0;
        }
        for (int i = 1; i < length; i++) {
            if ((at(bytes, position + i) & 0xC0) != 0x80) {
                return 0;
            }
        }
        int second = at(bytes, position + 1) & 0xFF;
        boolean wrong = lead == 0xE0 && second < 0xA0
                || lead == 0xED && second >= 0xA0
                || lead == 0xF0 && second < 0x90
                || lead == 0xF4 && second >= 0x90;
        return wrong ? 0 : length;
    }
}
