package dev.millrace.internal.parquet.read;

import dev.millrace.column.Column;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.internal.parquet.decode.BytesSink;
import dev.millrace.internal.parquet.decode.PageDecoders;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// Byte strings under construction.
final class StringSink implements LeafSink {
    private final BytesSink strings;

    StringSink(Allocator allocator) {
        this.strings = new BytesSink(allocator);
    }

    @Override
    public void begin(int values, long bytes) {
        strings.begin(values, bytes);
    }

    @Override
    public void add(LeafPages pages, int values) {
        pages.bytesValues().read(strings, values);
    }

    @Override
    public void pick(LeafPages pages, int values, int[] positions, int chosen) {
        pages.bytesValues().pick(values, positions, chosen, strings);
    }

    @Override
    public void addFromDictionary(PageDecoders decoders, int[] indices, int values) {
        if (values > 0) {
            decoders.fromDictionary(indices, values, strings);
        }
    }

    @Override
    public void spread(byte[] there, int slots) {
        strings.spread(there, slots);
    }

    @Override
    public Column take(DataType type, LeafLevels.Slots slots, @Nullable Buffer validity, Allocator allocator) {
        return VariableWidthColumn.of(
                type, slots.count(), strings.takeOffsets(), 4, strings.takeData(), validity, 0, slots.nulls());
    }

    @Override
    public void close() {
        strings.close();
    }
}
