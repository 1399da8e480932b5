package dev.millrace.testing;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.source.FileRange;
import dev.millrace.storage.ByteFeed;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.StoredFile;
import java.lang.foreign.MemorySegment;

/// A part of a file that is only there in a test.
///
/// @param path what errors call it
/// @param piece the most bytes that come at once
public record BytesRange(String path, byte[] bytes, long from, long to, int piece) implements FileRange {
    public static BytesRange whole(String path, byte[] bytes) {
        return new BytesRange(path, bytes, 0, bytes.length, Integer.MAX_VALUE);
    }

    @Override
    public boolean isCompressed() {
        return false;
    }

    @Override
    public ByteFeed bytes(long position) {
        return new ByteFeed() {
            private long at = position;

            @Override
            public int read(MemorySegment target) {
                int count = BytesRange.read(bytes, at, target, piece);
                at += Math.max(0, count);
                return count;
            }

            @Override
            public void close() {}
        };
    }

    private static int read(byte[] bytes, long at, MemorySegment target, int piece) {
        int count = (int) Math.min(Math.min(target.byteSize(), piece), bytes.length - at);
        if (count <= 0) {
            return target.byteSize() == 0 ? 0 : -1;
        }
        MemorySegment.copy(bytes, (int) at, target, JAVA_BYTE, 0, count);
        return count;
    }

    @Override
    public Buffer readAll(Allocator allocator, int padding) {
        throw new UnsupportedOperationException();
    }

    @Override
    public RandomFile file() {
        return new RandomFile() {
            @Override
            public StoredFile file() {
                return new StoredFile(path(), bytes.length);
            }

            @Override
            public long size() {
                return bytes.length;
            }

            @Override
            public int read(long position, MemorySegment target) {
                return BytesRange.read(bytes, position, target, piece);
            }

            @Override
            public void close() {}
        };
    }
}
