package dev.millrace.internal.compress;

import java.io.IOException;
import java.util.Arrays;

/// Decodes one block of a bzip2 stream up to the run-length encoded bytes. Its arrays (4 MB) are reused for the next
/// block.
final class Bzip2Block {
    private static final int GROUP = 50;
    private static final int MAX_GROUPS = 6;
    private static final int MAX_SELECTORS = 18_002;
    private static final int RUN_A = 0;
    private static final int RUN_B = 1;

    private final CompressedInput in;
    private final Bzip2Bits bits;
    private final Bzip2Codes[] codes = new Bzip2Codes[MAX_GROUPS];
    private final byte[] selectors = new byte[MAX_SELECTORS];
    private final byte[] used = new byte[256];
    private final byte[] lengths = new byte[258];
    private int symbols;
    private int selectorCount;

    /// The byte in the low 8 bits; after [#link], the index of the next byte in the upper bits.
    private int[] links = new int[0];

    private int length;

    Bzip2Block(CompressedInput in, Bzip2Bits bits) {
        this.in = in;
        this.bits = bits;
        for (int i = 0; i < MAX_GROUPS; i++) {
            codes[i] = new Bzip2Codes();
        }
    }

    int length() {
        return length;
    }

    int[] links() {
        return links;
    }

    /// Reads a block after its magic number and checksum. Returns the index of its first byte in [#links].
    ///
    /// @param most the maximum number of bytes of the stream's blocks
    int read(int most) throws IOException {
        if (bits.read(1) != 0) {
            throw in.corrupt("a block is randomised, as only versions before 1.0 wrote");
        }
        int origin = bits.read(24);
        readUsed();
        readSelectors();
        if (links.length < most) {
            links = new int[most];
        }
        int[] starts = readBytes(most);
        if (origin >= length) {
            throw in.corrupt("a block of " + length + " bytes begins at its byte " + origin);
        }
        link(starts);
        return links[origin] >>> 8;
    }

    private void readUsed() throws IOException {
        int rows = bits.read(16);
        int count = 0;
        for (int row = 0; row < 16; row++) {
            if ((rows & 0x8000 >>> row) != 0) {
                int row16 = bits.read(16);
                for (int i = 0; i < 16; i++) {
                    if ((row16 & 0x8000 >>> i) != 0) {
                        used[count++] = (byte) (row << 4 | i);
                    }
                }
            }
        }
        if (count == 0) {
            throw in.corrupt("a block has no bytes");
        }
        symbols = count + 2;
    }

    private void readSelectors() throws IOException {
        int groups = bits.read(3);
        int count = bits.read(15);
        if (groups < 2 || groups > MAX_GROUPS || count == 0) {
            throw in.corrupt("a block has " + groups + " codes and " + count + " groups");
        }
        byte[] front = {0, 1, 2, 3, 4, 5};
        for (int i = 0; i < count; i++) {
            int position = 0;
            while (bits.read(1) != 0) {
                if (++position >= groups) {
                    throw in.corrupt("a group names a code that is not there");
                }
            }
            byte selected = front[position];
            System.arraycopy(front, 0, front, 1, position);
            front[0] = selected;
            if (i < MAX_SELECTORS) {
                selectors[i] = selected;
            }
        }
        selectorCount = Math.min(count, MAX_SELECTORS);
        for (int group = 0; group < groups; group++) {
            readCode(codes[group]);
        }
    }

    private void readCode(Bzip2Codes code) throws IOException {
        int bitCount = bits.read(5);
        for (int symbol = 0; symbol < symbols; symbol++) {
            while (bits.read(1) != 0) {
                bitCount += bits.read(1) == 0 ? 1 : -1;
                if (bitCount < 1 || bitCount > Bzip2Codes.MAX_BITS) {
                    throw in.corrupt("a code has " + bitCount + " bits");
                }
            }
            if (bitCount < 1 || bitCount > Bzip2Codes.MAX_BITS) {
                throw in.corrupt("a code has " + bitCount + " bits");
            }
            lengths[symbol] = (byte) bitCount;
        }
        if (!code.set(lengths, symbols)) {
            throw in.corrupt("the lengths of its codes make no code");
        }
    }

    /// Fills the low bytes of [#links]; returns the number of occurrences of each byte.
    private int[] readBytes(int most) throws IOException {
        int[] occurrences = new int[256];
        byte[] front = used.clone();
        int end = symbols - 1;
        int count = 0;
        int run = 0;
        int runBit = 1;
        for (int group = 0; ; group++) {
            if (group == selectorCount) {
                throw in.corrupt("a block has more symbols than groups for them");
            }
            Bzip2Codes code = codes[selectors[group]];
            for (int i = 0; i < GROUP; i++) {
                int symbol = code.next(bits);
                if (symbol == RUN_A || symbol == RUN_B) {
                    if (runBit > most) {
                        throw in.corrupt("a run is longer than its block");
                    }
                    run += runBit << symbol;
                    runBit <<= 1;
                    continue;
                }
                if (run > 0) {
                    count = repeat(front[0] & 0xFF, run, count, most);
                    occurrences[front[0] & 0xFF] += run;
                    run = 0;
                    runBit = 1;
                }
                if (symbol == end) {
                    length = count;
                    return occurrences;
                }
                if (symbol < 0 || count == most) {
                    throw in.corrupt(symbol < 0 ? "its bits are no code" : "a block is longer than " + most + " bytes");
                }
                byte value = front[symbol - 1];
                System.arraycopy(front, 0, front, 1, symbol - 1);
                front[0] = value;
                links[count++] = value & 0xFF;
                occurrences[value & 0xFF]++;
            }
        }
    }

    private int repeat(int value, int run, int count, int most) {
        if (run > most - count) {
            throw in.corrupt("a block is longer than " + most + " bytes");
        }
        Arrays.fill(links, count, count + run, value);
        return count + run;
    }

    /// Reverses the Burrows-Wheeler transform.
    private void link(int[] occurrences) {
        int[] next = new int[256];
        for (int i = 1; i < 256; i++) {
            next[i] = next[i - 1] + occurrences[i - 1];
        }
        for (int i = 0; i < length; i++) {
            links[next[links[i] & 0xFF]++] |= i << 8;
        }
    }
}
