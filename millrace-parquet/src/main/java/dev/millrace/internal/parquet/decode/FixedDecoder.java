package dev.millrace.internal.parquet.decode;

import java.lang.foreign.MemorySegment;

/// The values of one page, in order, as they lie in a column: each of one width. Nulls have no value here.
public abstract class FixedDecoder {
    /// Writes the next `count` values from byte `at` of `target` on.
    public abstract void read(MemorySegment target, long at, int count);

    public abstract void skip(int count);

    /// Consumes `values` values and writes those at the first `count` of `positions`, which ascend, side by side from
    /// byte `at` of `target` on. Runs of neighbours are read together, what lies between them is skipped.
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

    /// Bytes of a value as it is written.
    public abstract int width();
}
