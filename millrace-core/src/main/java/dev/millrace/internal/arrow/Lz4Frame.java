package dev.millrace.internal.arrow;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// The LZ4 frame format around [Lz4Block]: what Arrow calls LZ4_FRAME. Written frames have independent blocks of up to
/// 1 MiB, the content size and no checksums; read are all frames without a dictionary, checksums skipped unread, as
/// Arrow's other implementations write none either.
final class Lz4Frame {
    private static final int MAGIC = 0x184D2204;
    private static final int SKIPPABLE_MAGIC = 0x184D2A50;
    private static final int VERSION = 0b01 << 6;
    private static final int INDEPENDENT = 1 << 5;
    private static final int BLOCK_CHECKSUM = 1 << 4;
    private static final int CONTENT_SIZE = 1 << 3;
    private static final int CONTENT_CHECKSUM = 1 << 2;
    private static final int DICTIONARY_ID = 1;
    private static final int BLOCK_1_MIB = 6 << 4;
    private static final long BLOCK_BYTES = 1 << 20;
    private static final int STORED = 1 << 31;
    private static final int HEADER_BYTES = 15;

    private Lz4Frame() {}

    static long maxEncoded(long bytes) {
        long blocks = bytes / BLOCK_BYTES + 1;
        return HEADER_BYTES + bytes + blocks * (4 + Lz4Block.maxEncoded(BLOCK_BYTES) - BLOCK_BYTES) + 4;
    }

    /// Writes `in` as one frame to the start of `out`, which has [#maxEncoded] bytes; returns the frame's length.
    static long encode(MemorySegment in, MemorySegment out) {
        out.set(JAVA_INT_UNALIGNED, 0, MAGIC);
        out.set(JAVA_BYTE, 4, (byte) (VERSION | INDEPENDENT | CONTENT_SIZE));
        out.set(JAVA_BYTE, 5, (byte) BLOCK_1_MIB);
        out.set(JAVA_LONG_UNALIGNED, 6, in.byteSize());
        out.set(JAVA_BYTE, 14, (byte) (XxHash32.hash(out.asSlice(4, 10)) >>> 8));
        int[] table = Lz4Block.newTable();
        long to = HEADER_BYTES;
        for (long from = 0; from < in.byteSize(); from += BLOCK_BYTES) {
            MemorySegment block = in.asSlice(from, Math.min(BLOCK_BYTES, in.byteSize() - from));
            long length = Lz4Block.encode(block, out.asSlice(to + 4), table);
            if (length >= block.byteSize()) {
                length = block.byteSize();
                MemorySegment.copy(block, 0, out, to + 4, length);
                out.set(JAVA_INT_UNALIGNED, to, (int) length | STORED);
            } else {
                out.set(JAVA_INT_UNALIGNED, to, (int) length);
            }
            to += 4 + length;
        }
        out.set(JAVA_INT_UNALIGNED, to, 0);
        return to + 4;
    }

    /// Decodes the frames in `in` to `out`; returns the bytes written, or -1 where the input is malformed, is cut
    /// short or holds more than `out`.
    static long decode(MemorySegment in, MemorySegment out) {
        try {
            long at = 0;
            long to = 0;
            while (in.byteSize() - at >= 4 && to >= 0) {
                int magic = in.get(JAVA_INT_UNALIGNED, at);
                if ((magic & ~0xF) == SKIPPABLE_MAGIC) {
                    at += 8 + (in.get(JAVA_INT_UNALIGNED, at + 4) & 0xFFFFFFFFL);
                } else if (magic != MAGIC) {
                    return -1;
                } else {
                    Frame frame = decodeFrame(in, at + 4, out, to);
                    if (frame == null) {
                        return -1;
                    }
                    at = frame.end();
                    to = frame.written();
                }
            }
            return to;
        } catch (IndexOutOfBoundsException _) {
            return -1; // a header or a length reached past the end
        }
    }

    /// Where a decoded frame ended in the input and in the output.
    private record Frame(long end, long written) {}

    private static Frame decodeFrame(MemorySegment in, long from, MemorySegment out, long start) {
        int flags = in.get(JAVA_BYTE, from);
        if ((flags & 0xC0) != VERSION || (flags & DICTIONARY_ID) != 0) {
            return null;
        }
        boolean checked = (flags & BLOCK_CHECKSUM) != 0;
        // Blocks of a linked frame refer to bytes before them: `out` from this frame's start is their history.
        MemorySegment content = out.asSlice(start);
        long at = from + 3 + ((flags & CONTENT_SIZE) != 0 ? 8 : 0);
        long to = 0;
        while (true) {
            int header = in.get(JAVA_INT_UNALIGNED, at);
            at += 4;
            if (header == 0) {
                return new Frame(at + ((flags & CONTENT_CHECKSUM) != 0 ? 4 : 0), start + to);
            }
            long length = header & ~STORED;
            if (length > in.byteSize() - at) {
                return null;
            }
            if ((header & STORED) != 0) {
                MemorySegment.copy(in, at, content, to, length);
                to += length;
            } else {
                to = Lz4Block.decode(in, at, at + length, content, to, content.byteSize());
                if (to < 0) {
                    return null;
                }
            }
            at += length + (checked ? 4 : 0);
        }
    }
}
