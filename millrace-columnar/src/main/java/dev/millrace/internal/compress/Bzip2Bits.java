package dev.millrace.internal.compress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;

/// The bits of compressed input, the highest of each byte first.
final class Bzip2Bits {
    private final CompressedInput in;
    private long bits;
    private int count;
    /// Bits at the end of `bits` that are not in the input, but behind it.
    private int behind;

    Bzip2Bits(CompressedInput in) {
        this.in = in;
    }

    /// Drops the rest of a byte; returns whether there are more.
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

    /// The next bits, zeros behind the end. They stay.
    int peek(int bitCount) throws IOException {
        need(bitCount);
        return (int) (bits >>> count - bitCount & (1L << bitCount) - 1);
    }

    /// Drops bits that were looked at.
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
