package dev.millrace.internal.kernel.window;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// A growing list of row numbers in counted memory. One thread; closed by its owner.
final class RowNumberList implements AutoCloseable {
    private static final int LEAST = 16;

    private final GrowingBuffer numbers;
    private MemorySegment values;
    private int size;

    /// @param capacity the approximate number of entries
    RowNumberList(Allocator allocator, int capacity) {
        this.numbers = new GrowingBuffer(allocator, 0);
        this.values = numbers.reserve((long) Math.max(LEAST, capacity) * Integer.BYTES);
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
        numbers.size(values.byteSize());
        values = numbers.reserve(Integer.BYTES);
    }

    /// Replaces the list by the first `count` numbers that the filler writes.
    void fill(int count, Consumer<MemorySegment> filler) {
        filler.accept(values.asSlice(0, (long) count * Integer.BYTES));
        size = count;
    }

    /// `count` numbers from an index on.
    int[] copy(int from, int count) {
        int[] copied = new int[count];
        MemorySegment.copy(values, JAVA_INT, (long) from * Integer.BYTES, copied, 0, count);
        return copied;
    }

    @Override
    public void close() {
        numbers.close();
    }
}
