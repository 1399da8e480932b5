package dev.millrace.internal.text;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The bytes of text under construction, in a reused array: casts to text and files of text write numbers, dates and
/// times with it. One thread.
public final class TextBytes {
    private byte[] bytes;
    private int size;

    /// @param capacity to begin with
    public TextBytes(int capacity) {
        bytes = new byte[capacity];
    }

    public void clear() {
        size = 0;
    }

    /// The array; another one after something was appended.
    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return size;
    }

    public void append(byte value) {
        reserve(1);
        bytes[size++] = value;
    }

    public void append(byte[] source) {
        append(source, 0, source.length);
    }

    public void append(byte[] source, int from, int count) {
        reserve(count);
        System.arraycopy(source, from, bytes, size, count);
        size += count;
    }

    public void append(MemorySegment source, long from, int count) {
        reserve(count);
        MemorySegment.copy(source, JAVA_BYTE, from, bytes, size, count);
        size += count;
    }

    public void appendAscii(String text) {
        int length = text.length();
        reserve(length);
        for (int i = 0; i < length; i++) {
            bytes[size++] = (byte) text.charAt(i);
        }
    }

    /// Appends bytes that the caller writes.
    public void extend(int count) {
        reserve(count);
        size += count;
    }

    /// Appends an integer as `Long.toString` writes it.
    public void appendLong(long value) {
        if (value == Long.MIN_VALUE) {
            appendAscii(Long.toString(value));
            return;
        }
        if (value < 0) {
            append((byte) '-');
        }
        appendDigits(Math.abs(value), 1);
    }

    /// Appends a number that is not negative, with leading zeros where it has fewer digits.
    public void appendDigits(long value, int least) {
        int digits = Math.max(least, digits(value));
        reserve(digits);
        long left = value;
        for (int i = size + digits - 1; i >= size; i--) {
            long tenth = left / 10;
            bytes[i] = (byte) ('0' + (left - 10 * tenth));
            left = tenth;
        }
        size += digits;
    }

    /// Appends `2024-02-29`.
    ///
    /// @param year 0 to 9999
    public void appendDate(int year, int month, int day) {
        appendDigits(year, 4);
        append((byte) '-');
        appendDigits(month, 2);
        append((byte) '-');
        appendDigits(day, 2);
    }

    /// Appends `13:45:30`.
    ///
    /// @param seconds since midnight
    public void appendTimeOfDay(long seconds) {
        appendDigits(seconds / 3600, 2);
        append((byte) ':');
        appendDigits(seconds / 60 % 60, 2);
        append((byte) ':');
        appendDigits(seconds % 60, 2);
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
