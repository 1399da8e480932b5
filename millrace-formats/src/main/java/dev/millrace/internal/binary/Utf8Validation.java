package dev.millrace.internal.binary;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// Validates UTF-8.
public final class Utf8Validation {
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8Validation() {}

    /// True if the bytes are well-formed UTF-8: no overlong forms, no surrogates, nothing truncated.
    public static boolean isValid(MemorySegment bytes, long from, long count) {
        long at = from;
        long end = from + count;
        while (at < end) {
            if (at + 8 <= end && (bytes.get(JAVA_LONG_UNALIGNED, at) & HIGH_BITS) == 0) {
                at += 8;
                continue;
            }
            int first = bytes.get(JAVA_BYTE, at) & 0xFF;
            if (first < 0x80) {
                at++;
                continue;
            }
            int length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
            if (length == 0 || at + length > end) {
                return false;
            }
            int second = bytes.get(JAVA_BYTE, at + 1) & 0xFF;
            int least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
            int most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
            if (second < least || second > most) {
                return false;
            }
            for (int i = 2; i < length; i++) {
                if ((bytes.get(JAVA_BYTE, at + i) & 0xC0) != 0x80) {
                    return false;
                }
            }
            at += length;
        }
        return true;
    }
}
