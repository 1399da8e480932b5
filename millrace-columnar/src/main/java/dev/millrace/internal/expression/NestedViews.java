package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.column.Column;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Call;
import dev.millrace.expression.NestedFunction;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Nested values seen as other nested values, which share their memory wherever the layout allows it.
final class NestedViews {
    private NestedViews() {}

    /// The keys, values or entries of maps, as lists over the same offsets.
    static final class OfMap extends ExpressionNode {
        private final NestedFunction function;
        private final ExpressionNode input;

        OfMap(NestedFunction function, DataType type, ExpressionNode input) {
            super(type);
            this.function = function;
            this.input = input;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows)) {
                MapColumn maps = (MapColumn) held.column();
                DataType.ListOf type = (DataType.ListOf) type();
                Column elements = switch (function) {
                    case MAP_KEYS -> maps.keys();
                    case MAP_VALUES -> maps.items();
                    default ->
                        new StructColumn(
                                (DataType.Struct) type.element(),
                                maps.keys().length(),
                                List.of(maps.keys(), maps.items()),
                                null,
                                0,
                                0);
                };
                return new ListColumn(
                                type,
                                maps.length(),
                                maps.offsetsBuffer(),
                                maps.offsetWidth(),
                                elements,
                                maps.validityBuffer(),
                                maps.offset(),
                                Column.UNKNOWN_NULLS)
                        .retain();
            }
        }
    }

    /// Tensors as fixed lists of their elements.
    static final class ToList extends ExpressionNode {
        private final ExpressionNode input;

        ToList(DataType type, ExpressionNode input) {
            super(type);
            this.input = input;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows)) {
                if (!(held.column() instanceof TensorColumn tensors)) {
                    return held.column().retain();
                }
                long size = tensors.type().elements();
                Column elements = FixedWidthColumn.of(
                        tensors.type().element(),
                        tensors.length() * size,
                        tensors.dataBuffer(),
                        null,
                        tensors.offset() * size,
                        0);
                return new FixedListColumn(
                                (DataType.FixedList) type(),
                                tensors.length(),
                                elements,
                                tensors.validityBuffer(),
                                tensors.validityOffset(),
                                Column.UNKNOWN_NULLS)
                        .retain();
            }
        }
    }

    /// Lists as tensors of one shape, with a copy of the elements.
    static final class ToTensor extends ExpressionNode {
        private final ExpressionNode input;
        private final Call call;

        ToTensor(DataType type, ExpressionNode input, Call call) {
            super(type);
            this.input = input;
            this.call = call;
        }

        @Override
        Column column(EvaluationRows rows) {
            DataType.Tensor type = (DataType.Tensor) type();
            int size = Math.toIntExact(type.elements());
            try (HeldColumn held = input.values(rows);
                    ResourceScope scope = new ResourceScope()) {
                ListElements lists = ListElements.of(held.column());
                long width = FixedOutput.width(type.element());
                Buffer data = rows.allocator().allocate(rows.count() * size * width);
                scope.add(data);
                long[] valid = BitWords.valid(held.column());
                long @Nullable [] known = valid;
                if (lists.column() instanceof FixedWidthColumn elements) {
                    for (long row = 0; row < rows.count(); row++) {
                        if (!lists.isNull(row) && rows.isActive(row)) {
                            check(lists, row, size);
                            MemorySegment.copy(
                                    elements.values(),
                                    JAVA_BYTE,
                                    lists.start(row) * width,
                                    data.segment(),
                                    JAVA_BYTE,
                                    row * size * width,
                                    size * width);
                        }
                    }
                }
                Buffer validity = known == null ? null : BitWords.toBuffer(known, rows.count(), rows.allocator());
                return scope.keep(new TensorColumn(type, rows.count(), data, validity, 0, Column.UNKNOWN_NULLS));
            }
        }

        private void check(ListElements lists, long row, int size) {
            if (lists.count(row) != size) {
                throw MillraceException.data(call + ": a list of " + lists.count(row) + " elements is no " + type()
                        + ", which has " + size + ", in row " + row + " of the block.");
            }
            for (int i = lists.start(row); i < lists.end(row); i++) {
                if (lists.column().isNull(i)) {
                    throw MillraceException.data(call + ": a tensor has no nulls, but element " + (i - lists.start(row))
                            + " of the list is null, in row " + row + " of the block.");
                }
            }
        }
    }
}
