package dev.millrace.internal.kernel.window;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// A growing list of row numbers in counted memory. One thread; closed by its owner.
final class RowNumberList implements AutoCloseable {
    private static final int LEAST = 16;

    private final Allocator allocator;
    private Buffer buffer;
    private MemorySegment values;
    private int size;

    /// @param capacity how many there will be, about
    RowNumberList(Allocator allocator, int capacity) {
        this.allocator = allocator;
        this.buffer = allocator.allocate((long) Math.max(LEAST, capacity) * Integer.BYTES);
        this.values = buffer.segment();
    }

    int size() {
        return size;
    }

    int get(int index) {
        return values.getAtIndex(JAVA_INT, index);
    }

    void add(int value) {
        if ((long) size * Integer.BYTES == values.byteSize()) {
            grow();
        }
        values.setAtIndex(JAVA_INT, size++, value);
    }

    private void grow() {
        Buffer larger = allocator.allocate(2 * values.byteSize());
        MemorySegment.copy(values, 0, larger.segment(), 0, values.byteSize());
        buffer.release();
        buffer = larger;
        values = larger.segment();
    }

    /// The first `count` numbers are what the filler writes there.
    void fill(int count, Consumer<MemorySegment> filler) {
        filler.accept(values.asSlice(0, (long) count * Integer.BYTES));
        size = count;
    }

    /// `count` numbers from a place on.
    int[] copy(int from, int count) {
        int[] copied = new int[count];
        MemorySegment.copy(values, JAVA_INT, (long) from * Integer.BYTES, copied, 0, count);
        return copied;
    }

    @Override
    public void close() {
        buffer.release();
    }
}
