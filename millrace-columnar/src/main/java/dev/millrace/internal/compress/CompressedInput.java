package dev.millrace.internal.compress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.storage.ByteFeed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A window over the compressed bytes, and the file's name and position for errors. One thread.
final class CompressedInput implements AutoCloseable {
    private static final int BYTES = 128 << 10;

    private final FileCompression kind;
    private final String path;
    private final ByteFeed raw;
    private final Allocator allocator;
    private final Buffer buffer;
    private final MemorySegment memory;
    private long from;
    private long to;
    private long produced;
    private boolean atEnd;
    private boolean closed;

    CompressedInput(FileCompression kind, String path, ByteFeed raw, Allocator allocator) throws IOException {
        this.kind = kind;
        this.path = path;
        this.raw = raw;
        this.allocator = allocator;
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(raw);
            this.buffer = allocator.allocate(BYTES);
            scope.keep();
        }
        this.memory = buffer.segment();
    }

    Allocator allocator() {
        return allocator;
    }

    MemorySegment memory() {
        return memory;
    }

    /// The position of the first unconsumed byte in [#memory].
    long position() {
        return from;
    }

    /// The number of unconsumed bytes in the window.
    int available() {
        return (int) (to - from);
    }

    void consume(long bytes) {
        from += bytes;
    }

    /// Records the number of decompressed bytes.
    void produced(long bytes) {
        produced += bytes;
    }

    /// Makes at least `bytes` available unless the input ends before. Returns whether they are.
    boolean fill(int bytes) throws IOException {
        if (to - from >= bytes) {
            return true;
        }
        if (from > 0) {
            MemorySegment.copy(memory, from, memory, 0, to - from);
            to -= from;
            from = 0;
        }
        while (to < bytes && !atEnd) {
            int count = raw.read(memory.asSlice(to));
            if (count < 0) {
                atEnd = true;
            } else {
                to += count;
            }
        }
        return to >= bytes;
    }

    /// Copies and consumes exactly this many bytes.
    ///
    /// @throws MillraceException culprit DATA, if the input ends before
    void readFully(byte[] target, int length) throws IOException {
        int done = 0;
        while (done < length) {
            if (!fill(1)) {
                throw truncated();
            }
            int count = Math.min(length - done, available());
            MemorySegment.copy(memory, JAVA_BYTE, from, target, done, count);
            from += count;
            done += count;
        }
    }

    int readByte() throws IOException {
        if (!fill(1)) {
            throw truncated();
        }
        return memory.get(JAVA_BYTE, from++) & 0xFF;
    }

    long readLittleEndian(int bytes) throws IOException {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (long) readByte() << 8 * i;
        }
        return value;
    }

    MillraceException truncated() {
        return MillraceException.data("'" + path + "' ends in the middle of its " + kind.label() + " data, after "
                + produced + " decompressed bytes: the file is truncated. Write or copy it again.");
    }

    MillraceException corrupt(String why, @Nullable Throwable cause) {
        return new MillraceException(
                Culprit.DATA,
                "'" + path + "' is not valid " + kind.label() + " at byte " + produced
                        + " of what it decompresses to: " + why + ". Write or copy it again"
                        + (produced == 0 ? ", or name the compression it has." : "."),
                cause);
    }

    /// More memory is needed than there is, by what the file says itself: it may be damaged.
    MillraceException needs(String what, MemoryRefused cause) {
        return new MillraceException(
                Culprit.RESOURCES,
                "'" + path + "' needs much memory to be decompressed at byte " + produced
                        + " of what it decompresses to: " + what + ". " + cause.getMessage(),
                cause);
    }

    MillraceException corrupt(String why) {
        return corrupt(why, null);
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            buffer.release();
            raw.close();
        }
    }
}
