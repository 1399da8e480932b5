package dev.millrace.internal.parquet.read;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.millrace.internal.parquet.format.BloomHeader;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.ThriftReader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A column chunk's bloom filter: blocks of 256 bits; a hash selects one block and eight of its bits. Only the needed
/// blocks of a large filter are read.
final class BloomFilter {
    private static final int BLOCK = 32;
    private static final int HEADER = 64;
    private static final int SMALL = 64 << 10;
    private static final int[] SALT = {
        0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
    };

    private final FileBytes file;
    private final long start;
    private final int blocks;
    /// Null for a large filter.
    private final @Nullable MemorySegment whole;

    private BloomFilter(FileBytes file, long start, int blocks, @Nullable MemorySegment whole) {
        this.file = file;
        this.start = start;
        this.blocks = blocks;
        this.whole = whole;
    }

    /// Null if there is none or its form is not supported: filters are only an optimisation.
    ///
    /// @param length including the header, as given by the column metadata; 0 if it is not given
    static @Nullable BloomFilter open(FileBytes file, long offset, long length) {
        if (offset <= 0 || offset >= file.size()) {
            return null;
        }
        try {
            byte[] head = file.read(offset, (int) Math.min(HEADER, file.size() - offset));
            ThriftReader in = new ThriftReader(head, 0, head.length);
            BloomHeader header = BloomHeader.read(in);
            long start = offset + in.position();
            boolean fits = length <= 0 || length == in.position() + (long) header.bytes();
            if (!header.known() || !fits || header.bytes() > file.size() - start) {
                return null;
            }
            MemorySegment whole = header.bytes() <= SMALL ? bytes(file, start, header.bytes()) : null;
            // Any value sets bits: a filter without set bits was never filled, or has lost them.
            if (whole != null && whole.mismatch(MemorySegment.ofArray(new byte[header.bytes()])) < 0) {
                return null;
            }
            return new BloomFilter(file, start, header.bytes() / BLOCK, whole);
        } catch (MalformedParquet e) {
            return null;
        }
    }

    private static MemorySegment bytes(FileBytes file, long position, long count) {
        return MemorySegment.ofArray(file.read(position, (int) count));
    }

    /// False only if no value has this hash.
    boolean mayContain(long hash) {
        long block = ((hash >>> 32) * blocks) >>> 32;
        MemorySegment words =
                whole != null ? whole.asSlice(block * BLOCK, BLOCK) : bytes(file, start + block * BLOCK, BLOCK);
        for (int i = 0; i < SALT.length; i++) {
            int bit = 1 << ((int) hash * SALT[i] >>> 27);
            if ((words.get(JAVA_INT_UNALIGNED, 4L * i) & bit) == 0) {
                return false;
            }
        }
        return true;
    }
}
