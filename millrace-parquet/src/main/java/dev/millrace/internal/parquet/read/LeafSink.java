package dev.millrace.internal.parquet.read;

import dev.millrace.column.Column;
import dev.millrace.internal.parquet.decode.PageDecoders;
import dev.millrace.internal.parquet.decode.ValueKind;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// The values of a leaf under construction, without those of null slots until they are spread. One thread.
sealed interface LeafSink extends AutoCloseable permits FixedSink, StringSink {
    static LeafSink of(ValueKind kind, Allocator allocator) {
        return kind.isBytes() ? new StringSink(allocator) : new FixedSink(allocator, kind.width());
    }

    /// Resets, with room for the expected number of values.
    ///
    /// @param bytes the expected bytes of all values, if they are strings
    void begin(int values, long bytes);

    /// Adds the next values of the loaded page.
    void add(LeafPages pages, int values);

    /// Adds those of the loaded page's next `values` values that are at the first `chosen` of `positions`.
    void pick(LeafPages pages, int values, int[] positions, int chosen);

    /// Adds the dictionary values for the first `values` of `indices`, to an empty sink.
    void addFromDictionary(PageDecoders decoders, int[] indices, int values);

    /// Spreads the values so that value i is in the i-th non-null slot.
    ///
    /// @param there one byte per slot, 1 if it has a value
    void spread(byte[] there, int slots);

    /// The column of the values, whose buffers it takes over, as it does the validity.
    ///
    /// @param validity null if every slot has a value
    Column take(DataType type, LeafLevels.Slots slots, @Nullable Buffer validity, Allocator allocator);

    @Override
    void close();
}
