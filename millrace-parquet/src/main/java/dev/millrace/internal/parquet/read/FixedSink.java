package dev.millrace.internal.parquet.read;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.buffer.Growth;
import dev.millrace.internal.parquet.decode.FixedDecoder;
import dev.millrace.internal.parquet.decode.PageDecoders;
import dev.millrace.internal.parquet.decode.WordPadding;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Fixed-width values under construction, in a growing buffer.
final class FixedSink implements AutoCloseable {
    private static final Growth GROWTH = Growth.from(0).withSlack(WordPadding.BYTES);

    private final int width;
    private final GrowingBuffer data;
    private int count;

    FixedSink(Allocator allocator, int width) {
        this.data = new GrowingBuffer(allocator, GROWTH);
        this.width = width;
    }

    void begin(int expected) {
        close();
        count = 0;
        data.reserveTotal((long) expected * width);
    }

    int width() {
        return width;
    }

    void add(FixedDecoder source, int values) {
        source.read(grow(values), (long) count * width, values);
        count += values;
    }

    /// Adds the first `values` of `ints`, to a sink of that width.
    void add(int[] ints, int values) {
        MemorySegment.copy(ints, 0, grow(values), JAVA_INT, (long) count * width, values);
        count += values;
    }

    /// Adds those of the decoder's next `values` values that are at the first `chosen` of `positions`.
    void pick(FixedDecoder source, int values, int[] positions, int chosen) {
        source.pick(values, positions, chosen, grow(chosen), (long) count * width);
        count += chosen;
    }

    /// Adds the dictionary values for the first `values` of `indices`, to an empty sink.
    void addFromDictionary(PageDecoders decoders, int[] indices, int values) {
        MemorySegment target = grow(values);
        if (values > 0) {
            decoders.fromDictionary(indices, values, target);
        }
        count = values;
    }

    private MemorySegment grow(int values) {
        data.size((long) count * width);
        return data.reserve((long) values * width);
    }

    /// Spreads the values to the non-null slots, from the last to the first.
    void spread(byte[] there, int slots) {
        MemorySegment all = grow(slots - count);
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
        return data.memory();
    }

    /// The buffer; ownership passes to the caller.
    Buffer take() {
        return data.take();
    }

    @Override
    public void close() {
        data.close();
    }
}
