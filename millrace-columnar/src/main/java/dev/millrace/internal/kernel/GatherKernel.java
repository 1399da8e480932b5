package dev.millrace.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Bits;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Gathers selected values of a column of any type: filter, sort and join move their rows with this.
public final class GatherKernel {
    private GatherKernel() {}

    /// The selected values. If all of them are selected, or most of them in one run, they are shared rather than
    /// copied.
    public static Column take(Allocator allocator, Column column, SelectionVector selection) {
        if (selection.isAll() && selection.count() == column.length()) {
            return column.retain();
        }
        if (selection.isRun()) {
            Column slice = column.slice(selection.isEmpty() ? 0 : selection.position(0), selection.count());
            return 2L * selection.count() >= column.length() ? slice.retain() : CompactKernel.column(allocator, slice);
        }
        return take(allocator, column, selection.positions(), selection.count());
    }

    /// The values at the first `count` of `positions`, in that order; positions may repeat.
    public static Column take(Allocator allocator, Column column, int[] positions, int count) {
        return gather(allocator, column, positions, positions, count);
    }

    /// Like [#take(Allocator, Column, int[], int)], and null if a position is below zero: the side of an outer join
    /// that has no match.
    public static Column takeOrNull(Allocator allocator, Column column, int[] positions, int count) {
        if (column.length() == 0) {
            return Columns.nulls(allocator, column.type(), count);
        }
        // The value under a null is undefined, so any value will do there.
        int[] readable = new int[count];
        for (int i = 0; i < count; i++) {
            readable[i] = Math.max(0, positions[i]);
        }
        return gather(allocator, column, positions, readable, count);
    }

    /// @param positions determine the nulls: below zero is null
    /// @param readable the positions from which values are read
    private static Column gather(Allocator allocator, Column column, int[] positions, int[] readable, int count) {
        try (ColumnParts made = new ColumnParts(allocator)) {
            return switch (column) {
                case NullColumn _ -> new NullColumn(count);
                case FixedWidthColumn fixed -> {
                    Buffer data = made.buffer((long) count * fixed.byteWidth());
                    GatherValues.fixedWidth(fixed.values(), fixed.byteWidth(), readable, count, data.segment());
                    Buffer validity = validity(made, column, positions, readable, count);
                    yield made.keep(FixedWidthColumn.of(column.type(), count, data, validity, 0, Column.UNKNOWN_NULLS));
                }
                case BooleanColumn booleans -> {
                    Buffer data = made.buffer((count + 7L) / 8);
                    MemorySegment bits = booleans.dataBuffer().segment();
                    GatherValues.bits(bits, booleans.offset(), readable, count, data.segment());
                    Buffer validity = validity(made, column, positions, readable, count);
                    yield made.keep(new BooleanColumn(count, data, validity, 0, Column.UNKNOWN_NULLS));
                }
                case VariableWidthColumn bytes -> {
                    Buffer validity = validity(made, column, positions, readable, count);
                    yield GatherValues.variableWidth(made, bytes, readable, count, validity);
                }
                case ListColumn list -> {
                    OffsetRuns offsets = OffsetRuns.gather(made, list, readable, count);
                    Column elements = made.add(below(allocator, list.elements(), offsets.below()));
                    Buffer validity = validity(made, column, positions, readable, count);
                    yield made.keep(new ListColumn(
                            list.type(),
                            count,
                            offsets.buffer(),
                            offsets.width(),
                            elements,
                            validity,
                            0,
                            Column.UNKNOWN_NULLS));
                }
                case MapColumn map -> {
                    OffsetRuns offsets = OffsetRuns.gather(made, map, readable, count);
                    Column keys = made.add(below(allocator, map.keys(), offsets.below()));
                    Column items = made.add(below(allocator, map.items(), offsets.below()));
                    Buffer validity = validity(made, column, positions, readable, count);
                    yield made.keep(new MapColumn(
                            map.type(),
                            count,
                            offsets.buffer(),
                            offsets.width(),
                            keys,
                            items,
                            validity,
                            0,
                            Column.UNKNOWN_NULLS));
                }
                case FixedListColumn list -> {
                    ValueRanges ranges = new ValueRanges(count);
                    for (int i = 0; i < count; i++) {
                        ranges.add(0, (long) readable[i] * list.size(), list.size());
                    }
                    Column elements = made.add(below(allocator, list.elements(), ranges));
                    Buffer validity = validity(made, column, positions, readable, count);
                    yield made.keep(
                            new FixedListColumn(list.type(), count, elements, validity, 0, Column.UNKNOWN_NULLS));
                }
                case StructColumn struct -> {
                    List<Column> children = new ArrayList<>();
                    for (Column child : struct.children()) {
                        children.add(made.add(gather(allocator, child, positions, readable, count)));
                    }
                    Buffer validity = validity(made, column, positions, readable, count);
                    yield made.keep(
                            new StructColumn(struct.type(), count, children, validity, 0, Column.UNKNOWN_NULLS));
                }
                case DictionaryColumn dictionary -> {
                    Column indices = made.add(gather(allocator, dictionary.indices(), positions, readable, count));
                    Column values = made.add(dictionary.dictionary().retain());
                    yield made.keep(new DictionaryColumn(dictionary.type(), (FixedWidthColumn) indices, values));
                }
                case VariableTensorColumn tensor -> {
                    Column data = made.add(gather(allocator, tensor.data(), readable, readable, count));
                    Column shapes = made.add(gather(allocator, tensor.shapes(), readable, readable, count));
                    Buffer validity = validity(made, column, positions, readable, count);
                    yield made.keep(new VariableTensorColumn(
                            tensor.type(),
                            count,
                            (ListColumn) data,
                            (FixedListColumn) shapes,
                            validity,
                            0,
                            Column.UNKNOWN_NULLS));
                }
            };
        }
    }

    private static Column below(Allocator allocator, Column elements, ValueRanges ranges) {
        return AssembleKernel.columns(allocator, elements.type(), new Column[] {elements}, ranges);
    }

    /// The validity of the gathered values, or null when all are non-null.
    @SuppressWarnings("ReferenceEquality") // the same array: no position is negative
    private static @Nullable Buffer validity(
            ColumnParts made, Column column, int[] positions, int[] readable, int count) {
        boolean nullable = column.hasNulls();
        if (!nullable && positions == readable) {
            return null;
        }
        Buffer validity = made.buffer((count + 7L) / 8);
        MemorySegment target = validity.segment();
        MemorySegment source = nullable
                ? requireNonNull(column.validityBuffer(), "a column with nulls has validity bits")
                        .segment()
                : MemorySegment.NULL;
        long offset = column.validityOffset();
        int nulls = 0;
        for (int i = 0; i < count; i += 8) {
            int bits = 0;
            int end = Math.min(8, count - i);
            for (int k = 0; k < end; k++) {
                boolean there = positions[i + k] >= 0 && (!nullable || Bits.get(source, offset + readable[i + k]));
                bits |= (there ? 1 : 0) << k;
            }
            nulls += end - Integer.bitCount(bits);
            target.set(JAVA_BYTE, i >>> 3, (byte) bits);
        }
        if (nulls == 0) {
            made.drop(validity);
            return null;
        }
        return validity;
    }
}
