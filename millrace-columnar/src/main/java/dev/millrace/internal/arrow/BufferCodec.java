package dev.millrace.internal.arrow;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.compression.IpcCompression;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.compress.Lz4Frame;
import dev.millrace.internal.compress.PackedBytes;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import io.airlift.compress.v3.zstd.ZstdCompressor;
import io.airlift.compress.v3.zstd.ZstdDecompressor;
import java.lang.foreign.MemorySegment;
import org.apache.arrow.flatbuf.CompressionType;
import org.jspecify.annotations.Nullable;

/// Compresses and decompresses one buffer in the format of Arrow IPC: the uncompressed length as an int64, then the
/// compressed bytes; a length of -1 means that the bytes are not compressed. One thread at a time.
final class BufferCodec {
    /// The length prefix of a buffer that is stored uncompressed.
    static final long STORED = -1;

    static final int PREFIX_BYTES = 8;
    private static final int ZSTD_LEVEL = 1;
    /// The maximum expansion of one compressed byte: the lengths of an LZ4 match, a run-length block of Zstandard.
    private static final long LZ4_MAX_RATIO = 255;

    private static final long ZSTD_MAX_RATIO = 1 << 17;

    private final IpcCompression compression;
    private final Lz4Frame lz4 = new Lz4Frame();
    private @Nullable ZstdCompressor zstdCompressor;
    private @Nullable ZstdDecompressor zstdDecompressor;

    BufferCodec(IpcCompression compression) {
        this.compression = compression;
    }

    static IpcCompression fromArrow(byte codec, String where) {
        return switch (codec) {
            case CompressionType.LZ4_FRAME -> IpcCompression.LZ4;
            case CompressionType.ZSTD -> IpcCompression.ZSTD;
            default -> throw ArrowErrors.at(where, "compression " + codec + " is neither LZ4 nor ZSTD");
        };
    }

    IpcCompression compression() {
        return compression;
    }

    byte arrowCodec() {
        return compression == IpcCompression.LZ4 ? CompressionType.LZ4_FRAME : CompressionType.ZSTD;
    }

    /// The compressed form with its prefix, or null if it would not be smaller (or `plain` exceeds the codecs' limit of
    /// 2 GiB). `length[0]` is set to its length.
    @Nullable
    Buffer compress(MemorySegment plain, Allocator allocator, long[] length) {
        long bytes = plain.byteSize();
        if (!isCompressible(bytes)) {
            return null;
        }
        long most = compression == IpcCompression.LZ4
                ? Lz4Frame.maxEncoded(bytes)
                : zstd().maxCompressedLength((int) bytes);
        try (ResourceScope scope = new ResourceScope()) {
            Buffer buffer = scope.add(allocator.allocate(PREFIX_BYTES + most));
            MemorySegment target = buffer.segment().asSlice(PREFIX_BYTES);
            long written =
                    compression == IpcCompression.LZ4 ? lz4.encode(plain, target) : zstd().compress(plain, target);
            if (written < bytes) {
                buffer.segment().set(JAVA_LONG_UNALIGNED, 0, bytes);
                length[0] = PREFIX_BYTES + written;
                return scope.keep(buffer);
            }
            return null;
        }
    }

    static boolean isCompressible(long bytes) {
        return bytes >= 16 && bytes <= Integer.MAX_VALUE - (16 << 20);
    }

    /// The maximum number of bytes that [#compressPiece] writes for a piece of `bytes`.
    int maxPiece(int bytes) {
        return compression == IpcCompression.LZ4 ? 4 + bytes : zstd().maxCompressedLength(bytes);
    }

    /// Starts compressing a buffer piece by piece: its start, then every [Lz4Frame#BLOCK_BYTES] of it, then its end.
    /// Each call returns the position after what it wrote to `out`.
    long begin(long bytes, MemorySegment out, long to) {
        out.set(JAVA_LONG_UNALIGNED, to, bytes);
        return compression == IpcCompression.LZ4 ? lz4.begin(bytes, out, to + PREFIX_BYTES) : to + PREFIX_BYTES;
    }

    /// With Zstandard each piece is a frame of its own; readers decode concatenated frames.
    long compressPiece(MemorySegment plain, MemorySegment out, long to) {
        return compression == IpcCompression.LZ4
                ? lz4.block(plain, out, to)
                : to + zstd().compress(plain, out.asSlice(to));
    }

    long end(MemorySegment out, long to) {
        return compression == IpcCompression.LZ4 ? lz4.end(out, to) : to;
    }

    /// The size of the piece compressed by LZ4, which also indicates whether Zstandard would gain anything.
    int probe(MemorySegment plain) {
        return lz4.encodedLength(plain);
    }

    /// The `bytes` uncompressed bytes of a compressed buffer (after its prefix) in memory of `allocator`.
    Buffer decompress(MemorySegment source, long bytes, Allocator allocator, String where) {
        return decompress(source.byteSize(), bytes, allocator, where, to -> decompress(source, to, where));
    }

    /// The same for LZ4, with compressed bytes in memory or in a file.
    Buffer decompressLz4(PackedBytes source, long bytes, Allocator allocator, String where) {
        return decompress(source.size(), bytes, allocator, where, to -> lz4.decode(source, to));
    }

    private interface Decoding {
        /// Fills `to`; returns the number of bytes that it wrote, or would write.
        long into(MemorySegment to);
    }

    private Buffer decompress(long packed, long bytes, Allocator allocator, String where, Decoding decoding) {
        long ratio = compression == IpcCompression.LZ4 ? LZ4_MAX_RATIO : ZSTD_MAX_RATIO;
        if (bytes < 0 || bytes > Integer.MAX_VALUE || bytes > ratio * packed) {
            throw ArrowErrors.at(where, packed + " compressed bytes cannot stand for " + bytes);
        }
        try (ResourceScope scope = new ResourceScope()) {
            Buffer buffer = scope.add(allocator.allocate(bytes));
            long written = decoding.into(buffer.segment());
            if (written != bytes) {
                throw ArrowErrors.at(
                        where, "a compressed buffer of " + bytes + " bytes does not decompress (" + compression + ")");
            }
            return scope.keep(buffer);
        }
    }

    private long decompress(MemorySegment source, MemorySegment target, String where) {
        if (compression == IpcCompression.LZ4) {
            return lz4.decode(source, target);
        }
        if (zstdDecompressor == null) {
            zstdDecompressor = ZstdDecompressor.create();
        }
        try {
            return zstdDecompressor.decompress(source, target);
        } catch (RuntimeException e) {
            throw ArrowErrors.at(
                    where, "a compressed buffer of " + target.byteSize() + " bytes does not decompress", e);
        }
    }

    private ZstdCompressor zstd() {
        if (zstdCompressor == null) {
            zstdCompressor = ZstdCompressor.create(ZSTD_LEVEL);
        }
        return zstdCompressor;
    }
}
