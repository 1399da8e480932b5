package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// Delta-encoded integers of 4 or 8 bytes.
final class DeltaFixed extends FixedDecoder {
    private static final int AT_ONCE = 1024;

    private final DeltaReader values;
    private final int width;
    private final long[] scratch = new long[AT_ONCE];

    DeltaFixed(DeltaReader values, int width) {
        this.values = values;
        this.width = width;
    }

    @Override
    public void read(MemorySegment target, long at, int count) {
        for (int done = 0; done < count; done += AT_ONCE) {
            int n = Math.min(AT_ONCE, count - done);
            values.read(scratch, 0, n);
            long from = at + (long) done * width;
            if (width == 8) {
                MemorySegment.copy(scratch, 0, target, JAVA_LONG_UNALIGNED, from, n);
            } else {
                for (int i = 0; i < n; i++) {
                    target.set(JAVA_INT_UNALIGNED, from + 4L * i, (int) scratch[i]);
                }
            }
        }
    }

    @Override
    public int width() {
        return width;
    }

    @Override
    public void skip(int count) {
        values.skip(count, scratch);
    }
}
