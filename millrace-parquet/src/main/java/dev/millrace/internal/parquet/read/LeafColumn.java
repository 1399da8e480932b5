package dev.millrace.internal.parquet.read;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.NullColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.parquet.decode.Int96Conversion;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;

/// Creates the column of a leaf from its decoded values.
final class LeafColumn {
    private LeafColumn() {}

    /// Takes over the contents of the sink: the values of the non-null slots, contiguous.
    static Column of(SchemaNode.Leaf leaf, LeafLevels.Slots slots, LeafSink values, Allocator allocator) {
        if (leaf.type() instanceof DataType.Null) {
            return new NullColumn(slots.count());
        }
        if (slots.there() != null) {
            values.spread(slots.there(), slots.count());
        }
        LeafLevels.Slots valid =
                leaf.makesNulls() && values instanceof FixedSink timestamps ? withoutBeyond(slots, timestamps) : slots;
        try (ResourceScope scope = new ResourceScope()) {
            Buffer validity = valid.validity(allocator);
            if (validity != null) {
                scope.add(validity);
            }
            return scope.keep(values.take(leaf.type(), valid, validity, allocator));
        }
    }

    /// The slots without those whose timestamp is beyond the range of nanoseconds.
    private static LeafLevels.Slots withoutBeyond(LeafLevels.Slots slots, FixedSink timestamps) {
        byte[] there = new byte[slots.count()];
        int values = 0;
        for (int i = 0; i < there.length; i++) {
            boolean stored = slots.there() == null || slots.there()[i] != 0;
            there[i] = (byte) (stored && timestamps.data().getAtIndex(JAVA_LONG, i) != Int96Conversion.BEYOND ? 1 : 0);
            values += there[i];
        }
        return values == slots.values() ? slots : new LeafLevels.Slots(slots.count(), values, there);
    }
}
