package dev.millrace.internal.parquet.read;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.internal.parquet.decode.HybridReader;
import dev.millrace.internal.parquet.decode.PageDecoders;
import dev.millrace.internal.parquet.decode.ValueKind;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Reads a leaf without lists as dictionary columns: the indices of its pages, and the dictionary that all of them
/// share. One thread.
final class LeafCodes implements AutoCloseable {
    /// The minimum average number of occurrences of a value: below it a dictionary saves nothing.
    private static final int MIN_REPEATS = 4;

    private static final int AT_ONCE = 1024;

    private final SchemaNode.Leaf leaf;
    private final Allocator allocator;
    private final Column dictionary;
    private final int size;
    private final FixedSink sink;
    private final int[] some = new int[AT_ONCE];

    private LeafCodes(SchemaNode.Leaf leaf, Column dictionary, int size, Allocator allocator) {
        this.leaf = leaf;
        this.dictionary = dictionary;
        this.size = size;
        this.allocator = allocator;
        this.sink = new FixedSink(allocator, Integer.BYTES);
    }

    /// Null if the leaf has no dictionary, or one that is hardly smaller than its values.
    ///
    /// @param pages not yet read, all dictionary-encoded
    static @Nullable LeafCodes of(
            SchemaNode.Leaf leaf, LeafPages pages, ValueKind kind, long rows, Allocator allocator) {
        boolean plain = leaf.repetition() == 0 && !(leaf.type() instanceof DataType.Null) && !leaf.makesNulls();
        if (!plain || !pages.loadDictionary()) {
            return null;
        }
        int size = pages.decoders().dictionarySize();
        if ((long) size * MIN_REPEATS > rows) {
            return null;
        }
        return new LeafCodes(leaf, values(leaf, pages.decoders(), kind, size, allocator), size, allocator);
    }

    private static Column values(
            SchemaNode.Leaf leaf, PageDecoders decoders, ValueKind kind, int size, Allocator allocator) {
        int[] all = new int[size];
        for (int i = 0; i < size; i++) {
            all[i] = i;
        }
        LeafLevels.Slots slots = new LeafLevels.Slots(size, size, null);
        try (LeafSink values = LeafSink.of(kind, allocator)) {
            values.begin(size, 0);
            values.addFromDictionary(decoders, all, size);
            return LeafColumn.of(leaf, slots, values, allocator);
        }
    }

    DataType type() {
        return DataType.dictionary(leaf.type());
    }

    void begin(int rows) {
        sink.begin(rows);
    }

    /// Adds the next indices of the loaded page.
    void add(LeafPages pages, int values) {
        if (!pages.isDictionary()) {
            throw new MalformedParquet("a page has values, where by the footer all have indices");
        }
        HybridReader indices = pages.decoders().indices();
        for (int done = 0; done < values; done += AT_ONCE) {
            int n = Math.min(AT_ONCE, values - done);
            indices.read(some, 0, n);
            if (most(some, n) >= size) {
                throw new MalformedParquet(
                        "an index of " + most(some, n) + " into a dictionary of " + size + " values");
            }
            sink.add(some, n);
        }
    }

    /// The unsigned maximum: [Integer#MAX_VALUE] if any index is negative.
    private static int most(int[] indices, int count) {
        int most = 0;
        int signs = 0;
        for (int i = 0; i < count; i++) {
            most = Math.max(most, indices[i]);
            signs |= indices[i];
        }
        return signs < 0 ? Integer.MAX_VALUE : most;
    }

    /// The column of what was added since [#begin]; the caller owns one reference to each buffer.
    Column take(LeafLevels.Slots slots) {
        if (slots.there() != null) {
            sink.spread(slots.there(), slots.count());
            MemorySegment codes = sink.data();
            for (int i = 0; i < slots.count(); i++) {
                if (slots.there()[i] == 0) {
                    codes.setAtIndex(JAVA_INT, i, 0);
                }
            }
        }
        Buffer validity = slots.validity(allocator);
        FixedWidthColumn indices =
                FixedWidthColumn.of(DataType.INT32, slots.count(), sink.take(), validity, 0, slots.nulls());
        return new DictionaryColumn(DataType.dictionary(leaf.type()), indices, dictionary.retain());
    }

    @Override
    public void close() {
        sink.close();
        dictionary.release();
    }
}
