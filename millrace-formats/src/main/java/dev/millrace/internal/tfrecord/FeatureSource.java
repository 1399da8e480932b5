package dev.millrace.internal.tfrecord;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.binary.OutputWindow;
import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.memory.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A column as a feature of each row: its name and a list of values; a null row has no feature.
final class FeatureSource {
    private static final int BYTES_FIELD_1 = 1 << 3 | ProtobufMessage.BYTES;
    private static final int BYTES_FIELD_2 = 2 << 3 | ProtobufMessage.BYTES;

    private final byte[] name;
    private final Column column;
    private final FeatureKind kind;
    /// The values of all rows.
    private final Column elements;
    /// The number of values in each row; 0 if it varies.
    private final long perRow;

    /// Null if each row has `perRow` values.
    private final @Nullable ListColumn lists;
    /// Sizes for the row measured last: its values, the list message, the feature around it.
    private long values;

    private long list;
    private long feature;

    private FeatureSource(String name, Column column, Column elements, long perRow, @Nullable ListColumn lists) {
        this.name = name.getBytes(StandardCharsets.UTF_8);
        this.column = column;
        this.kind = Objects.requireNonNull(FeatureKind.writtenAs(column.type()), "the schema was checked");
        this.elements = elements;
        this.perRow = perRow;
        this.lists = lists;
    }

    static FeatureSource of(String name, Column column) {
        FeatureSource source = switch (column) {
            case ListColumn lists -> new FeatureSource(name, column, lists.elements(), 0, lists);
            case VariableTensorColumn tensors ->
                new FeatureSource(name, column, tensors.data().elements(), 0, tensors.data());
            case FixedListColumn lists -> new FeatureSource(name, column, lists.elements(), lists.size(), null);
            case TensorColumn tensors ->
                new FeatureSource(name, column, flat(tensors), tensors.type().elements(), null);
            // One element in each row.
            default -> new FeatureSource(name, column, column, 1, null);
        };
        if (source.elements != column && source.elements.hasNulls()) {
            throw MillraceException.user("writeTfRecords: lists in column '" + name
                    + "' have null elements, and a feature's list has none. Filter them out before the write.");
        }
        return source;
    }

    private static Column flat(TensorColumn tensors) {
        return FixedWidthColumn.of(
                tensors.type().element(),
                tensors.length() * tensors.type().elements(),
                Buffer.unowned(tensors.values()),
                null,
                0,
                0);
    }

    private long from(long row) {
        return lists == null ? row * perRow : lists.start(row);
    }

    private long to(long row) {
        return lists == null ? (row + 1) * perRow : lists.end(row);
    }

    /// The size of the map entry: name and feature.
    long measure(long row) {
        long entry = 1L + GrowingBuffer.varintSize(name.length) + name.length;
        if (column.isNull(row)) {
            values = -1;
            feature = 0;
        } else {
            values = valueBytes(from(row), to(row));
            list = kind == FeatureKind.BYTES ? values : 1 + GrowingBuffer.varintSize(values) + values;
            feature = 1 + GrowingBuffer.varintSize(list) + list;
        }
        return entry + 1 + GrowingBuffer.varintSize(feature) + feature;
    }

    private long valueBytes(long from, long to) {
        long bytes = 0;
        switch (kind) {
            case FLOAT -> bytes = Float.BYTES * (to - from);
            case INT64 -> {
                for (long i = from; i < to; i++) {
                    bytes += GrowingBuffer.varintSize(number(i));
                }
            }
            case BYTES -> {
                VariableWidthColumn texts = (VariableWidthColumn) elements;
                for (long i = from; i < to; i++) {
                    long size = texts.end(i) - texts.start(i);
                    bytes += 1 + GrowingBuffer.varintSize(size) + size;
                }
            }
        }
        return bytes;
    }

    /// Writes the entry of the row measured last, preceded by its length.
    void write(OutputWindow out, long row) throws IOException {
        out.putVarint(1L
                + GrowingBuffer.varintSize(name.length)
                + name.length
                + 1
                + GrowingBuffer.varintSize(feature)
                + feature);
        out.putByte(BYTES_FIELD_1);
        out.putVarint(name.length);
        out.put(name);
        out.putByte(BYTES_FIELD_2);
        out.putVarint(feature);
        if (values < 0) {
            return;
        }
        out.putByte(kind.field() << 3 | ProtobufMessage.BYTES);
        out.putVarint(list);
        if (kind != FeatureKind.BYTES) {
            out.putByte(BYTES_FIELD_1);
            out.putVarint(values);
        }
        writeValues(out, from(row), to(row));
    }

    private void writeValues(OutputWindow out, long from, long to) throws IOException {
        switch (kind) {
            case FLOAT -> {
                if (elements instanceof FloatColumn floats) {
                    out.put(floats.values(), from * Float.BYTES, (to - from) * Float.BYTES);
                    return;
                }
                for (long i = from; i < to; i++) {
                    out.putFloat(real(i));
                }
            }
            case INT64 -> {
                for (long i = from; i < to; i++) {
                    out.putVarint(number(i));
                }
            }
            case BYTES -> {
                VariableWidthColumn texts = (VariableWidthColumn) elements;
                for (long i = from; i < to; i++) {
                    long start = texts.start(i);
                    long size = texts.end(i) - start;
                    out.putByte(BYTES_FIELD_1);
                    out.putVarint(size);
                    out.put(texts.dataSegment(), start, size);
                }
            }
        }
    }

    private long number(long index) {
        return switch (elements) {
            case LongColumn longs -> longs.get(index);
            case IntColumn ints -> ints.toLong(index);
            case ShortColumn shorts -> shorts.toInt(index);
            case ByteColumn bytes -> bytes.toInt(index);
            case BooleanColumn bools -> bools.get(index) ? 1 : 0;
            case DictionaryColumn _,
                    FixedListColumn _,
                    FixedWidthColumn _,
                    NullColumn _,
                    OffsetColumn _,
                    StructColumn _,
                    VariableTensorColumn _ ->
                throw MillraceException.internal("no integers in a column of " + elements.type());
        };
    }

    private float real(long index) {
        return switch (elements) {
            case DoubleColumn doubles -> (float) doubles.get(index);
            case HalfColumn halves -> halves.get(index);
            case BooleanColumn _,
                    DictionaryColumn _,
                    FixedListColumn _,
                    FixedWidthColumn _,
                    NullColumn _,
                    OffsetColumn _,
                    StructColumn _,
                    VariableTensorColumn _ ->
                throw MillraceException.internal("no floats in a column of " + elements.type());
        };
    }
}
