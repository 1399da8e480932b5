package dev.millrace.internal.parquet.read;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.millrace.internal.parquet.decode.WordPadding;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.PageCodec;
import dev.millrace.internal.parquet.format.PageHeader;
import io.airlift.compress.v3.lz4.Lz4Decompressor;
import io.airlift.compress.v3.snappy.SnappyDecompressor;
import io.airlift.compress.v3.zstd.ZstdDecompressor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/// Verifies and decompresses pages. One thread.
final class PageDecompressor implements AutoCloseable {
    private static final ValueLayout.OfInt BIG_ENDIAN = JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int GZIP_HEADER = 10;
    private static final int GZIP_TRAILER = 8;

    private final CRC32 crc = new CRC32();
    private final boolean checksums;
    private final SpareArrays spare;

    private @Nullable SnappyDecompressor snappy;
    private @Nullable ZstdDecompressor zstd;
    private @Nullable Lz4Decompressor lz4;
    private @Nullable Inflater inflater;

    /// @param checksums whether page checksums are verified
    /// @param spare for pages
    PageDecompressor(boolean checksums, SpareArrays spare) {
        this.checksums = checksums;
        this.spare = spare;
    }

    SpareArrays spare() {
        return spare;
    }

    /// Verifies the checksum, if there is one, of the page stored at `from`.
    void check(PageHeader header, MemorySegment data, long from) {
        if (checksums && header.crc() != null) {
            crc.reset();
            crc.update(data.asSlice(from, header.compressedBytes()).asByteBuffer());
            if ((int) crc.getValue() != header.crc()) {
                throw new MalformedParquet("the checksum of a page is wrong");
            }
        }
    }

    /// The maximum decompressed size; for a page that claims more, no memory is allocated.
    static long mostBytes(PageCodec codec, long compressed) {
        return switch (codec) {
            case UNCOMPRESSED -> compressed;
            case SNAPPY -> 64 * compressed + 64;
            case GZIP -> 1100 * compressed + 64;
            case LZ4, LZ4_RAW -> 256 * compressed + 64;
            case ZSTD -> (1 << 18) * compressed + 64;
            case LZO, BROTLI -> throw unsupported(codec);
        };
    }

    private static MalformedParquet unsupported(PageCodec codec) {
        return new MalformedParquet("its compression " + codec + " is not supported; write it with ZSTD or SNAPPY");
    }

    /// Fills `target` exactly.
    void decompress(PageCodec codec, MemorySegment source, MemorySegment target) {
        if (target.byteSize() == 0) {
            return;
        }
        long written;
        try {
            written = switch (codec) {
                case UNCOMPRESSED -> target.copyFrom(source).byteSize();
                case SNAPPY -> snappy().decompress(source, target);
                case ZSTD -> zstd().decompress(source, target);
                case LZ4_RAW -> lz4().decompress(source, target);
                case LZ4 -> hadoopLz4(source, target);
                case GZIP -> gzip(source, target);
                case LZO, BROTLI -> throw unsupported(codec);
            };
        } catch (MalformedParquet e) {
            throw e;
        } catch (RuntimeException | DataFormatException e) {
            throw new MalformedParquet(
                    "a page of " + source.byteSize() + " bytes does not decompress (" + codec + "): " + e.getMessage(),
                    e);
        }
        if (written != target.byteSize()) {
            throw new MalformedParquet("a page decompresses to " + written + " bytes, not " + target.byteSize());
        }
    }

    /// Decompresses bytes `from` to `end` of `source`, a Snappy block of numbers, into an array from [#spare].
    byte[] numbers(MemorySegment source, long from, long end, int length) {
        byte[] target = spare.bytes(length + WordPadding.BYTES);
        SnappyBlocks.decompress(source, from, end, target, length);
        return target;
    }

    private SnappyDecompressor snappy() {
        if (snappy == null) {
            snappy = SnappyDecompressor.create();
        }
        return snappy;
    }

    private ZstdDecompressor zstd() {
        if (zstd == null) {
            zstd = ZstdDecompressor.create();
        }
        return zstd;
    }

    private Lz4Decompressor lz4() {
        if (lz4 == null) {
            lz4 = Lz4Decompressor.create();
        }
        return lz4;
    }

    /// Hadoop's framing: blocks, each preceded by its two lengths; some writers store one plain block instead.
    private long hadoopLz4(MemorySegment source, MemorySegment target) {
        long at = 0;
        long written = 0;
        while (source.byteSize() - at >= 8) {
            long plain = source.get(BIG_ENDIAN, at) & 0xFFFF_FFFFL;
            long packed = source.get(BIG_ENDIAN, at + 4) & 0xFFFF_FFFFL;
            if (packed > source.byteSize() - at - 8 || plain > target.byteSize() - written) {
                return lz4().decompress(source, target);
            }
            try {
                long done = lz4().decompress(source.asSlice(at + 8, packed), target.asSlice(written, plain));
                if (done != plain) {
                    return lz4().decompress(source, target);
                }
            } catch (RuntimeException e) {
                return lz4().decompress(source, target);
            }
            at += 8 + packed;
            written += plain;
        }
        return at == source.byteSize() ? written : lz4().decompress(source, target);
    }

    /// One or more gzip members.
    private long gzip(MemorySegment source, MemorySegment target) throws DataFormatException {
        if (inflater == null) {
            inflater = new Inflater(true);
        }
        long at = 0;
        long written = 0;
        while (at < source.byteSize() && written < target.byteSize()) {
            at += gzipHeader(source.asSlice(at));
            inflater.reset();
            inflater.setInput(source.asSlice(at).asByteBuffer());
            while (!inflater.finished()) {
                int n = inflater.inflate(target.asSlice(written).asByteBuffer());
                written += n;
                if (n == 0 && !inflater.finished()) {
                    throw new DataFormatException("it ends too early or is longer than its page");
                }
            }
            at += inflater.getBytesRead() + GZIP_TRAILER;
        }
        return written;
    }

    private static long gzipHeader(MemorySegment source) throws DataFormatException {
        if (source.byteSize() < GZIP_HEADER + GZIP_TRAILER
                || source.get(JAVA_BYTE, 0) != 0x1F
                || source.get(JAVA_BYTE, 1) != (byte) 0x8B) {
            throw new DataFormatException("it does not begin as gzip does");
        }
        int flags = source.get(JAVA_BYTE, 3);
        long at = GZIP_HEADER;
        if ((flags & 4) != 0) {
            at += 2 + (source.get(JAVA_BYTE, at) & 0xFF) + ((source.get(JAVA_BYTE, at + 1) & 0xFF) << 8);
        }
        for (int text = 8; text <= 16; text <<= 1) {
            if ((flags & text) != 0) {
                while (source.get(JAVA_BYTE, at++) != 0) {
                    // A name or a comment is zero-terminated.
                }
            }
        }
        return at + ((flags & 2) != 0 ? 2 : 0);
    }

    @Override
    public void close() {
        if (inflater != null) {
            inflater.end();
        }
    }
}
