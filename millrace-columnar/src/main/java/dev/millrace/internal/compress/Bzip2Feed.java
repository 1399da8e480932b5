package dev.millrace.internal.compress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.storage.ByteFeed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Decodes the concatenated streams of a bzip2 file (as parallel compressors write them) and verifies their checksums.
/// Implemented here because the available library reads only the first stream.
final class Bzip2Feed implements ByteFeed {
    private static final int BLOCK_BYTES = 100_000;
    private static final int CHUNK = 32 << 10;
    private static final int[] CHECKSUMS = checksumTable();

    private final CompressedInput in;
    private final Bzip2Bits bits;
    private final Bzip2Block block;
    private final byte[] chunk = new byte[CHUNK];

    private boolean hasStreams;
    private boolean inStream;
    private int mostInBlock;
    private int streamChecksum;
    private int blockChecksum;
    private int expectedChecksum;
    private boolean inBlock;
    /// The number of bytes of the block not yet read, and the position of the next.
    private int left;

    private int at;
    /// The state of run-length decoding: the last byte, its repetitions so far, and its remaining repetitions.
    private int last;

    private int equal;
    private int repeats;

    Bzip2Feed(CompressedInput in) {
        this.in = in;
        this.bits = new Bzip2Bits(in);
        this.block = new Bzip2Block(in, bits);
    }

    @Override
    public int read(MemorySegment target) throws IOException {
        if (target.byteSize() == 0) {
            return 0;
        }
        while (true) {
            if (!inBlock && !beginBlock()) {
                return -1;
            }
            int count = decode((int) Math.min(CHUNK, target.byteSize()));
            MemorySegment.copy(chunk, 0, target, JAVA_BYTE, 0, count);
            in.produced(count);
            if (left == 0 && repeats == 0) {
                endBlock();
            }
            if (count > 0) {
                return count;
            }
        }
    }

    private int decode(int most) {
        int[] links = block.links();
        int checksum = blockChecksum;
        int count = 0;
        while (count < most) {
            if (repeats > 0) {
                repeats--;
            } else if (left == 0) {
                break;
            } else {
                int link = links[at];
                at = link >>> 8;
                left--;
                int value = link & 0xFF;
                if (equal == 4) {
                    equal = 0;
                    repeats = value;
                    continue;
                }
                equal = value == last ? equal + 1 : 1;
                last = value;
            }
            chunk[count++] = (byte) last;
            checksum = checksum << 8 ^ CHECKSUMS[checksum >>> 24 ^ last];
        }
        blockChecksum = checksum;
        return count;
    }

    private boolean beginBlock() throws IOException {
        while (true) {
            if (!inStream && !beginStream()) {
                return false;
            }
            int high = bits.read(24);
            int low = bits.read(24);
            expectedChecksum = bits.read(16) << 16 | bits.read(16);
            if (high == 0x314159 && low == 0x265359) {
                at = block.read(mostInBlock);
                left = block.length();
                blockChecksum = -1;
                last = -1;
                equal = 0;
                repeats = 0;
                inBlock = true;
                return true;
            }
            if (high != 0x177245 || low != 0x385090) {
                throw in.corrupt("what follows is no block");
            }
            if (expectedChecksum != streamChecksum) {
                throw in.corrupt("the checksum of a stream does not match");
            }
            inStream = false;
        }
    }

    private void endBlock() {
        inBlock = false;
        if (~blockChecksum != expectedChecksum) {
            throw in.corrupt("the checksum of a block does not match");
        }
        streamChecksum = Integer.rotateLeft(streamChecksum, 1) ^ ~blockChecksum;
    }

    private boolean beginStream() throws IOException {
        if (!bits.nextByte()) {
            if (!hasStreams) {
                throw in.truncated();
            }
            return false;
        }
        int magic = bits.read(8) << 16 | bits.read(8) << 8 | bits.read(8);
        int level = bits.read(8) - '0';
        if (magic != ('B' << 16 | 'Z' << 8 | 'h') || level < 1 || level > 9) {
            throw in.corrupt(hasStreams ? "what follows is no bzip2 stream" : "it does not begin as bzip2 files do");
        }
        mostInBlock = level * BLOCK_BYTES;
        streamChecksum = 0;
        inStream = true;
        hasStreams = true;
        return true;
    }

    private static int[] checksumTable() {
        int[] table = new int[256];
        for (int i = 0; i < 256; i++) {
            int value = i << 24;
            for (int bit = 0; bit < 8; bit++) {
                value = value << 1 ^ (value < 0 ? 0x04C11DB7 : 0);
            }
            table[i] = value;
        }
        return table;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
