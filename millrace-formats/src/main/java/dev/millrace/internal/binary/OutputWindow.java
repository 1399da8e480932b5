package dev.millrace.internal.binary;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.memory.Allocator;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// A buffered file output for encoders: bytes are collected in accounted memory and written in large pieces. Numbers
/// are little-endian. One thread.
public final class OutputWindow implements AutoCloseable {
    private static final long WINDOW = 256 << 10;

    private final WritableByteChannel out;
    private final GrowingBuffer window;
    private long written;

    public OutputWindow(WritableByteChannel out, Allocator allocator) {
        this.out = out;
        this.window = new GrowingBuffer(allocator, WINDOW);
        window.reserveTotal(WINDOW);
    }

    /// Ensures that the next `count` bytes are contiguous in the window, so that they can be changed before the next
    /// call.
    public void reserve(long count) throws IOException {
        if (window.capacity() - window.size() < count) {
            flush();
            window.reserve(count);
        }
    }

    /// The memory of the window; bytes that are not written yet end at [#at].
    public MemorySegment window() {
        return window.memory();
    }

    public long at() {
        return window.size();
    }

    /// The number of bytes so far, in the file and in the window.
    public long position() {
        return written + window.size();
    }

    public void putByte(int value) throws IOException {
        reserve(Byte.BYTES);
        window.putByte(value);
    }

    public void putInt(int value) throws IOException {
        reserve(Integer.BYTES);
        window.putInt(value);
    }

    public void putLong(long value) throws IOException {
        reserve(Long.BYTES);
        window.putLong(value);
    }

    public void putFloat(float value) throws IOException {
        reserve(Float.BYTES);
        window.putFloat(value);
    }

    public void putDouble(double value) throws IOException {
        reserve(Double.BYTES);
        window.putDouble(value);
    }

    /// A varint: seven bits per byte, least significant first.
    public void putVarint(long value) throws IOException {
        reserve(GrowingBuffer.MAX_VARINT_BYTES);
        window.putVarint(value);
    }

    public void put(byte[] source) throws IOException {
        put(MemorySegment.ofArray(source), 0, source.length);
    }

    /// Long values bypass the window.
    public void put(MemorySegment source, long from, long count) throws IOException {
        if (count > window.capacity() - window.size()) {
            flush();
            if (count > window.capacity()) {
                write(source, from, count);
                return;
            }
        }
        window.put(source, from, count);
    }

    public void zeros(int count) throws IOException {
        reserve(count);
        window.room(count).asSlice(0, count).fill((byte) 0);
        window.advance(count);
    }

    public void flush() throws IOException {
        long count = window.size();
        window.clear();
        write(window.memory(), 0, count);
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

    /// Discards bytes that were not flushed, and closes the file.
    @Override
    public void close() throws IOException {
        try {
            window.close();
        } finally {
            out.close();
        }
    }
}
