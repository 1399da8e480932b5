package dev.millrace.internal.parquet.read;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.internal.parquet.decode.FixedDecoder;
import dev.millrace.internal.parquet.decode.PageDecoders;
import dev.millrace.internal.parquet.decode.WordPadding;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Values of one width in the making, in a buffer that grows.
final class FixedSink implements AutoCloseable {
    private final Allocator allocator;
    private final int width;
    private Buffer data;
    private int count;

    FixedSink(Allocator allocator, int width) {
        this.allocator = allocator;
        this.width = width;
    }

    void begin(int expected) {
        close();
        count = 0;
        data = allocator.allocate((long) expected * width + WordPadding.BYTES);
    }

    int width() {
        return width;
    }

    void add(FixedDecoder source, int values) {
        grow(values);
        source.read(data.segment(), (long) count * width, values);
        count += values;
    }

    /// Adds the first `values` of `ints`, to a sink of their width.
    void add(int[] ints, int values) {
        grow(values);
        MemorySegment.copy(ints, 0, data.segment(), JAVA_INT, (long) count * width, values);
        count += values;
    }

    /// Adds those of the decoder's next `values` values that stand at the first `chosen` of `positions`.
    void pick(FixedDecoder source, int values, int[] positions, int chosen) {
        grow(chosen);
        source.pick(values, positions, chosen, data.segment(), (long) count * width);
        count += chosen;
    }

    /// Adds the values that the first `values` of `indices` stand for, to an empty sink.
    void addFromDictionary(PageDecoders decoders, int[] indices, int values) {
        grow(values);
        if (values > 0) {
            decoders.fromDictionary(indices, values, data.segment());
        }
        count = values;
    }

    private void grow(int values) {
        long needed = ((long) count + values) * width + WordPadding.BYTES;
        if (needed > data.size()) {
            Buffer larger = allocator.allocate(Math.max(needed, 2 * data.size()));
            MemorySegment.copy(data.segment(), 0, larger.segment(), 0, (long) count * width);
            data.release();
            data = larger;
        }
    }

    /// Moves the values apart so that they stand at the slots that are there, from the last to the first.
    void spread(byte[] there, int slots) {
        grow(slots - count);
        MemorySegment all = data.segment();
        int from = count;
        switch (width) {
            case 1 -> {
                for (int i = slots - 1; i >= 0 && from <= i; i--) {
                    if (there[i] != 0) {
                        all.set(JAVA_BYTE, i, all.get(JAVA_BYTE, --from));
                    }
                }
            }
            case 4 -> {
                for (int i = slots - 1; i >= 0 && from <= i; i--) {
                    if (there[i] != 0) {
                        all.setAtIndex(JAVA_INT, i, all.getAtIndex(JAVA_INT, --from));
                    }
                }
            }
            case 8 -> {
                for (int i = slots - 1; i >= 0 && from <= i; i--) {
                    if (there[i] != 0) {
                        all.setAtIndex(JAVA_LONG, i, all.getAtIndex(JAVA_LONG, --from));
                    }
                }
            }
            default -> {
                for (int i = slots - 1; i >= 0 && from <= i; i--) {
                    if (there[i] != 0) {
                        MemorySegment.copy(all, (long) --from * width, all, (long) i * width, width);
                    }
                }
            }
        }
        count = slots;
    }

    MemorySegment data() {
        return data.segment();
    }

    /// The buffer, which the caller owns from here.
    Buffer take() {
        Buffer taken = data;
        data = null;
        return taken;
    }

    @Override
    public void close() {
        if (data != null) {
            take().release();
        }
    }
}
