package dev.millrace.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.Columns;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Converts a column to a type that [dev.millrace.type.Types#unify] returned for it and another: integers and floats to
/// wider ones, null to anything, structs to structs with more fields, fixed shapes to variable ones. Memory that the
/// new type can use unchanged is shared.
public final class WidenKernel {
    private WidenKernel() {}

    /// @throws MillraceException culprit DATA for a value that the target cannot hold (uint64 as int64, a timestamp
    /// beyond the finer unit), INTERNAL when the target is not a common type of the column's
    public static Column to(Allocator allocator, Column column, DataType target) {
        if (column.type().equals(target)) {
            return column.retain();
        }
        try (ColumnParts made = new ColumnParts(allocator)) {
            return switch (column) {
                case NullColumn _ -> Columns.nulls(allocator, target, column.length());
                case DictionaryColumn dictionary -> dictionary(made, dictionary, target);
                case TensorColumn tensor -> tensor(made, tensor, target);
                case VariableTensorColumn tensor
                when target instanceof DataType.VariableTensor to -> {
                    Column data = made.add(to(allocator, tensor.data(), DataType.list(to.element())));
                    FixedListColumn shapes =
                            made.add((FixedListColumn) tensor.shapes().retain());
                    yield made.keep(new VariableTensorColumn(
                            to,
                            column.length(),
                            (ListColumn) data,
                            shapes,
                            made.addValidity(column.validityFromZero(allocator)),
                            0,
                            Column.UNKNOWN_NULLS));
                }
                case DecimalColumn _ -> boxed(allocator, column, target);
                case FixedWidthColumn _ when target instanceof DataType.Decimal -> boxed(allocator, column, target);
                case FixedWidthColumn fixed -> WidenNumbers.to(made, fixed, target);
                case ListColumn list when target instanceof DataType.ListOf to -> list(made, list, to);
                case FixedListColumn list -> fixedList(made, list, target);
                case StructColumn struct when target instanceof DataType.Struct to -> struct(made, struct, to);
                case MapColumn map when target instanceof DataType.MapOf to -> map(made, map, to);
                case BooleanColumn _, OffsetColumn _, StructColumn _, VariableTensorColumn _ ->
                    throw notWider(column.type(), target);
            };
        }
    }

    static MillraceException notWider(DataType from, DataType target) {
        return MillraceException.internal("a column of " + from + " does not widen to " + target);
    }

    /// Rare conversions, value by value.
    private static Column boxed(Allocator allocator, Column column, DataType target) {
        try (ColumnBuilder builder = ColumnBuilder.of(allocator, target, column.length())) {
            for (long i = 0; i < column.length(); i++) {
                builder.append(column.value(i));
            }
            return builder.build();
        }
    }

    private static Column dictionary(ColumnParts made, DictionaryColumn column, DataType target) {
        if (target instanceof DataType.Dictionary to) {
            Column indices = made.add(to(made.allocator, column.indices(), to.index()));
            Column values = made.add(to(made.allocator, column.dictionary(), to.value()));
            return made.keep(new DictionaryColumn(to, (FixedWidthColumn) indices, values));
        }
        int[] positions = new int[Math.toIntExact(column.length())];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = column.indices().isNull(i) ? -1 : column.index(i);
        }
        Column plain = GatherKernel.takeOrNull(made.allocator, column.dictionary(), positions, positions.length);
        made.add(plain);
        Column widened = to(made.allocator, plain, target);
        // `plain` is released at the end of the scope; `widened` has references of its own.
        return widened;
    }

    private static Column list(ColumnParts made, ListColumn list, DataType.ListOf target) {
        ListColumn tight = made.add(withoutStrangers(made.allocator, list));
        Column elements = made.add(to(made.allocator, tight.elements(), target.element()));
        return overOffsets(
                made,
                tight,
                (offsets, validity) -> new ListColumn(
                        target,
                        tight.length(),
                        offsets,
                        tight.offsetWidth(),
                        elements,
                        validity,
                        tight.offset(),
                        Column.UNKNOWN_NULLS));
    }

    private static Column map(ColumnParts made, MapColumn map, DataType.MapOf target) {
        MapColumn tight = made.add(withoutStrangers(made.allocator, map));
        Column keys = made.add(to(made.allocator, tight.keys(), target.key()));
        Column items = made.add(to(made.allocator, tight.items(), target.value()));
        return overOffsets(
                made,
                tight,
                (offsets, validity) -> new MapColumn(
                        target,
                        tight.length(),
                        offsets,
                        tight.offsetWidth(),
                        keys,
                        items,
                        validity,
                        tight.offset(),
                        Column.UNKNOWN_NULLS));
    }

    /// The same column, copied if its elements hold more than it refers to: the rest need not be converted.
    @SuppressWarnings("unchecked")
    private static <C extends OffsetColumn> C withoutStrangers(Allocator allocator, C column) {
        Column below = column instanceof ListColumn list ? list.elements() : ((MapColumn) column).keys();
        return below.length() == column.extent() ? (C) column.retain() : (C) CompactKernel.column(allocator, column);
    }

    /// Makes a list or map of offsets and validity.
    private interface Maker {
        Column make(Buffer offsets, @Nullable Buffer validity);
    }

    /// A list or map with the offsets and nulls of `model` over new children, which `made` holds.
    private static Column overOffsets(ColumnParts made, OffsetColumn model, Maker maker) {
        Buffer offsets = model.offsetsBuffer().retain();
        Buffer validity =
                model.validityBuffer() == null ? null : model.validityBuffer().retain();
        Column column = maker.make(offsets, validity);
        made.keep(column);
        model.release();
        return column;
    }

    private static Column fixedList(ColumnParts made, FixedListColumn list, DataType target) {
        DataType element = target instanceof DataType.FixedList fixed ? fixed.element() : elementOf(list, target);
        Column elements = made.add(to(made.allocator, list.elements(), element));
        Buffer validity = made.addValidity(list.validityFromZero(made.allocator));
        if (target instanceof DataType.FixedList to) {
            return made.keep(new FixedListColumn(to, list.length(), elements, validity, 0, Column.UNKNOWN_NULLS));
        }
        return made.keep(regularList(made, (DataType.ListOf) target, list.length(), list.size(), elements, validity));
    }

    private static DataType elementOf(FixedListColumn list, DataType target) {
        if (target instanceof DataType.ListOf to) {
            return to.element();
        }
        throw notWider(list.type(), target);
    }

    /// A list column whose lists all have `size` elements.
    private static ListColumn regularList(
            ColumnParts made,
            DataType.ListOf type,
            long length,
            long size,
            Column elements,
            @Nullable Buffer validity) {
        int width = OffsetRuns.widthFor(length * size);
        Buffer offsets = made.buffer(OffsetRuns.bytesFor(length, width));
        for (long i = 0; i <= length && length > 0; i++) {
            OffsetRuns.put(offsets.segment(), width, i, i * size);
        }
        return new ListColumn(type, length, offsets, width, elements, validity, 0, Column.UNKNOWN_NULLS);
    }

    private static Column struct(ColumnParts made, StructColumn struct, DataType.Struct target) {
        List<Field> fields = struct.type().fields();
        List<Column> children = new ArrayList<>();
        for (Field wanted : target.fields()) {
            Column child = null;
            for (int i = 0; i < fields.size() && child == null; i++) {
                child = fields.get(i).name().equals(wanted.name()) ? struct.child(i) : null;
            }
            children.add(made.add(
                    child == null
                            ? Columns.nulls(made.allocator, wanted.type(), struct.length())
                            : to(made.allocator, child, wanted.type())));
        }
        Buffer validity = made.addValidity(struct.validityFromZero(made.allocator));
        return made.keep(new StructColumn(target, struct.length(), children, validity, 0, Column.UNKNOWN_NULLS));
    }

    /// A tensor of wider elements, or of variable shape: the elements stay where they are if their type does.
    private static Column tensor(ColumnParts made, TensorColumn tensor, DataType target) {
        long each = tensor.type().elements();
        long length = tensor.length();
        FixedWidthColumn flat = FixedWidthColumn.of(
                tensor.type().element(), length * each, tensor.dataBuffer(), null, tensor.offset() * each, 0);
        Buffer validity = made.addValidity(tensor.validityFromZero(made.allocator));
        return switch (target) {
            case DataType.Tensor to -> {
                FixedWidthColumn elements = (FixedWidthColumn) made.add(to(made.allocator, flat, to.element()));
                yield made.keep(new TensorColumn(to, length, elements.dataBuffer(), validity, 0, Column.UNKNOWN_NULLS));
            }
            case DataType.VariableTensor to -> {
                Column elements = made.add(to(made.allocator, flat, to.element()));
                ListColumn data = regularList(made, DataType.list(to.element()), length, each, elements, null);
                FixedListColumn shapes = repeatedShape(made, tensor.type(), length);
                yield made.keep(new VariableTensorColumn(to, length, data, shapes, validity, 0, Column.UNKNOWN_NULLS));
            }
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.ListOf _,
                    DataType.FixedList _,
                    DataType.Struct _,
                    DataType.MapOf _ -> throw notWider(tensor.type(), target);
        };
    }

    private static FixedListColumn repeatedShape(ColumnParts made, DataType.Tensor type, long length) {
        int dimensions = type.shape().size();
        Buffer buffer = made.buffer(length * dimensions * Integer.BYTES);
        MemorySegment target = buffer.segment();
        for (long i = 0; i < length * dimensions; i++) {
            target.setAtIndex(JAVA_INT, i, type.shape().get((int) (i % dimensions)));
        }
        IntColumn flat = new IntColumn(DataType.INT32, length * dimensions, buffer, null, 0, 0);
        return new FixedListColumn(DataType.fixedList(DataType.INT32, dimensions), length, flat, null, 0, 0);
    }
}
