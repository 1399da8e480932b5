package dev.millrace.internal.csv;

import dev.millrace.internal.text.TextBytes;
import dev.millrace.sink.WriteCsv;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The encoded bytes of fields, before they are written, with quotes where they are needed.
final class TextBuffer {
    private static final byte QUOTE = '"';

    private final byte delimiter;
    private final boolean quoteAll;
    private final byte[] nullText;
    private final TextBytes text = new TextBytes(1 << 17);

    TextBuffer(WriteCsv options) {
        this.delimiter = (byte) options.delimiter();
        this.quoteAll = options.quoteAll();
        this.nullText = utf8(options.nullText());
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// For what needs no quotes.
    TextBytes plain() {
        return text;
    }

    /// @param alone it is the only field of its line
    void appendText(String value, boolean alone) {
        int start = text.size();
        text.append(utf8(value));
        quoteIfNeeded(start, alone);
    }

    void appendText(MemorySegment source, long from, int count) {
        int start = text.size();
        text.append(source, from, count);
        quoteIfNeeded(start, true);
    }

    /// Quotes what was appended since `start` if it would otherwise be read differently.
    private void quoteIfNeeded(int start, boolean emptyNeedsQuotes) {
        byte[] bytes = text.bytes();
        int size = text.size();
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
        text.extend(quotes + 2);
        bytes = text.bytes();
        int to = size + quotes + 1;
        bytes[to] = QUOTE;
        for (int i = size - 1; i >= start; i--) {
            bytes[--to] = bytes[i];
            if (bytes[to] == QUOTE) {
                bytes[--to] = QUOTE;
            }
        }
        bytes[start] = QUOTE;
    }

    private boolean isNullText(int start) {
        return nullText.length > 0 && Arrays.equals(text.bytes(), start, text.size(), nullText, 0, nullText.length);
    }

    void writeTo(OutputStream out) throws IOException {
        out.write(text.bytes(), 0, text.size());
        text.clear();
    }
}
