package dev.millrace.internal.compress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;

/// Reads bits of compressed input, the highest of each byte first.
final class Bzip2Bits {
    private final CompressedInput in;
    private long bits;
    private int count;
    /// The number of bits at the end of `bits` that are padding beyond the end of the input.
    private int behind;

    Bzip2Bits(CompressedInput in) {
        this.in = in;
    }

    /// Drops the remaining bits of a byte; returns whether there are more bytes.
    boolean nextByte() throws IOException {
        count -= count & 7;
        return count > behind || in.fill(1);
    }

    int read(int bitCount) throws IOException {
        need(bitCount);
        count -= bitCount;
        if (count < behind) {
            throw in.truncated();
        }
        return (int) (bits >>> count & (1L << bitCount) - 1);
    }

    /// The next bits without consuming them, zeros after the end.
    int peek(int bitCount) throws IOException {
        need(bitCount);
        return (int) (bits >>> count - bitCount & (1L << bitCount) - 1);
    }

    /// Consumes bits.
    void skip(int bitCount) {
        count -= bitCount;
        if (count < behind) {
            throw in.truncated();
        }
    }

    private void need(int bitCount) throws IOException {
        while (count < bitCount) {
            bits <<= 8;
            if (in.available() > 0 || in.fill(1)) {
                bits |= in.memory().get(JAVA_BYTE, in.position()) & 0xFF;
                in.consume(1);
            } else {
                behind += 8;
            }
            count += 8;
        }
    }
}
