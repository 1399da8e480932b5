package dev.millrace.internal.compress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.memory.Buffer;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.storage.ByteFeed;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Decodes the frames of a Zstandard file. The window that a frame's header requires, up to [#MAX_WINDOW], which is the
/// default limit of the `zstd` command, is allocated from the allocator.
final class ZstdFeed implements ByteFeed {
    static final long MAX_WINDOW = 128L << 20;
    private static final int MAGIC = 0xFD2FB528;
    private static final int SKIPPABLE_MAGIC = 0x184D2A50;
    /// Magic number, descriptor, window, dictionary, content size.
    private static final int MAX_HEADER = 18;

    private final CompressedInput in;
    private final ZstdLibrary library;
    /// Two longs: the positions in output and input.
    private final Buffer counts;

    private @Nullable Buffer workspace;
    /// In `workspace`; none before the first frame.
    private MemorySegment stream = MemorySegment.NULL;

    private boolean inFrame;
    private boolean hasFrames;
    private boolean closed;

    private ZstdFeed(CompressedInput in, ZstdLibrary library) {
        this.in = in;
        this.library = library;
        this.counts = in.allocator().allocate(2 * Long.BYTES);
    }

    static ByteFeed open(CompressedInput in) {
        ZstdLibrary library = ZstdLibrary.INSTANCE;
        return library == null ? new StreamFeed(in, ZstdInputStream::new) : new ZstdFeed(in, library);
    }

    @Override
    public int read(MemorySegment target) throws IOException {
        if (target.byteSize() == 0) {
            return 0;
        }
        MemorySegment out = target.asSlice(0, Math.min(target.byteSize(), 1 << 30));
        MemorySegment outDone = counts.segment().asSlice(0, Long.BYTES);
        MemorySegment inDone = counts.segment().asSlice(Long.BYTES, Long.BYTES);
        while (true) {
            if (!inFrame && !beginFrame()) {
                return -1;
            }
            // Without input there may still be output that did not fit the last target.
            in.fill(1);
            MemorySegment input = in.memory().asSlice(in.position(), in.available());
            outDone.set(JAVA_LONG, 0, 0);
            inDone.set(JAVA_LONG, 0, 0);
            long result = library.decompress(stream, out, outDone, input, inDone);
            String error = library.error(result);
            if (error != null) {
                throw in.corrupt(error);
            }
            long consumed = inDone.get(JAVA_LONG, 0);
            int count = (int) outDone.get(JAVA_LONG, 0);
            in.consume(consumed);
            in.produced(count);
            inFrame = result != 0;
            if (count > 0) {
                return count;
            }
            if (consumed == 0 && inFrame) {
                throw in.truncated();
            }
        }
    }

    /// Ensures a stream whose window fits the next frame.
    private boolean beginFrame() throws IOException {
        if (!in.fill(MAX_HEADER) && in.available() == 0) {
            if (!hasFrames) {
                throw in.truncated();
            }
            return false;
        }
        long window = window();
        if (window > MAX_WINDOW) {
            throw in.corrupt("a frame asks for a window of " + (window >> 20) + " MiB, and " + (MAX_WINDOW >> 20)
                    + " MiB is the most that is read");
        }
        long bytes = library.streamBytes(window);
        if (workspace == null || workspace.size() < bytes) {
            if (workspace != null) {
                workspace.release();
                workspace = null;
            }
            workspace = allocate(bytes, window);
            stream = library.stream(workspace.segment());
        }
        inFrame = true;
        hasFrames = true;
        return true;
    }

    private Buffer allocate(long bytes, long window) {
        try {
            return in.allocator().allocate(bytes);
        } catch (MemoryRefused e) {
            throw e.isTooLarge() ? in.needs("a frame asks for a window of " + (window >> 20) + " MiB", e) : e;
        }
    }

    /// The window size of the frame whose header is next; 0 if there is none, which decompression then reports.
    private long window() throws IOException {
        byte[] header = new byte[MAX_HEADER];
        int length = Math.min(MAX_HEADER, in.available());
        MemorySegment.copy(in.memory(), JAVA_BYTE, in.position(), header, 0, length);
        int magic = length < 4 ? 0 : (int) littleEndian(header, 0, 4);
        if (magic != MAGIC) {
            if (length >= 4 && (magic & ~0xF) != SKIPPABLE_MAGIC) {
                throw in.corrupt(hasFrames ? "what follows is no frame" : "it does not begin as Zstandard frames do");
            }
            return 0;
        }
        int descriptor = header[4] & 0xFF;
        boolean single = (descriptor & 1 << 5) != 0;
        if (!single) {
            int exponent = (header[5] & 0xFF) >>> 3;
            long base = 1L << 10 + exponent;
            return base + base / 8 * (header[5] & 7);
        }
        int dictionary = new int[] {0, 1, 2, 4}[descriptor & 3];
        int size = new int[] {1, 2, 4, 8}[descriptor >>> 6];
        long content = littleEndian(header, 5 + dictionary, size) + (size == 2 ? 256 : 0);
        return content < 0 ? Long.MAX_VALUE : content;
    }

    private static long littleEndian(byte[] bytes, int from, int count) {
        long value = 0;
        for (int i = 0; i < count; i++) {
            value |= (bytes[from + i] & 0xFFL) << 8 * i;
        }
        return value;
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            if (workspace != null) {
                workspace.release();
            }
            counts.release();
            in.close();
        }
    }
}
