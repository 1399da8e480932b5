package dev.millrace.internal.arrow;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.DateUnit;
import org.apache.arrow.flatbuf.Decimal;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FixedSizeBinary;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Time;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.jspecify.annotations.Nullable;

/// Converts Arrow's schema metadata to [WireField]s. A type without a Millrace column is a data error that names the
/// field. Only custom metadata, field nullability and extension types other than tensors are dropped.
final class SchemaReader {
    /// Corrupt metadata can refer to itself: valid schemas are neither this deep nor this large.
    private static final int MAX_DEPTH = 64;

    private static final int MIN_FIELD_BYTES = 8;

    private final String where;
    private long fieldsLeft;

    private SchemaReader(String where, long fieldsLeft) {
        this.where = where;
        this.fieldsLeft = fieldsLeft;
    }

    /// @param where the name of the input, for errors
    /// @throws MillraceException culprit DATA
    static WireSchema read(org.apache.arrow.flatbuf.@Nullable Schema schema, String where) {
        if (schema == null) {
            throw ArrowErrors.at(where, "there is no schema");
        }
        try {
            if (schema.endianness() != Endianness.Little) {
                throw MillraceException.data(where + " holds big-endian data. Write it on a little-endian machine.");
            }
            SchemaReader reader = new SchemaReader(where, schema.getByteBuffer().capacity() / MIN_FIELD_BYTES);
            List<WireField> fields = new ArrayList<>();
            for (int i = 0; i < schema.fieldsLength(); i++) {
                fields.add(reader.field(schema.fields(i), "", 0));
            }
            return new WireSchema(fields, where);
        } catch (MillraceException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new MillraceException(Culprit.DATA, where + ": the schema is corrupt (" + e + ").", e);
        }
    }

    private WireField field(Field field, String parent, int depth) {
        if (--fieldsLeft < 0 || depth > MAX_DEPTH) {
            throw MillraceException.data(where + ": the schema is corrupt: its fields are nested without end.");
        }
        String name = field.name() == null ? "" : field.name();
        String path = parent.isEmpty() ? name : parent + "." + name;
        List<WireField> children = new ArrayList<>();
        for (int i = 0; i < field.childrenLength(); i++) {
            children.add(field(field.children(i), path, depth + 1));
        }
        try {
            WireField plain = TensorExtension.recognise(storage(field, name, path, children), field);
            return field.dictionary() == null ? plain : indexed(plain, field.dictionary());
        } catch (IllegalArgumentException e) {
            throw new MillraceException(Culprit.DATA, where + ": field '" + path + "': " + e.getMessage() + ".", e);
        }
    }

    private static WireField indexed(WireField values, DictionaryEncoding encoding) {
        Int index = encoding.indexType();
        // Without an index type Arrow's default is int32.
        DataType.Int type = index == null ? DataType.INT32 : new DataType.Int(index.bitWidth(), index.isSigned());
        return new WireField(
                values.name(),
                new DataType.Dictionary(type, values.type(), encoding.isOrdered()),
                new ArrowLayout.Indexed(type.bits() / 8, encoding.id()),
                List.of(values));
    }

    private WireField storage(Field field, String name, String path, List<WireField> children) {
        return switch (field.typeType()) {
            case Type.Null -> new WireField(name, DataType.NULL, new ArrowLayout.Nothing());
            case Type.Bool -> new WireField(name, DataType.BOOL, new ArrowLayout.Bit());
            case Type.Int -> {
                Int type = (Int) field.type(new Int());
                yield fixed(name, new DataType.Int(type.bitWidth(), type.isSigned()), type.bitWidth() / 8);
            }
            case Type.FloatingPoint ->
                switch (((FloatingPoint) field.type(new FloatingPoint())).precision()) {
                    case Precision.HALF -> fixed(name, DataType.FLOAT16, 2);
                    case Precision.SINGLE -> fixed(name, DataType.FLOAT32, 4);
                    case Precision.DOUBLE -> fixed(name, DataType.FLOAT64, 8);
                    default -> throw new IllegalArgumentException("its floating point precision is unknown");
                };
            case Type.Decimal -> decimal(name, path, (Decimal) field.type(new Decimal()));
            case Type.Date ->
                ((org.apache.arrow.flatbuf.Date) field.type(new org.apache.arrow.flatbuf.Date())).unit() == DateUnit.DAY
                        ? fixed(name, DataType.DATE, 4)
                        : new WireField(name, DataType.DATE, new ArrowLayout.Date64());
            case Type.Time -> {
                TimeUnit unit = unit(((Time) field.type(new Time())).unit());
                yield fixed(name, DataType.time(unit), unit.perSecond() <= 1_000 ? 4 : 8);
            }
            case Type.Timestamp -> {
                Timestamp type = (Timestamp) field.type(new Timestamp());
                String zone = type.timezone() == null || type.timezone().isEmpty() ? null : type.timezone();
                yield fixed(name, DataType.timestamp(unit(type.unit()), zone), 8);
            }
            case Type.Duration -> {
                var type = (org.apache.arrow.flatbuf.Duration) field.type(new org.apache.arrow.flatbuf.Duration());
                yield fixed(name, DataType.duration(unit(type.unit())), 8);
            }
            case Type.Utf8 -> new WireField(name, DataType.UTF8, new ArrowLayout.Variable(4));
            case Type.LargeUtf8 -> new WireField(name, DataType.UTF8, new ArrowLayout.Variable(8));
            case Type.Utf8View -> new WireField(name, DataType.UTF8, new ArrowLayout.View());
            case Type.Binary -> new WireField(name, DataType.BINARY, new ArrowLayout.Variable(4));
            case Type.LargeBinary -> new WireField(name, DataType.BINARY, new ArrowLayout.Variable(8));
            case Type.BinaryView -> new WireField(name, DataType.BINARY, new ArrowLayout.View());
            case Type.FixedSizeBinary -> {
                int width = ((FixedSizeBinary) field.type(new FixedSizeBinary())).byteWidth();
                if (width < 0) {
                    throw new IllegalArgumentException("its byte width is " + width);
                }
                yield new WireField(name, DataType.BINARY, new ArrowLayout.FixedBinary(width));
            }
            case Type.List -> list(name, children, 4);
            case Type.LargeList -> list(name, children, 8);
            case Type.FixedSizeList -> {
                requireChildren(children, 1);
                int size = ((FixedSizeList) field.type(new FixedSizeList())).listSize();
                DataType type = DataType.fixedList(children.getFirst().type(), size);
                yield new WireField(name, type, new ArrowLayout.FixedLists(size), children);
            }
            case Type.Struct_ ->
                new WireField(
                        name,
                        new DataType.Struct(children.stream()
                                .map(child -> new dev.millrace.type.Field(child.name(), child.type()))
                                .toList()),
                        new ArrowLayout.Structs(),
                        children);
            case Type.Map -> {
                requireChildren(children, 1);
                WireField entries = children.getFirst();
                if (!(entries.layout() instanceof ArrowLayout.Structs)) {
                    throw new IllegalArgumentException("a map whose entries are no structs");
                }
                requireChildren(entries.children(), 2);
                DataType type =
                        DataType.map(entries.child(0).type(), entries.child(1).type());
                yield new WireField(name, type, new ArrowLayout.Maps(), children);
            }
            default -> throw unsupported(path, field.typeType());
        };
    }

    private static WireField fixed(String name, DataType type, int width) {
        return new WireField(name, type, new ArrowLayout.Fixed(width));
    }

    private static WireField list(String name, List<WireField> children, int offsetWidth) {
        requireChildren(children, 1);
        DataType type = DataType.list(children.getFirst().type());
        return new WireField(name, type, new ArrowLayout.Lists(offsetWidth), children);
    }

    private WireField decimal(String name, String path, Decimal type) {
        return switch (type.bitWidth()) {
            case 128 -> fixed(name, DataType.decimal(type.precision(), type.scale()), 16);
            case 32, 64 ->
                new WireField(
                        name,
                        DataType.decimal(type.precision(), type.scale()),
                        new ArrowLayout.NarrowDecimal(type.bitWidth() / 8));
            default ->
                throw MillraceException.data(
                        where + ": field '" + path + "' is a decimal of " + type.bitWidth()
                                + " bits; Millrace has decimals of up to 128 bits (38 digits). Cast the column before writing it.");
        };
    }

    private static TimeUnit unit(short unit) {
        return switch (unit) {
            case org.apache.arrow.flatbuf.TimeUnit.SECOND -> TimeUnit.SECOND;
            case org.apache.arrow.flatbuf.TimeUnit.MILLISECOND -> TimeUnit.MILLISECOND;
            case org.apache.arrow.flatbuf.TimeUnit.MICROSECOND -> TimeUnit.MICROSECOND;
            case org.apache.arrow.flatbuf.TimeUnit.NANOSECOND -> TimeUnit.NANOSECOND;
            default -> throw new IllegalArgumentException("its time unit " + unit + " is unknown");
        };
    }

    private static void requireChildren(List<WireField> children, int count) {
        if (children.size() != count) {
            throw new IllegalArgumentException("it has " + children.size() + " children instead of " + count);
        }
    }

    private MillraceException unsupported(String path, byte type) {
        String name = type >= 0 && type < Type.names.length ? Type.name(type) : "number " + type;
        return MillraceException.data(where + ": field '" + path + "' has the Arrow type " + name
                + ", which Millrace has no columns for. Leave it out or cast it before writing.");
    }
}
