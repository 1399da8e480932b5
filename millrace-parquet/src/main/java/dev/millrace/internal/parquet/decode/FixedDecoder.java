package dev.millrace.internal.parquet.decode;

import java.lang.foreign.MemorySegment;

/// The values of one page, in order, as they lie in a column: each of one width. Nulls have no value here.
public abstract class FixedDecoder {
    /// Writes the next `count` values from byte `at` of `target` on.
    public abstract void read(MemorySegment target, long at, int count);

    public abstract void skip(int count);
}
