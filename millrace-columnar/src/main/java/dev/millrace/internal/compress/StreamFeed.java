package dev.millrace.internal.compress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.error.MillraceException;
import dev.millrace.storage.ByteFeed;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A feed over a decompressor that is an [InputStream].
final class StreamFeed implements ByteFeed {
    /// Opens the decompressing stream, which may read immediately.
    interface Opener {
        InputStream open(InputStream compressed) throws IOException;
    }

    private static final int CHUNK = 64 << 10;

    private final CompressedInput in;
    private final Compressed compressed;
    private final Opener opener;
    private final byte[] chunk = new byte[CHUNK];
    private @Nullable InputStream plain;

    StreamFeed(CompressedInput in, Opener opener) {
        this.in = in;
        this.compressed = new Compressed(in);
        this.opener = opener;
    }

    @Override
    public int read(MemorySegment target) throws IOException {
        if (target.byteSize() == 0) {
            return 0;
        }
        int count;
        try {
            if (plain == null) {
                plain = opener.open(compressed);
            }
            count = plain.read(chunk, 0, (int) Math.min(CHUNK, target.byteSize()));
        } catch (IOException | RuntimeException e) {
            throw judge(e);
        }
        if (count < 0) {
            return -1;
        }
        if (count == 0) {
            throw in.corrupt("it does not go on");
        }
        MemorySegment.copy(chunk, 0, target, JAVA_BYTE, 0, count);
        in.produced(count);
        return count;
    }

    /// Exceptions of the storage are rethrown; all others are caused by the data.
    private MillraceException judge(Exception e) throws IOException {
        if (compressed.failure != null) {
            throw compressed.failure;
        }
        if (e instanceof MillraceException error) {
            return error;
        }
        boolean atEnd = e instanceof EOFException || (compressed.ended && !(e instanceof RuntimeException));
        String why = e.getMessage();
        return atEnd ? in.truncated() : in.corrupt(why == null ? e.getClass().getSimpleName() : why, e);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /// The compressed bytes as an input stream for the decompressor.
    private static final class Compressed extends InputStream {
        private final CompressedInput in;

        @Nullable
        IOException failure;

        boolean ended;

        Compressed(CompressedInput in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            try {
                if (!in.fill(1)) {
                    ended = true;
                    return -1;
                }
            } catch (IOException e) {
                failure = e;
                throw e;
            }
            int count = Math.min(length, in.available());
            MemorySegment.copy(in.memory(), JAVA_BYTE, in.position(), target, offset, count);
            in.consume(count);
            return count;
        }

        @Override
        public int available() {
            return in.available();
        }
    }
}
