package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// A dictionary of byte strings. An index beyond it throws an IndexOutOfBoundsException.
final class BytesDictionaryPage implements AutoCloseable {
    private final int[] starts;
    private final Buffer data;
    private final int longest;

    /// Takes ownership of the values.
    public BytesDictionaryPage(BytesSink values) {
        starts = values.offsets().asSlice(0, 4L * (values.count() + 1L)).toArray(JAVA_INT);
        data = values.takeData();
        values.close();
        int most = 0;
        for (int i = 1; i < starts.length; i++) {
            most = Math.max(most, starts[i] - starts[i - 1]);
        }
        longest = most;
    }

    public int size() {
        return starts.length - 1;
    }

    int start(int index) {
        return starts[index];
    }

    MemorySegment bytes() {
        return data.segment();
    }

    /// Appends the values for the first `count` of `indices`.
    void gather(int[] indices, int count, BytesSink target) {
        long total = 0;
        for (int i = 0; i < count; i++) {
            total += starts[indices[i] + 1] - starts[indices[i]];
        }
        int first = target.count();
        int offset = (int) target.bytes();
        target.add(count, total);
        MemorySegment offsets = target.offsets();
        MemorySegment from = data.segment();
        MemorySegment to = target.data();
        if (longest <= 8) {
            for (int i = 0; i < count; i++) {
                int start = starts[indices[i]];
                to.set(JAVA_LONG_UNALIGNED, offset, from.get(JAVA_LONG_UNALIGNED, start));
                offset += starts[indices[i] + 1] - start;
                offsets.setAtIndex(JAVA_INT, first + i + 1L, offset);
            }
        } else if (longest <= 16) {
            for (int i = 0; i < count; i++) {
                int start = starts[indices[i]];
                to.set(JAVA_LONG_UNALIGNED, offset, from.get(JAVA_LONG_UNALIGNED, start));
                to.set(JAVA_LONG_UNALIGNED, offset + 8, from.get(JAVA_LONG_UNALIGNED, start + 8));
                offset += starts[indices[i] + 1] - start;
                offsets.setAtIndex(JAVA_INT, first + i + 1L, offset);
            }
        } else {
            for (int i = 0; i < count; i++) {
                int start = starts[indices[i]];
                int length = starts[indices[i] + 1] - start;
                WordPadding.copy(from, start, to, offset, length);
                offset += length;
                offsets.setAtIndex(JAVA_INT, first + i + 1L, offset);
            }
        }
    }

    @Override
    public void close() {
        data.release();
    }
}
