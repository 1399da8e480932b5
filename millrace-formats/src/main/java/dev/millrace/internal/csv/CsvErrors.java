package dev.millrace.internal.csv;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.text.TextWords;
import dev.millrace.memory.Allocator;
import dev.millrace.source.FileRange;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/// Creates errors that name the file, the line and the byte.
final class CsvErrors {
    private static final int SHOWN = 60;
    private static final int COUNTING_WINDOW = 1 << 18;

    private final FileRange range;
    private final Allocator allocator;
    private final Charset charset;
    /// The window of the reader, or null.
    private final @Nullable InputWindow reading;
    /// The position up to which lines have been counted, or -1.
    private long counted = -1;

    private long line;
    private byte before;

    CsvErrors(FileRange range, Allocator allocator, Charset charset) {
        this(range, allocator, charset, null);
    }

    /// For a reader with several errors: line counting continues in its window. The reader must report each move
    /// ([#leave]).
    CsvErrors(FileRange range, Allocator allocator, Charset charset, @Nullable InputWindow reading) {
        this.range = range;
        this.allocator = allocator;
        this.charset = charset;
        this.reading = reading;
    }

    /// @param offset the position in the (decompressed) file
    /// @param what one or more sentences
    MillraceException at(long offset, String what) {
        return MillraceException.data("'" + range.path() + "', " + place(offset) + ": " + what);
    }

    MillraceException of(String what) {
        return MillraceException.data("'" + range.path() + "' " + what);
    }

    /// Called before the window moves on by this many bytes.
    void leave(int bytes) {
        if (reading != null && counted >= reading.position) {
            count(reading, reading.position + bytes);
        }
    }

    /// Lines are counted only when needed: from the start of the file, or from the last error on.
    private String place(long offset) {
        if (reading != null && counted >= reading.position && counted <= offset) {
            count(reading, offset);
        } else if (!countFromBegin(offset)) {
            return "byte " + offset;
        }
        return "line " + line + " (byte " + offset + ")";
    }

    private boolean countFromBegin(long offset) {
        counted = 0;
        line = 1;
        before = 0;
        try (InputWindow window = new InputWindow(FilePeek.at(range, 0), 0, COUNTING_WINDOW, allocator)) {
            while (counted < offset) {
                window.fill();
                int bytes = (int) Math.min(window.size, offset - window.position);
                if (bytes == 0) {
                    break;
                }
                count(window, window.position + bytes);
                window.drop(bytes);
            }
            return true;
        } catch (IOException | MillraceException _) {
            counted = -1;
            return false;
        }
    }

    private void count(InputWindow window, long to) {
        for (; counted < to; counted++) {
            byte value = TextWords.at(window.bytes, counted - window.position);
            line += value == '\r' || value == '\n' && before != '\r' ? 1 : 0;
            before = value;
        }
    }

    /// A part of the file in quotes, shortened.
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
