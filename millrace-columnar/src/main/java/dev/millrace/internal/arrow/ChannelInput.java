package dev.millrace.internal.arrow;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.storage.ByteFeed;
import dev.millrace.storage.RandomFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;

/// Reads a channel directly into the allocator's memory. The end of a file is known, so that a corrupt length cannot
/// request more memory than the size of the file; the end of a stream is not, so only the allocator's limit applies.
final class ChannelInput implements IpcInput {
    /// Metadata is read in steps, so that a corrupt length cannot request more memory than the data that arrives.
    private static final int METADATA_STEP = 1 << 20;

    private static final long READ_STEP = 1 << 30;

    private final String name;
    private final Allocator allocator;
    private final Reads reads;
    private final long end;
    private long position;

    /// One read of at most the remaining bytes of `target`; -1 at the end.
    private interface Reads {
        int read(ByteBuffer target, long position) throws IOException;
    }

    private ChannelInput(String name, Allocator allocator, Reads reads, long from, long end) {
        this.name = name;
        this.allocator = allocator;
        this.reads = reads;
        this.position = from;
        this.end = end;
    }

    static ChannelInput stream(String name, ReadableByteChannel channel, Allocator allocator) {
        return new ChannelInput(name, allocator, (target, _) -> channel.read(target), 0, Long.MAX_VALUE);
    }

    /// The bytes `from` to `end` of a file; the position of the channel is unchanged.
    static ChannelInput file(String name, FileChannel channel, long from, long end, Allocator allocator) {
        return new ChannelInput(name, allocator, channel::read, from, end);
    }

    /// The bytes `from` to `end` of a file in any storage.
    static ChannelInput file(String name, RandomFile file, long from, long end, Allocator allocator) {
        return new ChannelInput(
                name, allocator, (target, position) -> read(target, file::read, position, allocator), from, end);
    }

    static ChannelInput feed(String name, ByteFeed feed, Allocator allocator) {
        return new ChannelInput(
                name,
                allocator,
                (target, position) -> read(target, (_, memory) -> feed.read(memory), position, allocator),
                0,
                Long.MAX_VALUE);
    }

    private interface NativeRead {
        int read(long position, MemorySegment target) throws IOException;
    }

    /// Reads into native memory, and copies from there to a target on the heap.
    private static int read(ByteBuffer target, NativeRead from, long position, Allocator allocator) throws IOException {
        if (target.isDirect() || !target.hasRemaining()) {
            return from.read(position, MemorySegment.ofBuffer(target));
        }
        Buffer between = allocator.allocate(Math.min(target.remaining(), METADATA_STEP));
        try {
            int count = from.read(position, between.segment());
            if (count > 0) {
                MemorySegment.copy(between.segment(), 0, MemorySegment.ofBuffer(target), 0, count);
            }
            return count;
        } finally {
            between.release();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public ByteBuffer metadata(int length, boolean mayEnd) {
        byte[] bytes = new byte[Math.min(length, METADATA_STEP)];
        int there = 0;
        while (there < length) {
            if (there == bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * there));
            }
            int count = read(ByteBuffer.wrap(bytes, there, bytes.length - there));
            if (count < 0) {
                if (!mayEnd) {
                    throw ArrowErrors.truncated(this, length, there);
                }
                break;
            }
            there += count;
        }
        return ByteBuffer.wrap(bytes, 0, there).slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public Buffer take(long length) {
        if (length > end - position) {
            throw ArrowErrors.truncated(this, length, end - position);
        }
        try (ResourceScope scope = new ResourceScope()) {
            Buffer buffer = scope.add(allocator.allocate(length));
            fill(buffer.segment());
            return scope.keep(buffer);
        }
    }

    private void fill(MemorySegment target) {
        long done = 0;
        while (done < target.byteSize()) {
            long step = Math.min(READ_STEP, target.byteSize() - done);
            int count = read(target.asSlice(done, step).asByteBuffer());
            if (count < 0) {
                throw ArrowErrors.truncated(this, target.byteSize(), done);
            }
            done += count;
        }
    }

    @Override
    public void skip(long length) {
        if (end != Long.MAX_VALUE) {
            if (length > end - position) {
                throw ArrowErrors.truncated(this, length, end - position);
            }
            position += length;
            return;
        }
        ByteBuffer scratch = ByteBuffer.allocate((int) Math.min(length, 64 << 10));
        for (long left = length; left > 0; ) {
            int count = read(scratch.clear().limit((int) Math.min(left, scratch.capacity())));
            if (count < 0) {
                throw ArrowErrors.truncated(this, length, length - left);
            }
            left -= count;
        }
    }

    private int read(ByteBuffer target) {
        if (target.remaining() > end - position) {
            target.limit(target.position() + (int) (end - position));
            if (!target.hasRemaining()) {
                return -1;
            }
        }
        try {
            int count = reads.read(target, position);
            position += Math.max(0, count);
            return count;
        } catch (IOException e) {
            throw new MillraceException(
                    Culprit.RESOURCES, name + " could not be read at byte " + position + ": " + e.getMessage(), e);
        }
    }
}
