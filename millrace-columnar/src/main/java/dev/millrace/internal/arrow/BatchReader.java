package dev.millrace.internal.arrow;

import static dev.millrace.column.Column.UNKNOWN_NULLS;

import dev.millrace.column.BinaryColumn;
import dev.millrace.column.Bits;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.StringColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.internal.arrow.BatchBuffers.Node;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Builds columns from a record batch, by the layout of each field. All input is validated: lengths against buffers,
/// offsets against what they point into, indices against dictionaries.
final class BatchReader {
    private final BatchBuffers buffers;
    private final DictionaryRegistry dictionaries;

    BatchReader(BatchBuffers buffers, DictionaryRegistry dictionaries) {
        this.buffers = buffers;
        this.dictionaries = dictionaries;
    }

    /// The next column of exactly `rows` values.
    Column column(WireField field, long rows) {
        Column column = column(field);
        if (column.length() != rows) {
            throw buffers.malformed(field, "it has " + column.length() + " values, the batch " + rows + " rows");
        }
        return column;
    }

    private Column column(WireField field) {
        Node node = buffers.node(field);
        if (field.layout() instanceof ArrowLayout.Nothing) {
            return new NullColumn(node.length());
        }
        Buffer validity = buffers.validity(field, node);
        long length = node.length();
        return switch (field.layout()) {
            case ArrowLayout.Nothing _ -> throw new IllegalStateException();
            case ArrowLayout.Bit _ ->
                new BooleanColumn(length, buffers.take(field, (length + 7) / 8, 1), validity, 0, UNKNOWN_NULLS);
            case ArrowLayout.Fixed(int width) ->
                FixedColumns.of(field.type(), length, buffers.take(field, length, width), validity);
            case ArrowLayout.Date64 _ ->
                FixedColumns.of(field.type(), length, LayoutConversions.daysOfMillis(buffers, field, length), validity);
            case ArrowLayout.NarrowDecimal(int width) ->
                FixedColumns.of(
                        field.type(), length, LayoutConversions.wideDecimals(buffers, field, length, width), validity);
            case ArrowLayout.Variable(int offsetWidth) -> {
                Buffer offsets = offsets(field, length, offsetWidth);
                long end = ReferenceChecks.ascending(buffers, field, offsets, length, offsetWidth, Long.MAX_VALUE);
                yield variable(field, length, offsets, offsetWidth, buffers.take(field, end, 1), validity);
            }
            case ArrowLayout.View _ -> {
                LayoutConversions.Strings strings = LayoutConversions.ofViews(buffers, field, length, validity);
                yield variable(field, length, strings.offsets(), strings.offsetWidth(), strings.data(), validity);
            }
            case ArrowLayout.FixedBinary(int width) -> {
                LayoutConversions.Strings strings = LayoutConversions.ofFixedBinary(buffers, field, length, width);
                yield variable(field, length, strings.offsets(), strings.offsetWidth(), strings.data(), validity);
            }
            case ArrowLayout.Lists(int offsetWidth) -> list(field, length, offsetWidth, validity);
            case ArrowLayout.FixedLists(int size) -> fixedList(field, length, size, validity);
            case ArrowLayout.Structs _ ->
                new StructColumn(
                        (DataType.Struct) field.type(), length, children(field, length), validity, 0, UNKNOWN_NULLS);
            case ArrowLayout.Maps _ -> map(field, length, validity);
            case ArrowLayout.Indexed(int width, long id) -> indexed(field, length, width, id, validity, node);
            case ArrowLayout.Tensors(int elements) -> tensors(field, length, elements, validity);
            case ArrowLayout.VariableTensors _ -> variableTensors(field, length, validity);
        };
    }

    private Buffer offsets(WireField field, long length, int width) {
        // A column without values may omit its single offset.
        return buffers.take(field, length == 0 ? 0 : length + 1, width);
    }

    private static Column variable(
            WireField field, long length, Buffer offsets, int offsetWidth, Buffer data, @Nullable Buffer validity) {
        return field.type() instanceof DataType.Utf8
                ? new StringColumn(length, offsets, offsetWidth, data, validity, 0, UNKNOWN_NULLS)
                : new BinaryColumn(length, offsets, offsetWidth, data, validity, 0, UNKNOWN_NULLS);
    }

    private ListColumn list(WireField field, long length, int offsetWidth, @Nullable Buffer validity) {
        Buffer offsets = offsets(field, length, offsetWidth);
        Column elements = column(field.child(0));
        ReferenceChecks.ascending(buffers, field, offsets, length, offsetWidth, elements.length());
        DataType.ListOf type = DataType.list(elements.type());
        return new ListColumn(type, length, offsets, offsetWidth, elements, validity, 0, UNKNOWN_NULLS);
    }

    private FixedListColumn fixedList(WireField field, long length, int size, @Nullable Buffer validity) {
        Column elements = atLeast(field.child(0), column(field.child(0)), product(field, length, size));
        return new FixedListColumn((DataType.FixedList) field.type(), length, elements, validity, 0, UNKNOWN_NULLS);
    }

    private List<Column> children(WireField field, long length) {
        List<Column> children = new ArrayList<>();
        for (WireField child : field.children()) {
            children.add(atLeast(child, column(child), length));
        }
        return children;
    }

    /// Children may be longer than their parent declares.
    private Column atLeast(WireField field, Column column, long length) {
        if (column.length() < length) {
            throw buffers.malformed(field, "it has " + column.length() + " values where its parent needs " + length);
        }
        return column.length() == length ? column : column.slice(0, length);
    }

    private MapColumn map(WireField field, long length, @Nullable Buffer validity) {
        Buffer offsets = offsets(field, length, Integer.BYTES);
        WireField entries = field.child(0);
        Node node = buffers.node(entries);
        Buffer entryValidity = buffers.validity(entries, node);
        if (entryValidity != null) {
            buffers.drop(entryValidity); // entries are never null
        }
        List<Column> keyAndItem = children(entries, node.length());
        ReferenceChecks.ascending(buffers, field, offsets, length, Integer.BYTES, node.length());
        return new MapColumn(
                (DataType.MapOf) field.type(),
                length,
                offsets,
                Integer.BYTES,
                keyAndItem.get(0),
                keyAndItem.get(1),
                validity,
                0,
                UNKNOWN_NULLS);
    }

    private Column indexed(WireField field, long length, int width, long id, @Nullable Buffer validity, Node node) {
        DataType.Dictionary type = (DataType.Dictionary) field.type();
        FixedWidthColumn indices = FixedColumns.of(type.index(), length, buffers.take(field, length, width), validity);
        Column dictionary = dictionaries.get(id);
        if (dictionary == null) {
            if (node.nulls() < length) {
                throw buffers.malformed(field, "its dictionary " + id + " did not come before it");
            }
            dictionary = dictionaries.empty(field.child(0), id);
        }
        dictionary.forEachBuffer(buffers::share);
        ReferenceChecks.indices(buffers, field, indices, dictionary.length());
        return new DictionaryColumn(type, indices, dictionary);
    }

    private TensorColumn tensors(WireField field, long length, int elements, @Nullable Buffer validity) {
        WireField item = field.child(0);
        Node node = buffers.node(item);
        long count = product(field, length, elements);
        if (node.length() < count) {
            throw buffers.malformed(field, node.length() + " elements for " + length + " tensors of " + elements);
        }
        Buffer holes = buffers.validity(item, node);
        if (holes != null) {
            requireWhole(field, length, elements, validity, holes);
            buffers.drop(holes);
        }
        int width = ((ArrowLayout.Fixed) item.layout()).width();
        return (TensorColumn) FixedColumns.of(field.type(), length, buffers.take(item, count, width), validity);
    }

    /// Elements may be null only if the whole tensor is.
    private void requireWhole(WireField field, long length, int elements, @Nullable Buffer validity, Buffer holes) {
        for (long i = 0; i < length; i++) {
            if ((validity == null || Bits.get(validity.segment(), i))
                    && Bits.count(holes.segment(), i * elements, elements) != elements) {
                throw buffers.malformed(field, "tensor " + i + " has null elements");
            }
        }
    }

    private Column variableTensors(WireField field, long length, @Nullable Buffer validity) {
        Column data = atLeast(field.child(0), column(field.child(0)), length);
        Column shapes = atLeast(field.child(1), column(field.child(1)), length);
        VariableTensorColumn column = new VariableTensorColumn(
                (DataType.VariableTensor) field.type(),
                length,
                (ListColumn) data,
                (FixedListColumn) shapes,
                validity,
                0,
                UNKNOWN_NULLS);
        ReferenceChecks.shapes(buffers, field, column);
        return column;
    }

    private long product(WireField field, long length, int size) {
        try {
            return Math.multiplyExact(length, size);
        } catch (ArithmeticException _) {
            throw buffers.malformed(field, "it claims " + length + " lists of " + size);
        }
    }
}
