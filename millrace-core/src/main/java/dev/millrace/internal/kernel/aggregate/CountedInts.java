package dev.millrace.internal.kernel.aggregate;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Integers on the Java heap that count as memory of an account until this is closed: whoever makes them waits for
/// room,
/// or is refused, as with all other memory. One thread.
final class CountedInts implements AutoCloseable {
    private final Buffer counted;
    private int[] values;

    CountedInts(Allocator allocator, int count) {
        this.counted = allocator.adopt(Buffer.EMPTY, (long) count * Integer.BYTES, () -> {
            values = new int[count];
            return MemorySegment.ofArray(values);
        });
    }

    /// Not to be used after the close.
    int[] values() {
        return values;
    }

    @Override
    public void close() {
        if (values != null) {
            values = null;
            counted.release();
        }
    }
}
