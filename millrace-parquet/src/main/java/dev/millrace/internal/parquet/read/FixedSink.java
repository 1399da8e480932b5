package dev.millrace.internal.parquet.read;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.buffer.Growth;
import dev.millrace.internal.parquet.decode.PageDecoders;
import dev.millrace.internal.parquet.decode.WordPadding;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Fixed-width values under construction, in a growing buffer.
final class FixedSink implements LeafSink {
    private static final Growth GROWTH = Growth.from(0).withSlack(WordPadding.BYTES);

    private final int width;
    private final GrowingBuffer data;
    private int count;

    FixedSink(Allocator allocator, int width) {
        this.data = new GrowingBuffer(allocator, GROWTH);
        this.width = width;
    }

    @Override
    public void begin(int values, long bytes) {
        begin(values);
    }

    void begin(int expected) {
        close();
        count = 0;
        data.reserveTotal((long) expected * width);
    }

    @Override
    public void add(LeafPages pages, int values) {
        pages.fixedValues().read(grow(values), (long) count * width, values);
        count += values;
    }

    /// Adds the first `values` of `ints`, to a sink of that width.
    void add(int[] ints, int values) {
        MemorySegment.copy(ints, 0, grow(values), JAVA_INT, (long) count * width, values);
        count += values;
    }

    @Override
    public void pick(LeafPages pages, int values, int[] positions, int chosen) {
        pages.fixedValues().pick(values, positions, chosen, grow(chosen), (long) count * width);
        count += chosen;
    }

    @Override
    public void addFromDictionary(PageDecoders decoders, int[] indices, int values) {
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

    /// From the last to the first.
    @Override
    public void spread(byte[] there, int slots) {
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

    @Override
    public Column take(DataType type, LeafLevels.Slots slots, @Nullable Buffer validity, Allocator allocator) {
        int rows = slots.count();
        if (type instanceof DataType.Bool) {
            Buffer bits = allocator.allocate((rows + 7L) / 8);
            LeafLevels.Slots.pack(data().asSlice(0, rows).toArray(JAVA_BYTE), rows, bits.segment());
            return new BooleanColumn(rows, bits, validity, 0, slots.nulls());
        }
        if (type instanceof DataType.Binary) {
            // Byte strings of equal length.
            Buffer offsets = allocator.allocate(4L * (rows + 1L));
            for (int i = 0; i <= rows; i++) {
                offsets.segment().setAtIndex(JAVA_INT, i, Math.multiplyExact(i, width));
            }
            return VariableWidthColumn.of(type, rows, offsets, 4, take(), validity, 0, slots.nulls());
        }
        return FixedWidthColumn.of(type, rows, take(), validity, 0, slots.nulls());
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
