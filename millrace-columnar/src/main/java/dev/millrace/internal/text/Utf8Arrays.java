package dev.millrace.internal.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Operations on UTF-8 in arrays.
public final class Utf8Arrays {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private Utf8Arrays() {}

    /// The position of the first character that is not valid UTF-8 (an overlong form, a surrogate, one beyond
    /// U+10FFFF), or `to`.
    public static int firstWrong(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            if (at + 8 <= to && ((long) WORD.get(bytes, at) & HIGH_BITS) == 0) {
                at += 8;
                continue;
            }
            int lead = bytes[at] & 0xFF;
            if (lead < 0x80) {
                at++;
                continue;
            }
            int length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
            if (length == 0 || at + length > to) {
                return at;
            }
            int second = bytes[at + 1] & 0xFF;
            int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
            int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
            if (second < least || second > most) {
                return at;
            }
            for (int i = 2; i < length; i++) {
                if ((bytes[at + i] & 0xC0) != 0x80) {
                    return at;
                }
            }
            at += length;
        }
        return to;
    }

    /// Writes a character, which must not be a surrogate; returns the position after it.
    public static int put(byte[] to, int position, int code) {
        int at = position;
        if (code < 0x80) {
            to[at++] = (byte) code;
        } else if (code < 0x800) {
            to[at++] = (byte) (0xC0 | code >> 6);
            to[at++] = (byte) (0x80 | code & 0x3F);
        } else if (code < 0x10000) {
            to[at++] = (byte) (0xE0 | code >> 12);
            to[at++] = (byte) (0x80 | code >> 6 & 0x3F);
            to[at++] = (byte) (0x80 | code & 0x3F);
        } else {
            to[at++] = (byte) (0xF0 | code >> 18);
            to[at++] = (byte) (0x80 | code >> 12 & 0x3F);
            to[at++] = (byte) (0x80 | code >> 6 & 0x3F);
            to[at++] = (byte) (0x80 | code & 0x3F);
        }
        return at;
    }
}
