package dev.millrace.internal.binary;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// Bytes on their way into a file, for encoders: gathered in counted memory and written in large pieces. Numbers are
/// little-endian. One thread.
public final class OutputWindow implements AutoCloseable {
    private static final long WINDOW = 256 << 10;

    private final WritableByteChannel out;
    private final Allocator allocator;
    private Buffer buffer;
    private MemorySegment window;
    private long at;
    private long written;

    public OutputWindow(WritableByteChannel out, Allocator allocator) {
        this.out = out;
        this.allocator = allocator;
        this.buffer = allocator.allocate(WINDOW);
        this.window = buffer.segment();
    }

    /// Makes `count` bytes lie in the window together, to be looked at again before the next call.
    public void reserve(long count) throws IOException {
        if (window.byteSize() - at >= count) {
            return;
        }
        flush();
        if (window.byteSize() < count) {
            Buffer larger = allocator.allocate(Math.max(count, window.byteSize() * 2));
            buffer.release();
            buffer = larger;
            window = larger.segment();
        }
    }

    /// What is not written yet ends at [#at].
    public MemorySegment window() {
        return window;
    }

    public long at() {
        return at;
    }

    /// Bytes so far, in the file and in the window.
    public long position() {
        return written + at;
    }

    public void putByte(int value) throws IOException {
        reserve(1);
        window.set(JAVA_BYTE, at++, (byte) value);
    }

    public void putInt(int value) throws IOException {
        reserve(4);
        window.set(JAVA_INT_UNALIGNED, at, value);
        at += 4;
    }

    public void putLong(long value) throws IOException {
        reserve(8);
        window.set(JAVA_LONG_UNALIGNED, at, value);
        at += 8;
    }

    public void putFloat(float value) throws IOException {
        reserve(4);
        window.set(JAVA_FLOAT_UNALIGNED, at, value);
        at += 4;
    }

    public void putDouble(double value) throws IOException {
        reserve(8);
        window.set(JAVA_DOUBLE_UNALIGNED, at, value);
        at += 8;
    }

    /// Seven bits to a byte, the low ones first.
    public void putVarint(long value) throws IOException {
        reserve(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            window.set(JAVA_BYTE, at++, (byte) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        window.set(JAVA_BYTE, at++, (byte) rest);
    }

    /// How many bytes [#putVarint] takes.
    public static int varintSize(long value) {
        return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
    }

    public void put(byte[] source) throws IOException {
        put(MemorySegment.ofArray(source), 0, source.length);
    }

    /// Long values pass the window by.
    public void put(MemorySegment source, long from, long count) throws IOException {
        if (count > window.byteSize() - at) {
            flush();
            if (count > window.byteSize()) {
                write(source, from, count);
                return;
            }
        }
        MemorySegment.copy(source, from, window, at, count);
        at += count;
    }

    public void zeros(int count) throws IOException {
        reserve(count);
        window.asSlice(at, count).fill((byte) 0);
        at += count;
    }

    public void flush() throws IOException {
        long count = at;
        at = 0;
        write(window, 0, count);
    }

    private void write(MemorySegment source, long from, long count) throws IOException {
        for (long done = 0; done < count; ) {
            long step = Math.min(count - done, 1 << 30);
            ByteBuffer piece = source.asSlice(from + done, step).asByteBuffer();
            while (piece.hasRemaining()) {
                out.write(piece);
            }
            done += step;
        }
        written += count;
    }

    /// Gives up what was not flushed, and closes the file.
    @Override
    public void close() throws IOException {
        try {
            buffer.release();
        } finally {
            out.close();
        }
    }
}
