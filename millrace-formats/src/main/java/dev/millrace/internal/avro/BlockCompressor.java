package dev.millrace.internal.avro;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.GrowingBuffer;
import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.snappy.SnappyCompressor;
import io.airlift.compress.v3.zstd.ZstdCompressor;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/// Compresses blocks. One thread.
final class BlockCompressor implements AutoCloseable {
    private static final int LEVEL = 6;

    private final AvroCodec codec;
    private final CRC32 crc = new CRC32();
    private @Nullable Compressor compressor;
    private @Nullable Deflater deflater;

    BlockCompressor(AvroCodec codec) {
        this.codec = codec;
    }

    /// The block as it is stored: `target`, or `plain` if the codec does not compress.
    GrowingBuffer compress(GrowingBuffer plain, GrowingBuffer target) {
        target.clear();
        MemorySegment source = plain.contents();
        switch (codec) {
            case NULL -> {
                return plain;
            }
            case DEFLATE -> {
                if (deflater == null) {
                    deflater = new Deflater(LEVEL, true);
                }
                deflater.reset();
                deflater.setInput(source.asByteBuffer());
                deflater.finish();
                while (!deflater.finished()) {
                    target.advance(deflater.deflate(target.room(1 << 14).asByteBuffer()));
                }
            }
            case SNAPPY, ZSTANDARD -> {
                if (compressor == null) {
                    compressor = codec == AvroCodec.SNAPPY ? SnappyCompressor.create() : ZstdCompressor.create();
                }
                MemorySegment room = target.room(compressor.maxCompressedLength((int) source.byteSize()));
                target.advance(compressor.compress(source, room));
                if (codec == AvroCodec.SNAPPY) {
                    crc.reset();
                    crc.update(source.asByteBuffer());
                    target.putInt(Integer.reverseBytes((int) crc.getValue()));
                }
            }
            case BZIP2, XZ -> throw MillraceException.internal("blocks are not written with " + codec);
        }
        return target;
    }

    @Override
    public void close() {
        if (deflater != null) {
            deflater.end();
        }
    }
}
