package dev.millrace.internal.arrow;

import dev.millrace.compression.IpcCompression;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.compress.PackedBytes;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A file that a [PieceTarget] wrote. Every byte is verified by a checksum before it is used. Large uncompressed
/// buffers are views of the memory-mapped file, charged to the reader's account like allocated memory, since they are
/// resident; compressed data is read one region at a time. One thread; the buffers outlive it.
public final class CheckedFile implements AutoCloseable {
    /// Smaller buffers are read: mapping and unmapping a file costs more than copying a few pages.
    private static final int VIEW_BYTES = 1 << 20;

    private final Path path;
    private final FileChannel channel;
    private final RegionChecksums checksums;
    private final Allocator allocator;
    private final BufferCodecs codecs;
    private final byte[] region;
    private int loaded = -1;
    private @Nullable Buffer mapped;

    private CheckedFile(
            Path path, FileChannel channel, RegionChecksums checksums, Allocator allocator, RegionScratch scratch) {
        this.codecs = scratch.codecs();
        this.region = scratch.region();
        this.path = path;
        this.channel = channel;
        this.checksums = checksums;
        this.allocator = allocator;
    }

    /// Opens a file, which must have the size with which it was written.
    ///
    /// @param scratch used until the file is closed
    public static CheckedFile open(Path path, RegionChecksums checksums, Allocator allocator, RegionScratch scratch) {
        try {
            FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
            return new CheckedFile(path, channel, checksums, allocator, scratch);
        } catch (IOException e) {
            throw failed(path, e);
        }
    }

    /// Reads its batches while this is open.
    public FileDecoder decoder() {
        return new FileDecoder(Bytes::new, checksums.size(), allocator);
    }

    /// Copies bytes of the file after verifying them.
    private void copy(long at, byte[] to, int toAt, int length) {
        int done = 0;
        while (done < length) {
            int index = checksums.indexOf(at + done);
            load(index);
            int from = (int) (at + done - checksums.start(index));
            int part = (int) Math.min(length - done, checksums.end(index) - at - done);
            System.arraycopy(region, from, to, toAt + done, part);
            done += part;
        }
    }

    /// Copies to native memory, directly for regions that are needed as a whole.
    private void copy(long at, MemorySegment to, long length) {
        long done = 0;
        while (done < length) {
            int index = checksums.indexOf(at + done);
            long from = at + done - checksums.start(index);
            long part = Math.min(length - done, checksums.end(index) - at - done);
            if (from == 0 && at + done + part == checksums.end(index)) {
                fill(index, to.asSlice(done, part).asByteBuffer());
            } else {
                load(index);
                MemorySegment.copy(region, (int) from, to, ValueLayout.JAVA_BYTE, done, (int) part);
            }
            done += part;
        }
    }

    private void load(int index) {
        if (loaded == index) {
            return;
        }
        loaded = -1;
        fill(index, ByteBuffer.wrap(region, 0, (int) (checksums.end(index) - checksums.start(index))));
        loaded = index;
    }

    /// Reads a region into memory of its size.
    private void fill(int index, ByteBuffer into) {
        try {
            while (into.hasRemaining()) {
                if (channel.read(into, checksums.start(index) + into.position()) < 0) {
                    throw MillraceException.data("it ends at byte " + (checksums.start(index) + into.position()));
                }
            }
        } catch (IOException e) {
            throw failed(path, e);
        }
        checksums.verify(index, into.flip());
    }

    /// A verified part of the file, which is mapped as `all`.
    private MemorySegment view(MemorySegment all, long at, long length) {
        int last = checksums.indexOf(at + length - 1);
        for (int i = checksums.indexOf(at); i <= last; i++) {
            long bytes = checksums.end(i) - checksums.start(i);
            checksums.verify(i, all.asSlice(checksums.start(i), bytes).asByteBuffer());
        }
        return all.asSlice(at, length);
    }

    private Buffer mapped() {
        if (mapped == null) {
            try (ResourceScope scope = new ResourceScope()) {
                Arena arena = scope.add(Arena.ofShared());
                mapped = Buffer.foreign(map(arena), arena::close);
                scope.keep();
            }
        }
        return mapped;
    }

    private MemorySegment map(Arena arena) {
        try {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, checksums.size(), arena);
        } catch (IOException e) {
            throw failed(path, e);
        }
    }

    private static MillraceException failed(Path path, IOException e) {
        return new MillraceException(Culprit.RESOURCES, path + " could not be read: " + e, e);
    }

    @Override
    public void close() {
        try (channel) {
            if (mapped != null) {
                mapped.release();
                mapped = null;
            }
        } catch (IOException e) {
            throw failed(path, e);
        }
    }

    /// Compressed bytes that are read from the file on demand.
    private record InFile(CheckedFile file, long start, long size, byte[] word) implements PackedBytes {
        @Override
        public int intAt(long at) {
            copy(at, word, 0, Integer.BYTES);
            return ByteBuffer.wrap(word).order(ByteOrder.LITTLE_ENDIAN).getInt();
        }

        @Override
        public byte byteAt(long at) {
            copy(at, word, 0, 1);
            return word[0];
        }

        @Override
        public void copy(long at, byte[] to, int toAt, int length) {
            Objects.checkFromIndexSize(at, length, size);
            file.copy(start + at, to, toAt, length);
        }
    }

    /// A part of the file as a source.
    private final class Bytes implements IpcInput {
        private final long end;
        private long position;

        Bytes(long from, long end) {
            this.position = from;
            this.end = end;
        }

        @Override
        public String name() {
            return "Arrow file " + path;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public ByteBuffer metadata(int length, boolean mayEnd) {
            long there = Math.min(length, end - position);
            if (there < length && !mayEnd) {
                throw ArrowErrors.truncated(this, length, there);
            }
            byte[] bytes = new byte[(int) there];
            copy(position, bytes, 0, bytes.length);
            position += there;
            return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }

        @Override
        public Buffer take(long length) {
            long from = advance(length);
            if (length >= VIEW_BYTES && from % Long.BYTES == 0) {
                return allocator.adopt(mapped(), length, () -> view(mapped().segment(), from, length));
            }
            try (ResourceScope scope = new ResourceScope()) {
                Buffer buffer = scope.add(allocator.allocate(length));
                copy(from, buffer.segment(), length);
                return scope.keep(buffer);
            }
        }

        @Override
        public BufferCodec codec(IpcCompression compression) {
            return codecs.of(compression);
        }

        @Override
        public Buffer decompress(BufferCodec codec, long length, long bytes, Allocator to, String where) {
            if (codec.compression() == IpcCompression.LZ4) {
                long from = advance(length);
                return codec.decompressLz4(
                        new InFile(CheckedFile.this, from, length, new byte[Integer.BYTES]), bytes, to, where);
            }
            long from = advance(length);
            try (Arena arena = Arena.ofConfined()) {
                return codec.decompress(view(map(arena), from, length), bytes, to, where);
            }
        }

        @Override
        public void skip(long length) {
            advance(length);
        }

        private long advance(long length) {
            if (length < 0 || length > end - position) {
                throw ArrowErrors.truncated(this, length, end - position);
            }
            long from = position;
            position += length;
            return from;
        }
    }
}
