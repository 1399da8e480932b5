package dev.millrace.internal.compress;

import java.io.IOException;
import java.util.Arrays;

/// A Huffman code of a bzip2 block: canonical, with code lengths of 1 to 20 bits.
final class Bzip2Codes {
    static final int MAX_BITS = 20;
    private static final int FAST_BITS = 10;

    /// Lookup by the next bits: symbol and length of a short code; 0 for a longer one.
    private final short[] fast = new short[1 << FAST_BITS];

    private final int[] last = new int[MAX_BITS + 1];
    private final int[] offset = new int[MAX_BITS + 1];
    private final short[] symbols = new short[258];

    /// Sets the code lengths of the symbols. Returns false if they are not a valid code.
    boolean set(byte[] lengths, int count) {
        Arrays.fill(fast, (short) 0);
        int code = 0;
        int position = 0;
        for (int length = 1; length <= MAX_BITS; length++) {
            offset[length] = position - code;
            for (int symbol = 0; symbol < count; symbol++) {
                if (lengths[symbol] == length) {
                    if (code >= 1 << length) {
                        return false;
                    }
                    if (length <= FAST_BITS) {
                        int spread = FAST_BITS - length;
                        Arrays.fill(fast, code << spread, code + 1 << spread, (short) (symbol << 5 | length));
                    }
                    symbols[position++] = (short) symbol;
                    code++;
                }
            }
            last[length] = code - 1;
            code <<= 1;
        }
        return true;
    }

    /// The next symbol, or -1 if the bits are not a code.
    int next(Bzip2Bits bits) throws IOException {
        int ahead = bits.peek(MAX_BITS);
        int entry = fast[ahead >>> MAX_BITS - FAST_BITS];
        if (entry != 0) {
            bits.skip(entry & 31);
            return entry >>> 5;
        }
        for (int length = FAST_BITS + 1; length <= MAX_BITS; length++) {
            int code = ahead >>> MAX_BITS - length;
            if (code <= last[length]) {
                int position = code + offset[length];
                if (position < 0 || position >= symbols.length) {
                    return -1;
                }
                bits.skip(length);
                return symbols[position];
            }
        }
        return -1;
    }
}
