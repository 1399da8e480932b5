package dev.millrace.internal.csv;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.source.FileRange;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;

/// Errors that name the file, the line and the byte.
final class CsvErrors {
    private static final int SHOWN = 60;
    private static final int COUNTING_WINDOW = 1 << 18;

    private final FileRange range;
    private final Allocator allocator;
    private final Charset charset;

    CsvErrors(FileRange range, Allocator allocator, Charset charset) {
        this.range = range;
        this.allocator = allocator;
        this.charset = charset;
    }

    /// @param offset where in the (decompressed) file it is
    /// @param what a sentence, or more
    MillraceException at(long offset, String what) {
        return MillraceException.data("'" + range.path() + "', " + place(offset) + ": " + what);
    }

    MillraceException of(String what) {
        return MillraceException.data("'" + range.path() + "' " + what);
    }

    /// Lines are counted only now, from the begin of the file.
    private String place(long offset) {
        try (Window window = new Window(Peek.at(range, 0), 0, COUNTING_WINDOW, allocator)) {
            long line = 1;
            byte before = 0;
            while (window.position < offset) {
                window.fill();
                int count = (int) Math.min(window.size, offset - window.position);
                if (count == 0) {
                    break;
                }
                for (int i = 0; i < count; i++) {
                    byte value = Words.at(window.bytes, i);
                    line += value == '\r' || value == '\n' && before != '\r' ? 1 : 0;
                    before = value;
                }
                window.drop(count);
            }
            return "line " + line + " (byte " + offset + ")";
        } catch (IOException | MillraceException _) {
            return "byte " + offset;
        }
    }

    /// A piece of the file in quotes, shortened.
    String shown(MemorySegment bytes, int from, int to) {
        byte[] copy = new byte[Math.min(to - from, SHOWN)];
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, from, copy, 0, copy.length);
        StringBuilder text = new StringBuilder("'");
        new String(copy, charset)
                .codePoints()
                .map(point -> point < ' ' || point == 0x7F ? ' ' : point)
                .forEach(text::appendCodePoint);
        return text.append(to - from > SHOWN ? "...'" : "'").toString();
    }
}
