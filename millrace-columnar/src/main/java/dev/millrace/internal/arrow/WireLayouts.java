package dev.millrace.internal.arrow;

import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Determines the layout in which a schema is written: by its types and, for types with offsets, by the columns of the
/// first block, whose 64-bit offsets make the field a Large one. Without a block all offsets have 32 bits.
final class WireLayouts {
    private long nextDictionary;

    private WireLayouts() {}

    /// @param columns those of the first block, or null
    static WireSchema of(Schema schema, @Nullable List<Column> columns) {
        WireLayouts layouts = new WireLayouts();
        List<WireField> fields = new ArrayList<>();
        for (int i = 0; i < schema.size(); i++) {
            Field field = schema.field(i);
            fields.add(layouts.field(field.name(), field.type(), columns == null ? null : columns.get(i)));
        }
        return new WireSchema(fields, "The schema");
    }

    /// The number of bytes of a value of a fixed-width type.
    static int width(DataType type) {
        return switch (type) {
            case DataType.Int(int bits, boolean _) -> bits / 8;
            case DataType.Float(int bits) -> bits / 8;
            case DataType.Decimal _ -> 16;
            case DataType.Date _ -> 4;
            case DataType.Time(TimeUnit unit) -> unit.perSecond() <= 1_000 ? 4 : 8;
            case DataType.Timestamp _, DataType.Duration _ -> 8;
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> throw new IllegalArgumentException(type + " has no fixed width");
        };
    }

    private WireField field(String name, DataType type, @Nullable Column column) {
        return switch (type) {
            case DataType.Null _ -> new WireField(name, type, new ArrowLayout.Nothing());
            case DataType.Bool _ -> new WireField(name, type, new ArrowLayout.Bit());
            case DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Date _,
                    DataType.Time _,
                    DataType.Timestamp _,
                    DataType.Duration _ -> new WireField(name, type, new ArrowLayout.Fixed(width(type)));
            case DataType.Utf8 _, DataType.Binary _ ->
                new WireField(name, type, new ArrowLayout.Variable(offsetWidth(column)));
            case DataType.ListOf(DataType element) -> {
                Column elements = column instanceof ListColumn list ? list.elements() : null;
                WireField item = field("item", element, elements);
                yield new WireField(name, type, new ArrowLayout.Lists(offsetWidth(column)), List.of(item));
            }
            case DataType.FixedList(DataType element, int size) -> {
                Column elements = column instanceof FixedListColumn list ? list.elements() : null;
                yield new WireField(
                        name, type, new ArrowLayout.FixedLists(size), List.of(field("item", element, elements)));
            }
            case DataType.Struct(List<Field> fields) -> {
                List<WireField> children = new ArrayList<>();
                for (int i = 0; i < fields.size(); i++) {
                    Column child = column instanceof StructColumn struct ? struct.child(i) : null;
                    children.add(field(fields.get(i).name(), fields.get(i).type(), child));
                }
                yield new WireField(name, type, new ArrowLayout.Structs(), children);
            }
            case DataType.MapOf(DataType key, DataType value) -> {
                MapColumn map = (MapColumn) column;
                WireField entries = new WireField(
                        "entries",
                        DataType.struct(new Field("key", key), new Field("value", value)),
                        new ArrowLayout.Structs(),
                        List.of(
                                field("key", key, map == null ? null : map.keys()),
                                field("value", value, map == null ? null : map.items())));
                yield new WireField(name, type, new ArrowLayout.Maps(), List.of(entries));
            }
            case DataType.Dictionary(DataType.Int index, DataType value, boolean _) -> {
                WireField values =
                        field(name, value, column instanceof DictionaryColumn encoded ? encoded.dictionary() : null);
                yield new WireField(
                        name, type, new ArrowLayout.Indexed(index.bits() / 8, nextDictionary++), List.of(values));
            }
            case DataType.Tensor tensor -> {
                WireField item = field("item", tensor.element(), null);
                yield new WireField(
                        name, type, new ArrowLayout.Tensors(Math.toIntExact(tensor.elements())), List.of(item));
            }
            case DataType.VariableTensor(DataType element, int dimensions) -> {
                ListColumn data = column instanceof VariableTensorColumn tensors ? tensors.data() : null;
                yield new WireField(
                        name,
                        type,
                        new ArrowLayout.VariableTensors(),
                        List.of(
                                field("data", DataType.list(element), data),
                                field("shape", DataType.fixedList(DataType.INT32, dimensions), null)));
            }
        };
    }

    private static int offsetWidth(@Nullable Column column) {
        return column instanceof OffsetColumn offsets ? offsets.offsetWidth() : 4;
    }
}
