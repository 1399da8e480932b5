package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.internal.parquet.format.MalformedParquet;
import java.lang.foreign.MemorySegment;

/// Decodes booleans, one bit each in the page, to a byte of 0 or 1 each.
final class BooleanDecoder extends FixedDecoder {
    private final MemorySegment data;
    private final long end;
    private long bit;

    BooleanDecoder(MemorySegment data, long from, long end) {
        this.data = data;
        this.bit = from << 3;
        this.end = end << 3;
    }

    @Override
    public void read(MemorySegment target, long at, int count) {
        long first = bit;
        skip(count);
        for (int i = 0; i < count; i++) {
            long b = first + i;
            target.set(JAVA_BYTE, at + i, (byte) (data.get(JAVA_BYTE, b >>> 3) >>> (b & 7) & 1));
        }
    }

    @Override
    public int width() {
        return 1;
    }

    @Override
    public void skip(int count) {
        if (count > end - bit) {
            throw new MalformedParquet("a page of booleans ends too early");
        }
        bit += count;
    }

    /// Decodes run-length encoded booleans.
    static final class Runs extends FixedDecoder {
        private final HybridReader values;
        private final byte[] scratch = new byte[1024];

        Runs(HybridReader values) {
            this.values = values;
        }

        @Override
        public void read(MemorySegment target, long at, int count) {
            for (int done = 0; done < count; done += scratch.length) {
                int n = Math.min(scratch.length, count - done);
                values.read(scratch, 0, n);
                MemorySegment.copy(scratch, 0, target, JAVA_BYTE, at + done, n);
            }
        }

        @Override
        public int width() {
            return 1;
        }

        @Override
        public void skip(int count) {
            values.skip(count);
        }
    }
}
