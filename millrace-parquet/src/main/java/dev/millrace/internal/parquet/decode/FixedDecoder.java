package dev.millrace.internal.parquet.decode;

import java.lang.foreign.MemorySegment;

/// Decodes the values of one page, in order, to the fixed-width layout of a column. Nulls have no value here.
public abstract class FixedDecoder {
    /// Writes the next `count` values to `target`, starting at byte `at`.
    public abstract void read(MemorySegment target, long at, int count);

    public abstract void skip(int count);

    /// Consumes `values` values and writes those at the first `count` of `positions`, which are ascending, contiguously
    /// to `target`, starting at byte `at`. Adjacent positions are read together, values between them are skipped.
    public void pick(int values, int[] positions, int count, MemorySegment target, long at) {
        int width = width();
        int consumed = 0;
        int i = 0;
        while (i < count) {
            int run = i + 1;
            while (run < count && positions[run] == positions[run - 1] + 1) {
                run++;
            }
            skip(positions[i] - consumed);
            read(target, at + (long) i * width, run - i);
            consumed = positions[run - 1] + 1;
            i = run;
        }
        skip(values - consumed);
    }

    /// The number of bytes of a decoded value.
    public abstract int width();
}
