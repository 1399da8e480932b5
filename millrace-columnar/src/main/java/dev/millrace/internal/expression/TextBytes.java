package dev.millrace.internal.expression;

import java.util.Arrays;

/// The bytes of one text under construction, in a reused array. One thread.
final class TextBytes {
    private byte[] bytes = new byte[256];
    private int size;

    void clear() {
        size = 0;
    }

    byte[] bytes() {
        return bytes;
    }

    int size() {
        return size;
    }

    void append(byte value) {
        reserve(1);
        bytes[size++] = value;
    }

    void append(byte[] source) {
        append(source, 0, source.length);
    }

    void append(byte[] source, int from, int count) {
        reserve(count);
        System.arraycopy(source, from, bytes, size, count);
        size += count;
    }

    /// Appends an integer as `Long.toString` writes it.
    void appendLong(long value) {
        if (value == Long.MIN_VALUE) {
            appendDigits(-(value / 10), 1, true);
            append((byte) '8');
        } else {
            appendDigits(Math.abs(value), 1, value < 0);
        }
    }

    /// Appends a number that is not negative, with leading zeros where it has fewer digits.
    ///
    /// @param negative whether a minus comes first
    void appendDigits(long value, int least, boolean negative) {
        int digits = Math.max(least, digits(value));
        reserve(digits + 1);
        if (negative) {
            bytes[size++] = '-';
        }
        long left = value;
        for (int i = size + digits - 1; i >= size; i--) {
            long tenth = left / 10;
            bytes[i] = (byte) ('0' + (left - 10 * tenth));
            left = tenth;
        }
        size += digits;
    }

    private static int digits(long value) {
        int digits = 1;
        for (long limit = 10; digits < 19 && value >= limit; limit *= 10) {
            digits++;
        }
        return digits;
    }

    private void reserve(int count) {
        if (count > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, count), (int)
                    Math.min(Integer.MAX_VALUE - 16, 2L * bytes.length)));
        }
    }
}
