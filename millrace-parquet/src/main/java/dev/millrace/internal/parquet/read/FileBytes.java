package dev.millrace.internal.parquet.read;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.parquet.decode.Padding;
import dev.millrace.internal.parquet.format.Malformed;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// The bytes of a file, read by position. A small file is read once, whole: then every range of it is at hand.
final class FileBytes implements AutoCloseable {
    private static final long SMALL = 256 << 10;

    private final String name;
    private final FileChannel channel;
    private final long size;
    private final Buffer whole;

    private FileBytes(String name, FileChannel channel, long size, Buffer whole) {
        this.name = name;
        this.channel = channel;
        this.size = size;
        this.whole = whole;
    }

    static FileBytes open(String file, Allocator allocator) {
        FileChannel channel = null;
        Buffer whole = null;
        try {
            channel = FileChannel.open(Path.of(file));
            long size = channel.size();
            if (size > SMALL) {
                return new FileBytes(file, channel, size, null);
            }
            whole = allocator.allocate(size + Padding.BYTES);
            fill(channel, 0, whole.segment().asSlice(0, size));
            channel.close();
            return new FileBytes(file, null, size, whole);
        } catch (IOException | RuntimeException e) {
            if (whole != null) {
                whole.release();
            }
            closeQuietly(channel);
            throw e instanceof IOException io ? unreadable(file, io) : (RuntimeException) e;
        }
    }

    String name() {
        return name;
    }

    long size() {
        return size;
    }

    /// The whole file with [Padding#BYTES] behind it, or null where it is large.
    MemorySegment whole() {
        return whole == null ? null : whole.segment();
    }

    /// Fills `target` with the bytes from `position` on.
    void read(long position, MemorySegment target) {
        if (position < 0 || target.byteSize() > size - position) {
            throw new Malformed("bytes " + position + " to " + (position + target.byteSize())
                    + " are beyond the end of the file, which has " + size);
        }
        if (whole != null) {
            MemorySegment.copy(whole.segment(), position, target, 0, target.byteSize());
            return;
        }
        try {
            fill(channel, position, target);
        } catch (IOException e) {
            throw unreadable(name, e);
        }
    }

    private static void fill(FileChannel channel, long position, MemorySegment target) throws IOException {
        ByteBuffer buffer = target.asByteBuffer();
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) {
                throw new Malformed(
                        "the file ends at byte " + (position + buffer.position()) + ", earlier than before");
            }
        }
    }

    private static MillraceException unreadable(String file, IOException e) {
        return new MillraceException(Culprit.RESOURCES, "'" + file + "' could not be read: " + e, e);
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException _) {
            // It was open for reading only.
        }
    }

    @Override
    public void close() {
        if (whole != null) {
            whole.release();
        }
        closeQuietly(channel);
    }
}
