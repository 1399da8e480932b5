package dev.millrace.internal.parquet.read;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.internal.parquet.decode.WordPadding;
import dev.millrace.internal.parquet.format.ColumnChunk;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.PageCodec;
import dev.millrace.internal.parquet.format.PageHeader;
import dev.millrace.internal.parquet.format.PhysicalType;
import dev.millrace.internal.parquet.format.ThriftReader;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads the pages of one column chunk sequentially: [#next] reads a header, [#load] the page after it; a page that is
/// not loaded is skipped unread. The file is read through a window, so a large chunk does not have to fit into memory.
final class PageReader implements AutoCloseable {
    private static final long WINDOW = 512 << 10;
    private static final int HEADER_GUESS = 128;
    private static final byte[] NONE = {};
    /// Some writers give too few bytes for chunks with a dictionary.
    static final int MISCOUNTED = 256;

    private final FileBytes file;
    private final ColumnChunk chunk;
    private final Allocator allocator;
    private final PageDecompressor decompressor;
    private final long end;
    /// Read-ahead ends here: bytes beyond this position are read only on demand.
    private long limit;

    /// The file position of the next header or, after reading it, of the page.
    private long position;

    private @Nullable Buffer window;
    private MemorySegment bytes = MemorySegment.NULL;
    /// The file position of the window's first byte, and the size of the window.
    private long windowStart;

    private long windowBytes;

    private final PageHeader.Reader headers = new PageHeader.Reader();
    private byte[] headerBytes = new byte[HEADER_GUESS];
    /// The header read last; null before the first one and after a [#seek].
    private @Nullable PageHeader header;

    private @Nullable Buffer plain;
    /// The dictionary page, if it is in an array; otherwise empty.
    private byte[] dictionary = NONE;

    private MemorySegment data = MemorySegment.NULL;
    private long from;
    private long to;

    PageReader(FileBytes file, ColumnChunk chunk, PageDecompressor decompressor, Allocator allocator) {
        this.file = file;
        this.chunk = chunk;
        this.decompressor = decompressor;
        this.allocator = allocator;
        if (chunk.encrypted()) {
            throw new MalformedParquet("it is encrypted, which is not supported");
        }
        this.position = chunk.start();
        long most = position + chunk.compressedBytes();
        if (position < 4 || most > file.size()) {
            throw new MalformedParquet(
                    "its bytes " + position + " to " + most + " are not all in the file of " + file.size());
        }
        this.end = Math.min(file.size(), most + MISCOUNTED);
        this.limit = end;
        MemorySegment whole = file.whole();
        if (whole != null) {
            bytes = whole;
            windowBytes = file.size();
        }
    }

    /// Limits the read-ahead.
    void limit(long bytesEnd) {
        limit = Math.min(end, bytesEnd);
    }

    /// Continues with the header at this file position.
    void seek(long place, long bytesEnd) {
        header = null;
        position = place;
        limit(bytesEnd);
    }

    /// The header of the next page, which must exist.
    PageHeader next() {
        if (header != null) {
            position += header.compressedBytes();
        }
        int want = HEADER_GUESS;
        while (true) {
            int there = (int) Math.min(want, end - position);
            if (there <= 0) {
                throw new MalformedParquet("its pages end before its values do");
            }
            ensure(there);
            if (headerBytes.length < there) {
                headerBytes = new byte[there];
            }
            MemorySegment.copy(bytes, JAVA_BYTE, position - windowStart, headerBytes, 0, there);
            try {
                ThriftReader in = new ThriftReader(headerBytes, 0, there);
                PageHeader read = headers.read(in);
                header = read;
                position += in.position();
                if (read.compressedBytes() > end - position) {
                    throw new MalformedParquet(
                            "a page of " + read.compressedBytes() + " bytes is beyond the column's end");
                }
                return read;
            } catch (MalformedParquet e) {
                // The header may only be truncated by the window: it can contain long statistics.
                if (there == end - position || want > 16 << 20) {
                    throw e;
                }
                want *= 8;
            }
        }
    }

    /// Ensures that `count` bytes from `position` on are in the window, followed by padding.
    private void ensure(long count) {
        if (position >= windowStart && position + count <= windowStart + windowBytes) {
            return;
        }
        long size = Math.min(Math.max(count, Math.min(WINDOW, limit - position)), end - position);
        if (window == null || window.size() < size + WordPadding.BYTES) {
            release(window);
            window = null;
            window = allocator.allocate(size + WordPadding.BYTES);
        }
        bytes = window.segment();
        windowBytes = 0;
        file.read(position, bytes.asSlice(0, size));
        windowStart = position;
        windowBytes = size;
    }

    /// Reads, verifies and decompresses the page of the last header into [#data].
    void load() {
        PageHeader header = Objects.requireNonNull(this.header, "a page is loaded after its header was read");
        int packed = header.compressedBytes();
        ensure(packed);
        long at = position - windowStart;
        decompressor.check(header, bytes, at);
        int levels = header.kind() == PageHeader.DATA_V2 ? levelBytes(header) : 0;
        if (chunk.codec() == PageCodec.UNCOMPRESSED || !header.compressed()) {
            data = bytes;
            from = at;
            to = at + packed;
            return;
        }
        long size = header.uncompressedBytes();
        if (size - levels > PageDecompressor.mostBytes(chunk.codec(), packed - levels)) {
            throw new MalformedParquet("a page of " + packed + " bytes cannot stand for " + size);
        }
        from = 0;
        to = size;
        boolean inArray = isNumbers() && size > levels && size <= SnappyBlocks.MAX_BYTES;
        if (inArray && header.kind() == PageHeader.DICTIONARY && dictionary.length == 0) {
            dictionary = decompressor.numbers(bytes, at, at + packed, (int) size);
            data = MemorySegment.ofArray(dictionary);
            return;
        }
        if (plain == null || plain.size() < size + WordPadding.BYTES) {
            release(plain);
            plain = null;
            plain = allocator.allocate(size + WordPadding.BYTES);
        }
        data = plain.segment();
        if (levels > 0) {
            // The levels of a v2 page are not compressed.
            MemorySegment.copy(bytes, at, data, 0, levels);
        }
        if (inArray) {
            byte[] numbers = decompressor.numbers(bytes, at + levels, at + packed, (int) size - levels);
            MemorySegment.copy(numbers, 0, data, JAVA_BYTE, levels, (int) size - levels);
            decompressor.spare().giveBack(numbers);
        } else {
            decompressor.decompress(
                    chunk.codec(), bytes.asSlice(at + levels, packed - levels), data.asSlice(levels, size - levels));
        }
    }

    private boolean isNumbers() {
        return chunk.codec() == PageCodec.SNAPPY && chunk.type() != PhysicalType.BYTE_ARRAY;
    }

    private static int levelBytes(PageHeader header) {
        long levels = (long) header.definitionBytes() + header.repetitionBytes();
        if (header.definitionBytes() < 0
                || header.repetitionBytes() < 0
                || levels > header.compressedBytes()
                || levels > header.uncompressedBytes()) {
            throw new MalformedParquet(
                    "a page's levels have " + levels + " bytes, the page " + header.compressedBytes());
        }
        return (int) levels;
    }

    /// The memory that contains the loaded page from [#from] to [#to], followed by [WordPadding#BYTES]. A dictionary
    /// page in an array is valid until this is closed, any other until the next one is loaded.
    MemorySegment data() {
        return data;
    }

    long from() {
        return from;
    }

    long to() {
        return to;
    }

    /// The file position of the last header's page; for errors.
    long position() {
        return position;
    }

    private static void release(@Nullable Buffer buffer) {
        if (buffer != null) {
            buffer.release();
        }
    }

    @Override
    public void close() {
        decompressor.spare().giveBack(dictionary);
        dictionary = NONE;
        release(window);
        release(plain);
        window = null;
        plain = null;
    }
}
