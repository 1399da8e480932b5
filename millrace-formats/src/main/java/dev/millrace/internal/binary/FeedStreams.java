package dev.millrace.internal.binary;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.storage.ByteFeed;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;

/// Adapters between feeds and the JDK's streams.
public final class FeedStreams {
    private static final int PIECE = 64 << 10;

    private FeedStreams() {}

    /// A feed of a stream's bytes. Closing the feed leaves the stream open.
    public static ByteFeed of(InputStream stream) {
        byte[] piece = new byte[PIECE];
        return new ByteFeed() {
            @Override
            public int read(MemorySegment target) throws IOException {
                if (target.byteSize() == 0) {
                    return 0;
                }
                int count = stream.read(piece, 0, (int) Math.min(PIECE, target.byteSize()));
                if (count > 0) {
                    MemorySegment.copy(piece, 0, target, JAVA_BYTE, 0, count);
                }
                return count;
            }

            @Override
            public void close() {}
        };
    }

    /// The bytes of a reader as a stream. Closing it leaves the reader open.
    public static InputStream stream(FeedReader reader) {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                if (reader.atEnd()) {
                    return -1;
                }
                int value = reader.window().get(JAVA_BYTE, reader.at()) & 0xFF;
                reader.advance(1);
                return value;
            }

            @Override
            public int read(byte[] target, int from, int count) throws IOException {
                if (count == 0) {
                    return 0;
                }
                if (reader.atEnd()) {
                    return -1;
                }
                int step = (int) Math.min(count, reader.available());
                MemorySegment.copy(reader.window(), JAVA_BYTE, reader.at(), target, from, step);
                reader.advance(step);
                return step;
            }
        };
    }
}
