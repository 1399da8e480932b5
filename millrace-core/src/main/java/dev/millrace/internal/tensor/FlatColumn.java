package dev.millrace.internal.tensor;

import dev.millrace.block.Block;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.expression.Expressions;
import dev.millrace.internal.expression.BoundExpression;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The elements of a column one after the other, and how many dimensions each of its values has.
///
/// @param elements integers or floats, `perValue` for each value; booleans as uint8
/// @param bool whether these are booleans
/// @param shape of one value; empty for plain numbers
record FlatColumn(FixedWidthColumn elements, boolean bool, List<Integer> shape) {
    /// Elements of one value.
    long perValue() {
        return shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
    }

    /// The element type in a tensor.
    DataType type() {
        return bool ? DataType.BOOL : elements.type();
    }

    /// Null if the column's values have no fixed size, or are not numbers.
    ///
    /// @param wanted the requested type, or null: times and decimals become numbers only if numbers are requested
    static @Nullable FlatColumn of(Column column, @Nullable DataType wanted, TensorMemory memory) {
        return switch (column) {
            case TensorColumn tensors -> {
                DataType.Tensor type = tensors.type();
                FixedWidthColumn elements = FixedWidthColumn.of(
                        type.element(),
                        tensors.length() * type.elements(),
                        tensors.dataBuffer(),
                        null,
                        tensors.offset() * type.elements(),
                        0);
                yield new FlatColumn(elements, false, type.shape());
            }
            case FixedWidthColumn numbers -> numbers(numbers, wanted, memory);
            case FixedListColumn lists -> {
                FlatColumn inner = of(lists.elements(), wanted, memory);
                yield inner == null ? null : inner.within(lists.size());
            }
            case BooleanColumn bits -> new FlatColumn(bytes(bits, memory), true, List.of());
            case DictionaryColumn codes -> {
                DataType value = codes.type().value();
                boolean numbers = value.isNumeric() || value.equals(DataType.BOOL);
                yield numbers ? of(decoded(codes, memory), wanted, memory) : null;
            }
            case NullColumn _, OffsetColumn _, StructColumn _, VariableTensorColumn _ -> null;
        };
    }

    private FlatColumn within(int size) {
        List<Integer> all = new ArrayList<>();
        all.add(size);
        all.addAll(shape);
        return new FlatColumn(elements, bool, List.copyOf(all));
    }

    private static @Nullable FlatColumn numbers(
            FixedWidthColumn column, @Nullable DataType wanted, TensorMemory memory) {
        DataType type = column.type();
        if (type instanceof DataType.Int || type instanceof DataType.Float) {
            return new FlatColumn(column, false, List.of());
        }
        if (wanted == null) {
            return null;
        }
        if (type instanceof DataType.Decimal) {
            return wanted instanceof DataType.Float
                    ? new FlatColumn(cast(column, "decimal", DataType.FLOAT64, memory), false, List.of())
                    : null;
        }
        // Times are stored as integers of their width.
        FixedWidthColumn stored = FixedWidthColumn.of(
                column.byteWidth() == Integer.BYTES ? DataType.INT32 : DataType.INT64,
                column.length(),
                column.dataBuffer(),
                column.validityBuffer(),
                column.offset(),
                column.hasNulls() ? Column.UNKNOWN_NULLS : 0);
        return new FlatColumn(stored, false, List.of());
    }

    private static FixedWidthColumn bytes(BooleanColumn bits, TensorMemory memory) {
        Buffer data = memory.allocator().allocate(Math.max(1, bits.length()));
        for (long i = 0; i < bits.length(); i++) {
            data.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (bits.get(i) ? 1 : 0));
        }
        Buffer validity = bits.hasNulls() ? bits.validityFromZero(memory.allocator()) : null;
        return memory.own(FixedWidthColumn.of(
                DataType.UINT8, bits.length(), data, validity, 0, validity == null ? 0 : Column.UNKNOWN_NULLS));
    }

    private static Column decoded(DictionaryColumn codes, TensorMemory memory) {
        try (ColumnBuilder builder =
                ColumnBuilder.of(memory.allocator(), codes.type().value(), codes.length())) {
            for (long i = 0; i < codes.length(); i++) {
                builder.append(codes.value(i));
            }
            return memory.own(builder.build());
        }
    }

    /// The elements cast to another type; an error if one does not fit.
    ///
    /// @param name for the error
    FlatColumn as(@Nullable DataType wanted, String name, TensorMemory memory) {
        if (wanted == null || wanted.equals(type())) {
            return this;
        }
        if (wanted.equals(DataType.BOOL)) {
            return new FlatColumn(truths(memory), true, shape);
        }
        FixedWidthColumn converted = elements.type().equals(wanted) ? elements : cast(elements, name, wanted, memory);
        return new FlatColumn(converted, false, shape);
    }

    private FixedWidthColumn truths(TensorMemory memory) {
        FixedWidthColumn doubles =
                elements.type().equals(DataType.FLOAT64) ? elements : cast(elements, "bool", DataType.FLOAT64, memory);
        Buffer data = memory.allocator().allocate(Math.max(1, doubles.length()));
        for (long i = 0; i < doubles.length(); i++) {
            double value = doubles.values().getAtIndex(ValueLayout.JAVA_DOUBLE, i);
            data.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (value != 0 ? 1 : 0));
        }
        Buffer validity = doubles.hasNulls() ? doubles.validityFromZero(memory.allocator()) : null;
        return memory.own(FixedWidthColumn.of(
                DataType.UINT8, doubles.length(), data, validity, 0, validity == null ? 0 : Column.UNKNOWN_NULLS));
    }

    private static FixedWidthColumn cast(FixedWidthColumn from, String name, DataType to, TensorMemory memory) {
        Schema schema = Schema.of(name, from.type());
        BoundExpression cast = BoundExpression.bind(Expressions.col(name).cast(to), schema);
        try (Block block = Block.sharing(schema, List.of(from), from.length())) {
            return (FixedWidthColumn) memory.own(cast.evaluate(block, memory.allocator()));
        }
    }
}
