package dev.millrace.internal.parquet.write;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.parquet.format.PageCodec;
import dev.millrace.parquet.WriteParquet;
import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.lz4.Lz4Compressor;
import io.airlift.compress.v3.snappy.SnappyCompressor;
import io.airlift.compress.v3.zstd.ZstdCompressor;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/// Compresses pages with one codec. One thread.
final class PageCompressor implements AutoCloseable {
    private static final byte[] GZIP_HEADER = {0x1F, (byte) 0x8B, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xFF};
    private static final int GZIP_TRAILER = 8;

    private final PageCodec codec;
    private final @Nullable Compressor compressor;
    private final @Nullable Deflater deflater;

    PageCompressor(WriteParquet.Compressed how) {
        codec = switch (how.kind()) {
            case NONE -> PageCodec.UNCOMPRESSED;
            case SNAPPY -> PageCodec.SNAPPY;
            case GZIP -> PageCodec.GZIP;
            case LZ4 -> PageCodec.LZ4_RAW;
            case ZSTD -> PageCodec.ZSTD;
        };
        compressor = switch (how.kind()) {
            case NONE, GZIP -> null;
            case SNAPPY -> SnappyCompressor.create();
            case LZ4 -> Lz4Compressor.create();
            case ZSTD -> ZstdCompressor.create(how.level());
        };
        deflater = codec == PageCodec.GZIP ? new Deflater(how.level(), true) : null;
    }

    PageCodec codec() {
        return codec;
    }

    /// Appends `source`, compressed, to `out`.
    void compress(MemorySegment source, GrowingBuffer out) {
        int length = Math.toIntExact(source.byteSize());
        if (codec == PageCodec.UNCOMPRESSED) {
            out.put(source, 0, length);
        } else if (codec == PageCodec.GZIP) {
            gzip(source, out);
        } else {
            Compressor compressor = Objects.requireNonNull(this.compressor, "other codecs have a compressor");
            int most = compressor.maxCompressedLength(length);
            MemorySegment target = out.reserve(most).asSlice(out.size(), most);
            out.size(out.size() + compressor.compress(source, target));
        }
    }

    private void gzip(MemorySegment source, GrowingBuffer out) {
        Deflater deflater = Objects.requireNonNull(this.deflater, "gzip has a deflater");
        out.put(GZIP_HEADER, GZIP_HEADER.length);
        deflater.reset();
        deflater.setInput(source.asByteBuffer());
        deflater.finish();
        while (!deflater.finished()) {
            long room = Math.max(4096, source.byteSize() / 2);
            MemorySegment target = out.reserve(room).asSlice(out.size(), room);
            out.size(out.size() + deflater.deflate(target.asByteBuffer()));
        }
        CRC32 crc = new CRC32();
        crc.update(source.asByteBuffer());
        MemorySegment trailer = out.reserve(GZIP_TRAILER);
        trailer.set(JAVA_INT_UNALIGNED, out.size(), (int) crc.getValue());
        trailer.set(JAVA_INT_UNALIGNED, out.size() + 4, (int) source.byteSize());
        out.size(out.size() + GZIP_TRAILER);
    }

    @Override
    public void close() {
        if (deflater != null) {
            deflater.end();
        }
    }
}
