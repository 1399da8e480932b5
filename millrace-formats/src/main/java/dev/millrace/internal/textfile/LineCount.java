package dev.millrace.internal.textfile;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.source.FileRange;
import dev.millrace.storage.ByteFeed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Counts the lines of a file before a position.
final class LineCount {
    private static final long MAX_COUNTED = 4L << 30;
    private static final int CHUNK = 128 << 10;

    private LineCount() {}

    /// The number of line ends before a position; -1 if it is too far away or cannot be reached.
    ///
    /// @param place the position in the decompressed file
    static long lineEnds(FileRange range, long place, Allocator allocator) {
        if (place > MAX_COUNTED) {
            return -1;
        }
        try {
            return count(range, place, allocator);
        } catch (IOException | RuntimeException _) {
            return -1;
        }
    }

    private static long count(FileRange range, long place, Allocator allocator) throws IOException {
        Buffer buffer = allocator.allocate(CHUNK);
        try (ByteFeed feed = range.bytes(0)) {
            MemorySegment memory = buffer.segment();
            long count = 0;
            long left = place;
            while (left > 0) {
                int read = feed.read(memory.asSlice(0, Math.min(left, CHUNK)));
                if (read < 0) {
                    break;
                }
                for (int i = 0; i < read; i++) {
                    count += memory.get(JAVA_BYTE, i) == '\n' ? 1 : 0;
                }
                left -= read;
            }
            return count;
        } finally {
            buffer.release();
        }
    }
}
