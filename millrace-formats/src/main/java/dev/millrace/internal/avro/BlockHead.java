package dev.millrace.internal.avro;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.internal.binary.FeedReader;
import java.io.IOException;

/// The record count and size at the start of a block, read without advancing. One thread.
final class BlockHead {
    long records;
    long bytes;
    private long at;

    /// @param offset of the block from the current position
    /// @return the offset of the block's data, or -1 if the file ends before it or the numbers are invalid
    long read(FeedReader in, long offset) throws IOException {
        at = offset;
        records = number(in);
        bytes = at < 0 ? 0 : number(in);
        return at;
    }

    /// A zigzag varint.
    private long number(FeedReader in) throws IOException {
        long value = 0;
        for (int shift = 0; shift < 70 && in.has(at + 1); shift += 7) {
            byte piece = in.window().get(JAVA_BYTE, in.at() + at++);
            value |= (long) (piece & 0x7F) << shift;
            if (piece >= 0) {
                return value >>> 1 ^ -(value & 1);
            }
        }
        at = -1;
        return 0;
    }
}
