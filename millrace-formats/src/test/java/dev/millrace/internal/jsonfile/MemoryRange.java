package dev.millrace.internal.jsonfile;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.source.FileRange;
import dev.millrace.storage.ByteFeed;
import dev.millrace.storage.RandomFile;
import java.lang.foreign.MemorySegment;

/// A range of a file that is an array, handed out a few bytes at a time.
public record MemoryRange(byte[] content, long from, long to, int piece) implements FileRange {
    public static MemoryRange whole(byte[] content) {
        return new MemoryRange(content, 0, Long.MAX_VALUE, 1 << 20);
    }

    @Override
    public String path() {
        return "some/file.json";
    }

    @Override
    public boolean isCompressed() {
        return false;
    }

    @Override
    public ByteFeed bytes(long position) {
        return new ByteFeed() {
            private int at = (int) position;

            @Override
            public int read(MemorySegment target) {
                if (at >= content.length) {
                    return -1;
                }
                int count = (int) Math.min(Math.min(piece, content.length - at), target.byteSize());
                MemorySegment.copy(content, at, target, JAVA_BYTE, 0, count);
                at += count;
                return count;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Buffer readAll(Allocator allocator, int padding) {
        throw new UnsupportedOperationException();
    }

    @Override
    public RandomFile file() {
        throw new UnsupportedOperationException();
    }
}
