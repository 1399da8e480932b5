package dev.millrace.internal.json;

import dev.millrace.column.BinaryColumn;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.StringColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.Tensor;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.Temporal;
import java.util.Base64;
import java.util.Objects;

/// Writes values of columns of any type as JSON.
public final class ValueWriter {
    private final JsonSink out;
    private final boolean withoutNulls;
    private final boolean namedFloats;

    /// @param withoutNulls omits fields of objects that are null
    /// @param namedFloats writes `NaN` and the infinities by name, not as null
    public ValueWriter(JsonSink out, boolean withoutNulls, boolean namedFloats) {
        this.out = out;
        this.withoutNulls = withoutNulls;
        this.namedFloats = namedFloats;
    }

    public void write(Column column, long index) {
        if (column.isNull(index)) {
            out.put("null");
            return;
        }
        switch (column) {
            case LongColumn longs when longs.type().equals(DataType.INT64) -> out.put(longs.get(index));
            case DoubleColumn doubles -> real(doubles.get(index));
            case StringColumn strings -> text(strings, index);
            case BooleanColumn booleans -> out.put(booleans.get(index) ? "true" : "false");
            case DictionaryColumn words -> write(words.dictionary(), words.index(index));
            case ListColumn lists -> elements(lists.elements(), lists.start(index), lists.end(index));
            case FixedListColumn lists -> {
                Column elements = lists.get(index);
                elements(elements, 0, elements.length());
            }
            case StructColumn structs -> struct(structs, index);
            case MapColumn maps -> map(maps, index);
            case BinaryColumn binaries ->
                out.putQuoted(
                        Base64.getEncoder().encodeToString(binaries.bytes(index).toArray(ValueLayout.JAVA_BYTE)));
            case FixedWidthColumn _, NullColumn _, VariableTensorColumn _ ->
                value(Objects.requireNonNull(column.value(index), "nulls were written before"));
        }
    }

    private void text(StringColumn strings, long index) {
        long start = strings.start(index);
        out.putText(strings.dataSegment(), start, strings.end(index) - start);
    }

    private void real(double value) {
        if (Double.isFinite(value)) {
            out.put(Double.toString(value));
        } else {
            out.put(namedFloats ? Double.toString(value) : "null");
        }
    }

    private void elements(Column elements, long from, long to) {
        out.put('[');
        for (long i = from; i < to; i++) {
            if (i > from) {
                out.put(',');
            }
            write(elements, i);
        }
        out.put(']');
    }

    private void struct(StructColumn structs, long index) {
        out.put('{');
        boolean first = true;
        for (int i = 0; i < structs.size(); i++) {
            Column child = structs.child(i);
            if (withoutNulls && child.isNull(index)) {
                continue;
            }
            if (!first) {
                out.put(',');
            }
            first = false;
            text(structs.type().fields().get(i).name());
            out.put(':');
            write(child, index);
        }
        out.put('}');
    }

    private void map(MapColumn maps, long index) {
        boolean object = maps.type().key().equals(DataType.UTF8);
        out.put(object ? '{' : '[');
        long from = maps.start(index);
        for (long i = from; i < maps.end(index); i++) {
            out.put(i > from ? "," : "");
            out.put(object ? "" : "{\"key\":");
            write(maps.keys(), i);
            out.put(object ? ":" : ",\"value\":");
            write(maps.items(), i);
            out.put(object ? "" : "}");
        }
        out.put(object ? '}' : ']');
    }

    private void text(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        out.putText(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    private void value(Object value) {
        switch (value) {
            case Float real -> {
                if (Float.isFinite(real)) {
                    out.put(Float.toString(real));
                } else {
                    real(real);
                }
            }
            case BigDecimal decimal -> out.put(decimal.toPlainString());
            case Number number -> out.put(number.toString());
            case ZonedDateTime time -> out.putQuoted(DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time));
            case LocalDateTime time -> out.putQuoted(DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time));
            case LocalTime time -> out.putQuoted(DateTimeFormatter.ISO_LOCAL_TIME.format(time));
            case Temporal time -> out.putQuoted(time.toString());
            case Tensor tensor -> tensor(tensor, 0, new int[1]);
            default -> text(value.toString());
        }
    }

    private void tensor(Tensor tensor, int dimension, int[] next) {
        if (dimension == tensor.dimensions()) {
            int index = next[0]++;
            if (tensor.element() instanceof DataType.Float) {
                real(tensor.getDouble(index));
            } else {
                out.put(tensor.getLong(index));
            }
            return;
        }
        out.put('[');
        for (int i = 0; i < tensor.shape()[dimension]; i++) {
            out.put(i > 0 ? "," : "");
            tensor(tensor, dimension + 1, next);
        }
        out.put(']');
    }
}
