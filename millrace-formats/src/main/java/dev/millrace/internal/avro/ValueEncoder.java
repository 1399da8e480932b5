package dev.millrace.internal.avro;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.util.List;

/// Writes the values of one column in Avro's encoding, with the types of [AvroWriteSchema].
interface ValueEncoder {
    int NULL_BRANCH = 0;
    /// The union branch 1 as a zigzag varint.
    int VALUE_BRANCH = 2;

    void write(long row, GrowingBuffer out);

    /// An encoder that writes the union branch before each value.
    static ValueEncoder of(Column column) {
        if (column instanceof NullColumn) {
            return (_, _) -> {};
        }
        ValueEncoder values = plain(column);
        if (!column.hasNulls()) {
            return (row, out) -> {
                out.putByte(VALUE_BRANCH);
                values.write(row, out);
            };
        }
        return (row, out) -> {
            if (column.isNull(row)) {
                out.putByte(NULL_BRANCH);
            } else {
                out.putByte(VALUE_BRANCH);
                values.write(row, out);
            }
        };
    }

    private static ValueEncoder plain(Column column) {
        return switch (column) {
            case BooleanColumn bools -> (row, out) -> out.putByte(bools.get(row) ? 1 : 0);
            case LongColumn longs
            when isSeconds(longs.type()) -> (row, out) -> out.putZigzag(Math.multiplyExact(longs.get(row), 1_000L));
            case LongColumn longs -> (row, out) -> out.putZigzag(longs.get(row));
            case IntColumn seconds
            when isSeconds(seconds.type()) -> (row, out) -> out.putZigzag(seconds.get(row) * 1_000L);
            case IntColumn ints -> (row, out) -> out.putZigzag(ints.toLong(row));
            case ShortColumn shorts -> (row, out) -> out.putZigzag(shorts.toInt(row));
            case ByteColumn bytes -> (row, out) -> out.putZigzag(bytes.toInt(row));
            case FloatColumn floats -> (row, out) -> out.putFloat(floats.get(row));
            case HalfColumn halves -> (row, out) -> out.putFloat(halves.get(row));
            case DoubleColumn doubles -> (row, out) -> out.putDouble(doubles.get(row));
            case DecimalColumn decimals -> (row, out) -> decimal(decimals.high(row), decimals.low(row), out);
            case VariableWidthColumn bytes ->
                (row, out) -> {
                    long start = bytes.start(row);
                    long size = bytes.end(row) - start;
                    out.putZigzag(size);
                    out.put(bytes.dataSegment(), start, size);
                };
            case ListColumn lists -> {
                ValueEncoder elements = of(lists.elements());
                yield (row, out) -> array(elements, lists.start(row), lists.end(row), out);
            }
            case FixedListColumn lists -> {
                ValueEncoder elements = of(lists.elements());
                yield (row, out) -> array(elements, row * lists.size(), (row + 1) * lists.size(), out);
            }
            case MapColumn maps -> {
                ValueEncoder keys = plain(maps.keys());
                ValueEncoder items = of(maps.items());
                ValueEncoder entries = (row, out) -> {
                    keys.write(row, out);
                    items.write(row, out);
                };
                yield (row, out) -> array(entries, maps.start(row), maps.end(row), out);
            }
            case StructColumn structs -> {
                ValueEncoder[] members =
                        structs.children().stream().map(ValueEncoder::of).toArray(ValueEncoder[]::new);
                yield (row, out) -> {
                    for (ValueEncoder member : members) {
                        member.write(row, out);
                    }
                };
            }
            case DictionaryColumn dictionary -> {
                ValueEncoder values = plain(dictionary.dictionary());
                yield (row, out) -> values.write(dictionary.index(row), out);
            }
            case TensorColumn tensors -> tensor(tensors);
            case NullColumn _, VariableTensorColumn _ ->
                throw MillraceException.internal("a column of " + column.type() + " passed the check");
        };
    }

    private static boolean isSeconds(DataType type) {
        return type instanceof DataType.Timestamp time && time.unit() == TimeUnit.SECOND
                || type instanceof DataType.Time clock && clock.unit() == TimeUnit.SECOND;
    }

    private static void array(ValueEncoder elements, long from, long to, GrowingBuffer out) {
        if (to > from) {
            out.putZigzag(to - from);
            for (long i = from; i < to; i++) {
                elements.write(i, out);
            }
        }
        out.putByte(0);
    }

    /// Nested arrays, one level per dimension.
    private static ValueEncoder tensor(TensorColumn tensors) {
        Column flat = FixedWidthColumn.of(
                tensors.type().element(),
                tensors.length() * tensors.type().elements(),
                Buffer.unowned(tensors.values()),
                null,
                0,
                0);
        ValueEncoder nested = plain(flat);
        List<Integer> shape = tensors.type().shape();
        for (int i = shape.size() - 1; i >= 0; i--) {
            int size = shape.get(i);
            ValueEncoder inner = nested;
            nested = (row, out) -> array(inner, row * size, (row + 1) * size, out);
        }
        return nested;
    }

    /// Big-endian, in the minimum number of bytes.
    private static void decimal(long high, long low, GrowingBuffer out) {
        int size = 16;
        long sign = high >> 63;
        while (size > 1 && byteOf(high, low, size - 1) == (byte) sign && (byteOf(high, low, size - 2) >> 7) == sign) {
            size--;
        }
        out.putZigzag(size);
        for (int i = size - 1; i >= 0; i--) {
            out.putByte(byteOf(high, low, i));
        }
    }

    /// A byte of the number, counted from the least significant one.
    private static byte byteOf(long high, long low, int index) {
        return (byte) (index < 8 ? low >>> 8 * index : high >>> 8 * (index - 8));
    }
}
