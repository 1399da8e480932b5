package dev.millrace.internal.parquet.write;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;

/// The finished pages of a column chunk, in a growing list of buffers. One thread.
final class PageBytes implements AutoCloseable {
    private static final int SMALLEST = 1 << 12;
    private static final int LARGEST = 1 << 20;

    private final Allocator allocator;
    private final List<Buffer> pieces = new ArrayList<>();
    private long inLast;
    private long size;

    PageBytes(Allocator allocator) {
        this.allocator = allocator;
    }

    long size() {
        return size;
    }

    long heldBytes() {
        long sum = 0;
        for (Buffer piece : pieces) {
            sum += piece.heldBytes();
        }
        return sum;
    }

    void put(byte[] source, int length) {
        put(MemorySegment.ofArray(source), length);
    }

    void put(MemorySegment source, long length) {
        long done = 0;
        while (done < length) {
            if (pieces.isEmpty() || inLast == pieces.getLast().size()) {
                pieces.add(allocator.allocate(Math.clamp(size, SMALLEST, LARGEST)));
                inLast = 0;
            }
            MemorySegment target = pieces.getLast().segment();
            long part = Math.min(length - done, target.byteSize() - inLast);
            MemorySegment.copy(source, JAVA_BYTE, done, target, JAVA_BYTE, inLast, part);
            inLast += part;
            size += part;
            done += part;
        }
    }

    void writeTo(WritableByteChannel out) throws IOException {
        for (int i = 0; i < pieces.size(); i++) {
            MemorySegment piece = pieces.get(i).segment();
            long length = i == pieces.size() - 1 ? inLast : piece.byteSize();
            write(piece.asSlice(0, length), out);
        }
    }

    static void write(MemorySegment source, WritableByteChannel out) throws IOException {
        ByteBuffer bytes = source.asByteBuffer();
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    @Override
    public void close() {
        pieces.forEach(Buffer::release);
        pieces.clear();
        inLast = 0;
        size = 0;
    }
}
