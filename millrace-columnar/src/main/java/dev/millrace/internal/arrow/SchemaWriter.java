package dev.millrace.internal.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.Date;
import org.apache.arrow.flatbuf.DateUnit;
import org.apache.arrow.flatbuf.Decimal;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.DictionaryKind;
import org.apache.arrow.flatbuf.Duration;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Time;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;

/// Converts [WireField]s to Arrow's schema metadata. All fields are nullable except where Arrow forbids it: map entries
/// and keys.
final class SchemaWriter {
    private final FlatBufferBuilder out;

    private SchemaWriter(FlatBufferBuilder out) {
        this.out = out;
    }

    /// Writes the schema table; returns its position in `out`.
    static int write(FlatBufferBuilder out, WireSchema schema) {
        SchemaWriter writer = new SchemaWriter(out);
        int fields = Schema.createFieldsVector(out, writer.fields(schema.fields(), false));
        return Schema.createSchema(out, Endianness.Little, fields, 0, 0);
    }

    private int[] fields(List<WireField> fields, boolean keyed) {
        int[] places = new int[fields.size()];
        for (int i = 0; i < places.length; i++) {
            places[i] = field(fields.get(i), !keyed || i > 0);
        }
        return places;
    }

    private int field(WireField field, boolean nullable) {
        // The schema describes a dictionary-encoded field by the type and the children of its values.
        WireField plain = field.layout() instanceof ArrowLayout.Indexed ? field.child(0) : field;
        int children = Field.createChildrenVector(out, children(plain));
        int dictionary = 0;
        if (field.layout() instanceof ArrowLayout.Indexed(int _, long id)) {
            DataType.Dictionary type = (DataType.Dictionary) field.type();
            int index = Int.createInt(out, type.index().bits(), type.index().signed());
            dictionary = DictionaryEncoding.createDictionaryEncoding(
                    out, id, index, type.ordered(), DictionaryKind.DenseArray);
        }
        int metadata = metadata(TensorExtension.metadata(plain.type()));
        int name = out.createString(field.name());
        byte kind = kind(plain);
        int type = type(plain);
        Field.startField(out);
        Field.addName(out, name);
        Field.addNullable(out, nullable);
        Field.addTypeType(out, kind);
        Field.addType(out, type);
        Field.addChildren(out, children);
        if (dictionary != 0) {
            Field.addDictionary(out, dictionary);
        }
        if (metadata != 0) {
            Field.addCustomMetadata(out, metadata);
        }
        return Field.endField(out);
    }

    private int[] children(WireField field) {
        if (field.layout() instanceof ArrowLayout.Maps) {
            WireField entries = field.child(0);
            int keyAndValue = Field.createChildrenVector(out, fields(entries.children(), true));
            int name = out.createString(entries.name());
            int type = type(entries);
            Field.startField(out);
            Field.addName(out, name);
            Field.addNullable(out, false);
            Field.addTypeType(out, Type.Struct_);
            Field.addType(out, type);
            Field.addChildren(out, keyAndValue);
            return new int[] {Field.endField(out)};
        }
        return fields(field.children(), false);
    }

    private int metadata(Map<String, String> pairs) {
        if (pairs.isEmpty()) {
            return 0;
        }
        int[] places = pairs.entrySet().stream()
                .mapToInt(pair -> KeyValue.createKeyValue(
                        out, out.createString(pair.getKey()), out.createString(pair.getValue())))
                .toArray();
        return Field.createCustomMetadataVector(out, places);
    }

    private static byte kind(WireField field) {
        boolean large = field.layout() instanceof ArrowLayout.Variable(int width) && width == 8
                || field.layout() instanceof ArrowLayout.Lists(int listWidth) && listWidth == 8;
        return switch (field.type()) {
            case DataType.Null _ -> Type.Null;
            case DataType.Bool _ -> Type.Bool;
            case DataType.Int _ -> Type.Int;
            case DataType.Float _ -> Type.FloatingPoint;
            case DataType.Decimal _ -> Type.Decimal;
            case DataType.Date _ -> Type.Date;
            case DataType.Time _ -> Type.Time;
            case DataType.Timestamp _ -> Type.Timestamp;
            case DataType.Duration _ -> Type.Duration;
            case DataType.Utf8 _ -> large ? Type.LargeUtf8 : Type.Utf8;
            case DataType.Binary _ -> large ? Type.LargeBinary : Type.Binary;
            case DataType.ListOf _ -> large ? Type.LargeList : Type.List;
            case DataType.FixedList _, DataType.Tensor _ -> Type.FixedSizeList;
            case DataType.Struct _, DataType.VariableTensor _ -> Type.Struct_;
            case DataType.MapOf _ -> Type.Map;
            case DataType.Dictionary _ -> throw new IllegalStateException("a dictionary of dictionaries");
        };
    }

    private int type(WireField field) {
        return switch (field.type()) {
            case DataType.Int(int bits, boolean signed) -> Int.createInt(out, bits, signed);
            case DataType.Float(int bits) ->
                FloatingPoint.createFloatingPoint(
                        out, bits == 16 ? Precision.HALF : bits == 32 ? Precision.SINGLE : Precision.DOUBLE);
            case DataType.Decimal(int precision, int scale) -> Decimal.createDecimal(out, precision, scale, 128);
            case DataType.Date _ -> Date.createDate(out, DateUnit.DAY);
            case DataType.Time(TimeUnit unit) -> Time.createTime(out, unit(unit), unit.perSecond() <= 1_000 ? 32 : 64);
            case DataType.Timestamp(TimeUnit unit, String zone) ->
                Timestamp.createTimestamp(out, unit(unit), zone == null ? 0 : out.createString(zone));
            case DataType.Duration(TimeUnit unit) -> Duration.createDuration(out, unit(unit));
            case DataType.FixedList(DataType _, int size) -> FixedSizeList.createFixedSizeList(out, size);
            case DataType.Tensor tensor -> FixedSizeList.createFixedSizeList(out, Math.toIntExact(tensor.elements()));
            case DataType.MapOf _ -> org.apache.arrow.flatbuf.Map.createMap(out, false);
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.ListOf _,
                    DataType.Struct _,
                    DataType.VariableTensor _ -> empty();
        };
    }

    /// A table without fields, which represents all types without parameters.
    private int empty() {
        out.startTable(0);
        return out.endTable();
    }

    private static short unit(TimeUnit unit) {
        return switch (unit) {
            case SECOND -> org.apache.arrow.flatbuf.TimeUnit.SECOND;
            case MILLISECOND -> org.apache.arrow.flatbuf.TimeUnit.MILLISECOND;
            case MICROSECOND -> org.apache.arrow.flatbuf.TimeUnit.MICROSECOND;
            case NANOSECOND -> org.apache.arrow.flatbuf.TimeUnit.NANOSECOND;
        };
    }
}
