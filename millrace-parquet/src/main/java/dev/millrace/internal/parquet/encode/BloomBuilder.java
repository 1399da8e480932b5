package dev.millrace.internal.parquet.encode;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;

/// Builds a split-block bloom filter. It begins large and is finally folded to the size that its values need for a
/// false positive rate of about 1 %. One thread.
public final class BloomBuilder implements AutoCloseable {
    private static final int BLOCK = 32;
    private static final double BITS_PER_VALUE = 10.5;
    /// The share of set bits at a false positive rate of 1 %.
    private static final double FULL = 0.53;

    private static final int[] SALT = {
        0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
    };

    private final GrowingBuffer bits;
    private final long mostBlocks;
    private long blocks;

    /// @param values the maximum number of distinct values
    public BloomBuilder(long values, Allocator allocator) {
        long wanted = (long) (Math.min(values, 1 << 24) * BITS_PER_VALUE / 8 / BLOCK);
        mostBlocks = Long.highestOneBit(Math.max(1, wanted)) << (Long.bitCount(Math.max(1, wanted)) > 1 ? 1 : 0);
        bits = new GrowingBuffer(allocator, PageGrowth.PAGE);
    }

    /// @param hash xxHash64 of the value in plain encoding
    public void add(long hash) {
        if (blocks == 0) {
            blocks = mostBlocks;
            bits.reserve(blocks * BLOCK).asSlice(0, blocks * BLOCK).fill((byte) 0);
            bits.size(blocks * BLOCK);
        }
        MemorySegment memory = bits.memory();
        long at = ((hash >>> 32) * blocks >>> 32) * BLOCK;
        int key = (int) hash;
        for (int i = 0; i < SALT.length; i++) {
            int word = memory.get(JAVA_INT, at + 4L * i);
            memory.set(JAVA_INT, at + 4L * i, word | 1 << (key * SALT[i] >>> 27));
        }
    }

    /// The filter of all values so far; empty if there were none.
    public MemorySegment finish() {
        while (blocks > 1 && foldedShare() <= FULL) {
            fold();
        }
        return bits.memory().asSlice(0, blocks * BLOCK);
    }

    private double foldedShare() {
        MemorySegment memory = bits.memory();
        long set = 0;
        for (long to = 0; to < blocks / 2; to++) {
            for (int i = 0; i < BLOCK; i += 8) {
                long from = 2 * to * BLOCK + i;
                set += Long.bitCount(memory.get(JAVA_LONG, from) | memory.get(JAVA_LONG, from + BLOCK));
            }
        }
        return set / (blocks / 2 * BLOCK * 8.0);
    }

    /// Merges neighbouring blocks: a value's block is selected by the upper bits of its hash.
    private void fold() {
        MemorySegment memory = bits.memory();
        for (long to = 0; to < blocks / 2; to++) {
            for (int i = 0; i < BLOCK; i += 8) {
                long from = 2 * to * BLOCK + i;
                memory.set(
                        JAVA_LONG, to * BLOCK + i, memory.get(JAVA_LONG, from) | memory.get(JAVA_LONG, from + BLOCK));
            }
        }
        blocks /= 2;
    }

    /// Resets the filter.
    public void clear() {
        blocks = 0;
        bits.clear();
    }

    public long heldBytes() {
        return bits.heldBytes();
    }

    @Override
    public void close() {
        bits.close();
        blocks = 0;
    }
}
