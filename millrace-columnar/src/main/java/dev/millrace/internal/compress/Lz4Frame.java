package dev.millrace.internal.compress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The LZ4 frame format around [Lz4Block], which Arrow calls LZ4_FRAME. Written frames have independent blocks of up to
/// 256 KiB, the content size and no checksums. All frames without a dictionary can be read; checksums are skipped, as
/// Arrow's other implementations write none either. Reuses its working arrays for the next buffer; one thread.
public final class Lz4Frame {
    static final int MAGIC = 0x184D2204;
    static final int SKIPPABLE_MAGIC = 0x184D2A50;
    static final int VERSION = 0b01 << 6;
    static final int INDEPENDENT = 1 << 5;
    static final int BLOCK_CHECKSUM = 1 << 4;
    static final int CONTENT_SIZE = 1 << 3;
    static final int CONTENT_CHECKSUM = 1 << 2;
    static final int DICTIONARY_ID = 1;
    private static final int BLOCK_256_KIB = 5 << 4;
    /// The uncompressed size of a written block.
    public static final int BLOCK_BYTES = 256 << 10;

    static final int HISTORY_BYTES = 64 << 10;
    static final int STORED = 1 << 31;
    private static final int HEADER_BYTES = 15;
    static final ValueLayout.OfLong LONG = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private byte[] packed = new byte[0];
    private byte[] plain = new byte[0];
    private int @Nullable [] table;

    public static long maxEncoded(long bytes) {
        long blocks = bytes / BLOCK_BYTES + 1;
        return HEADER_BYTES + bytes + blocks * 4 + 4;
    }

    /// Writes `in` as one frame to the start of `out`, which has [#maxEncoded] bytes; returns the frame's length.
    public long encode(MemorySegment in, MemorySegment out) {
        long to = begin(in.byteSize(), out, 0);
        for (long from = 0; from < in.byteSize(); from += BLOCK_BYTES) {
            to = block(in.asSlice(from, Math.min(BLOCK_BYTES, in.byteSize() - from)), out, to);
        }
        return end(out, to);
    }

    /// Writes the header of a frame of `bytes` at `to`; returns the position of its first block.
    public long begin(long bytes, MemorySegment out, long to) {
        out.set(JAVA_INT_UNALIGNED, to, MAGIC);
        out.set(JAVA_BYTE, to + 4, (byte) (VERSION | INDEPENDENT | CONTENT_SIZE));
        out.set(JAVA_BYTE, to + 5, (byte) BLOCK_256_KIB);
        out.set(JAVA_LONG_UNALIGNED, to + 6, bytes);
        out.set(JAVA_BYTE, to + 14, (byte) (new XxHash32()
                        .update(out.asSlice(to + 4, 10).toArray(JAVA_BYTE), 0, 10)
                        .value()
                >>> 8));
        return to + HEADER_BYTES;
    }

    /// Writes the next [#BLOCK_BYTES], or the last of them, at `to`; returns the position of the next block.
    public long block(MemorySegment in, MemorySegment out, long to) {
        int bytes = (int) in.byteSize();
        int length = encodeBlock(in);
        boolean stored = length >= bytes;
        out.set(JAVA_INT_UNALIGNED, to, stored ? bytes | STORED : length);
        MemorySegment.copy(stored ? plain : packed, 0, out, JAVA_BYTE, to + 4, Math.min(bytes, length));
        return to + 4 + Math.min(bytes, length);
    }

    /// Ends a frame; returns its end.
    public long end(MemorySegment out, long to) {
        out.set(JAVA_INT_UNALIGNED, to, 0);
        return to + 4;
    }

    /// The compressed size of a block of at most [#BLOCK_BYTES].
    public int encodedLength(MemorySegment in) {
        return encodeBlock(in);
    }

    private int encodeBlock(MemorySegment in) {
        if (table == null) {
            table = Lz4Block.newTable();
        }
        int bytes = (int) in.byteSize();
        plain = grown(plain, bytes);
        packed = grown(packed, Lz4Block.maxEncoded(bytes));
        MemorySegment.copy(in, JAVA_BYTE, 0, plain, 0, bytes);
        return Lz4Block.encode(plain, bytes, packed, table);
    }

    /// Decodes the frames in `in` to `out`; returns the number of bytes written, or -1 if the input is malformed,
    /// truncated or contains more than `out` can hold.
    public long decode(MemorySegment in, MemorySegment out) {
        return decode(PackedBytes.of(in), out);
    }

    /// The same for input in memory or in a file.
    public long decode(PackedBytes in, MemorySegment out) {
        try {
            long at = 0;
            long to = 0;
            while (in.size() - at >= 4) {
                int magic = in.intAt(at);
                if ((magic & ~0xF) == SKIPPABLE_MAGIC) {
                    at += 8 + (in.intAt(at + 4) & 0xFFFFFFFFL);
                } else {
                    Frame frame = magic == MAGIC ? decodeFrame(in, at + 4, out, to) : null;
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

    /// The end of a decoded frame in the input and in the output.
    private record Frame(long end, long written) {}

    private @Nullable Frame decodeFrame(PackedBytes in, long from, MemorySegment out, long start) {
        int flags = in.byteAt(from);
        int sizeCode = in.byteAt(from + 1) >>> 4 & 7;
        if ((flags & 0xC0) != VERSION || (flags & DICTIONARY_ID) != 0 || sizeCode < 4) {
            return null;
        }
        int blockBytes = (int) Math.min(1L << 8 + 2 * sizeCode, out.byteSize() - start); // 64 KiB for code 4, to 4 MiB
        boolean checked = (flags & BLOCK_CHECKSUM) != 0;
        long at = from + 3 + ((flags & CONTENT_SIZE) != 0 ? 8 : 0);
        long to = start;
        // Blocks may refer to the 64 KiB before them, which are kept in front of the next block.
        int history = 0;
        plain = grown(plain, HISTORY_BYTES + blockBytes + Lz4Block.SLACK);
        while (true) {
            int header = in.intAt(at);
            at += 4;
            if (header == 0) {
                return new Frame(at + ((flags & CONTENT_CHECKSUM) != 0 ? 4 : 0), to);
            }
            int length = header & ~STORED;
            if (length > in.size() - at || length > blockBytes + blockBytes / 255 + 16) {
                return null;
            }
            int end;
            if ((header & STORED) != 0) {
                if (length > blockBytes) {
                    return null;
                }
                in.copy(at, plain, history, length);
                end = history + length;
            } else {
                packed = grown(packed, length);
                in.copy(at, packed, 0, length);
                end = Lz4Block.decode(packed, length, plain, history, history + blockBytes);
                if (end < 0) {
                    return null;
                }
            }
            MemorySegment.copy(plain, history, out, JAVA_BYTE, to, end - history);
            to += end - history;
            at += length + (checked ? 4 : 0);
            history = Math.min(end, HISTORY_BYTES);
            System.arraycopy(plain, end - history, plain, 0, history);
        }
    }

    static byte[] grown(byte[] array, int bytes) {
        return array.length >= bytes ? array : Arrays.copyOf(array, Math.max(bytes, 1 << 10));
    }
}
