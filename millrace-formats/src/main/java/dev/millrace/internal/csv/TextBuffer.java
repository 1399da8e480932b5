package dev.millrace.internal.csv;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.sink.WriteCsv;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The encoded bytes of fields, before they are written.
final class TextBuffer {
    private static final byte QUOTE = '"';

    private final byte delimiter;
    private final boolean quoteAll;
    private final byte[] nullText;
    private byte[] bytes = new byte[1 << 17];
    private int size;

    TextBuffer(WriteCsv options) {
        this.delimiter = (byte) options.delimiter();
        this.quoteAll = options.quoteAll();
        this.nullText = utf8(options.nullText());
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    int size() {
        return size;
    }

    void append(byte value) {
        reserve(1);
        bytes[size++] = value;
    }

    void append(byte[] values) {
        reserve(values.length);
        System.arraycopy(values, 0, bytes, size, values.length);
        size += values.length;
    }

    /// Appends ASCII that needs no quotes.
    void appendPlain(String ascii) {
        int length = ascii.length();
        reserve(length);
        for (int i = 0; i < length; i++) {
            bytes[size++] = (byte) ascii.charAt(i);
        }
    }

    /// Appends at least this many digits, with leading zeros.
    void appendDigits(long value, int least) {
        int digits = Math.max(least, value < 10 ? 1 : Long.toString(value).length());
        reserve(digits);
        long left = value;
        for (int i = size + digits - 1; i >= size; i--) {
            bytes[i] = (byte) ('0' + left % 10);
            left /= 10;
        }
        size += digits;
    }

    void appendLong(long value) {
        if (value < 0 || value > 999_999_999_999_999_999L) {
            appendPlain(Long.toString(value));
        } else {
            appendDigits(value, 1);
        }
    }

    /// @param alone it is the only field of its line
    void appendText(String text, boolean alone) {
        byte[] utf8 = utf8(text);
        reserve(utf8.length);
        int start = size;
        append(utf8);
        quoteIfNeeded(start, alone);
    }

    void appendText(MemorySegment source, long from, int count) {
        reserve(count);
        int start = size;
        MemorySegment.copy(source, JAVA_BYTE, from, bytes, size, count);
        size += count;
        quoteIfNeeded(start, true);
    }

    /// Quotes what was appended since `start` if it would otherwise be read differently.
    private void quoteIfNeeded(int start, boolean emptyNeedsQuotes) {
        int quotes = 0;
        boolean needed = quoteAll || size == start && emptyNeedsQuotes;
        for (int i = start; i < size; i++) {
            byte value = bytes[i];
            quotes += value == QUOTE ? 1 : 0;
            needed |= value == delimiter || value == '\n' || value == '\r' || value == QUOTE;
        }
        // A text that begins with the UTF-8 byte order mark would lose it at the start of a file.
        needed |= size > start && bytes[start] == (byte) 0xEF || isNullText(start);
        if (!needed) {
            return;
        }
        int length = size - start;
        reserve(quotes + 2);
        int to = size + quotes + 1;
        bytes[to] = QUOTE;
        for (int i = start + length - 1; i >= start; i--) {
            bytes[--to] = bytes[i];
            if (bytes[to] == QUOTE) {
                bytes[--to] = QUOTE;
            }
        }
        bytes[start] = QUOTE;
        size += quotes + 2;
    }

    private boolean isNullText(int start) {
        return nullText.length > 0 && Arrays.equals(bytes, start, size, nullText, 0, nullText.length);
    }

    private void reserve(int count) {
        if (size + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + count));
        }
    }

    void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, size);
        size = 0;
    }
}
