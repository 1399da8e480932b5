package dev.millrace.internal.avro;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.binary.FeedReader;
import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.buffer.Growth;
import dev.millrace.internal.compress.FileCompression;
import dev.millrace.memory.Allocator;
import dev.millrace.storage.ByteFeed;
import io.airlift.compress.v3.snappy.SnappyDecompressor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/// Decompresses blocks into a buffer that grows with the output. One thread.
final class BlockDecompressor implements AutoCloseable {
    private static final java.lang.foreign.ValueLayout.OfInt BIG_ENDIAN =
            JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final long FIRST_BYTES = 256 << 10;
    private static final long MAX_BYTES = 1 << 30;
    private static final int CRC_BYTES = 4;
    /// The maximum compression ratio.
    private static final long SNAPPY_RATIO = 64;

    private final AvroCodec codec;
    private final Allocator allocator;
    private final FeedReader file;
    private final GrowingBuffer plain;
    private @Nullable Inflater inflater;
    private @Nullable SnappyDecompressor snappy;

    BlockDecompressor(AvroCodec codec, FeedReader file, Allocator allocator) {
        this.codec = codec;
        this.file = file;
        this.allocator = allocator;
        this.plain = new GrowingBuffer(
                allocator,
                Growth.from(FIRST_BYTES)
                        .upTo(MAX_BYTES, _ -> MillraceException.data("it has more than " + MAX_BYTES + " bytes")));
    }

    /// The output of the last block, in the first [#size] bytes.
    MemorySegment memory() {
        return plain.memory();
    }

    long size() {
        return plain.size();
    }

    /// @param position of the block in the file, for errors
    void decompress(MemorySegment source, long from, long count, long position) throws IOException {
        plain.clear();
        try {
            switch (codec) {
                case NULL -> plain.put(source, from, count);
                case DEFLATE -> inflate(source.asSlice(from, count));
                case SNAPPY -> snappy(source, from, count, position);
                case ZSTANDARD -> unpack(FileCompression.ZSTD, source.asSlice(from, count));
                case BZIP2 -> unpack(FileCompression.BZIP2, source.asSlice(from, count));
                case XZ -> unpack(FileCompression.XZ, source.asSlice(from, count));
            }
        } catch (DataFormatException e) {
            throw malformed(position, String.valueOf(e.getMessage()));
        } catch (MillraceException e) {
            throw e.culprit() == Culprit.DATA ? malformed(position, String.valueOf(e.getMessage())) : e;
        }
    }

    private MillraceException malformed(long position, String what) {
        return file.malformed(
                position, "the block that begins here does not decompress (" + codec.label() + "): " + what);
    }

    private void inflate(MemorySegment source) throws DataFormatException {
        if (inflater == null) {
            inflater = new Inflater(true);
        }
        inflater.reset();
        inflater.setInput(source.asByteBuffer());
        while (!inflater.finished()) {
            int count = inflater.inflate(plain.room(1).asByteBuffer());
            plain.advance(count);
            if (count == 0 && !inflater.finished() && (inflater.needsInput() || inflater.needsDictionary())) {
                throw new DataFormatException("it ends too early");
            }
        }
    }

    /// The data is preceded by its length and followed by a checksum of the uncompressed bytes.
    private void snappy(MemorySegment source, long from, long count, long position) {
        long packed = count - CRC_BYTES;
        long claimed = 0;
        int shift = 0;
        long at = from;
        boolean complete = false;
        while (!complete && shift < 35 && at < from + packed) {
            byte piece = source.get(JAVA_BYTE, at++);
            claimed |= (long) (piece & 0x7F) << shift;
            shift += 7;
            complete = piece >= 0;
        }
        if (!complete || claimed > packed * SNAPPY_RATIO) {
            throw MillraceException.data("it says to have " + claimed + " bytes");
        }
        if (snappy == null) {
            snappy = SnappyDecompressor.create();
        }
        MemorySegment target = plain.reserveTotal(claimed).asSlice(0, claimed);
        try {
            plain.advance(snappy.decompress(source.asSlice(from, packed), target));
        } catch (RuntimeException e) {
            throw malformed(position, String.valueOf(e.getMessage()));
        }
        CRC32 crc = new CRC32();
        crc.update(plain.contents().asByteBuffer());
        if ((int) crc.getValue() != source.get(BIG_ENDIAN, from + packed)) {
            throw MillraceException.data("its checksum is wrong");
        }
    }

    private void unpack(FileCompression kind, MemorySegment source) throws IOException {
        try (ByteFeed unpacked = FileCompression.open(kind, file.path(), feed(source), allocator)) {
            int count;
            while ((count = unpacked.read(plain.room(1))) >= 0) {
                plain.advance(count);
            }
        }
    }

    private static ByteFeed feed(MemorySegment source) {
        return new ByteFeed() {
            private long at;

            @Override
            public int read(MemorySegment target) {
                if (at == source.byteSize()) {
                    return target.byteSize() == 0 ? 0 : -1;
                }
                int count = (int) Math.min(Math.min(target.byteSize(), source.byteSize() - at), Integer.MAX_VALUE);
                MemorySegment.copy(source, at, target, 0, count);
                at += count;
                return count;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {
        plain.close();
        if (inflater != null) {
            inflater.end();
        }
    }
}
