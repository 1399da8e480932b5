package dev.millrace.internal.parquet.read;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.parquet.decode.BytesSink;
import dev.millrace.internal.parquet.decode.Int96Conversion;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;

/// Creates the column of a leaf from its decoded values.
final class LeafColumn {
    private LeafColumn() {}

    /// Takes over the contents of the sink that is not null: the values of the non-null slots, contiguous.
    static Column of(
            SchemaNode.Leaf leaf, LeafLevels.Slots slots, FixedSink fixed, BytesSink bytes, Allocator allocator) {
        if (leaf.type() instanceof DataType.Null) {
            return new NullColumn(slots.count());
        }
        if (slots.there() != null) {
            if (fixed != null) {
                fixed.spread(slots.there(), slots.count());
            } else {
                bytes.spread(slots.there(), slots.count());
            }
        }
        LeafLevels.Slots valid = leaf.makesNulls() ? withoutBeyond(slots, fixed) : slots;
        try (ResourceScope scope = new ResourceScope()) {
            Buffer validity = scope.add(valid.validity(allocator));
            return scope.keep(column(leaf.type(), valid, fixed, bytes, validity, allocator));
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

    private static Column column(
            DataType type,
            LeafLevels.Slots slots,
            FixedSink fixed,
            BytesSink bytes,
            Buffer validity,
            Allocator allocator) {
        int count = slots.count();
        if (fixed == null) {
            return VariableWidthColumn.of(
                    type, count, bytes.takeOffsets(), 4, bytes.takeData(), validity, 0, slots.nulls());
        }
        if (type instanceof DataType.Bool) {
            Buffer bits = allocator.allocate((count + 7L) / 8);
            LeafLevels.Slots.pack(fixed.data().asSlice(0, count).toArray(JAVA_BYTE), count, bits.segment());
            return new BooleanColumn(count, bits, validity, 0, slots.nulls());
        }
        if (type instanceof DataType.Binary) {
            // Byte strings of equal length.
            Buffer offsets = allocator.allocate(4L * (count + 1L));
            for (int i = 0; i <= count; i++) {
                offsets.segment().setAtIndex(JAVA_INT, i, Math.multiplyExact(i, fixed.width()));
            }
            return VariableWidthColumn.of(type, count, offsets, 4, fixed.take(), validity, 0, slots.nulls());
        }
        return FixedWidthColumn.of(type, count, fixed.take(), validity, 0, slots.nulls());
    }
}
