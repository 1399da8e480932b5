package dev.millrace.internal.kernel.aggregate;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedListColumn;
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
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Whether two rows have equal values: null is equal to null, NaN to NaN, 0.0 to -0.0, nested values by their elements.
final class SameValues {
    private final Column[] columns;

    SameValues(List<Column> columns) {
        this.columns = columns.toArray(Column[]::new);
    }

    boolean test(long a, long b) {
        for (Column column : columns) {
            if (!same(column, a, b)) {
                return false;
            }
        }
        return true;
    }

    private static boolean same(Column column, long a, long b) {
        if (column.hasNulls()) {
            boolean isNull = column.isNull(a);
            if (isNull != column.isNull(b)) {
                return false;
            }
            if (isNull) {
                return true;
            }
        }
        return switch (column) {
            case NullColumn _ -> true;
            case BooleanColumn booleans -> booleans.get(a) == booleans.get(b);
            case ByteColumn bytes -> bytes.get(a) == bytes.get(b);
            case ShortColumn shorts -> shorts.get(a) == shorts.get(b);
            case IntColumn ints -> ints.get(a) == ints.get(b);
            case LongColumn longs -> longs.get(a) == longs.get(b);
            case HalfColumn halves -> same(halves.get(a), halves.get(b));
            case FloatColumn floats -> same(floats.get(a), floats.get(b));
            case DoubleColumn doubles -> same(doubles.get(a), doubles.get(b));
            case DecimalColumn decimals -> decimals.low(a) == decimals.low(b) && decimals.high(a) == decimals.high(b);
            case VariableWidthColumn bytes -> {
                MemorySegment data = bytes.dataSegment();
                long length = bytes.end(a) - bytes.start(a);
                yield length == bytes.end(b) - bytes.start(b)
                        && MemorySegment.mismatch(
                                        data, bytes.start(a), bytes.end(a), data, bytes.start(b), bytes.end(b))
                                < 0;
            }
            case DictionaryColumn dictionary -> {
                int x = dictionary.index(a);
                int y = dictionary.index(b);
                yield x == y || same(dictionary.dictionary(), x, y);
            }
            case ListColumn list -> same(list.elements(), list.start(a), list.end(a), list.start(b), list.end(b));
            case FixedListColumn list ->
                same(list.elements(), a * list.size(), (a + 1) * list.size(), b * list.size(), (b + 1) * list.size());
            case MapColumn map ->
                same(map.keys(), map.start(a), map.end(a), map.start(b), map.end(b))
                        && same(map.items(), map.start(a), map.end(a), map.start(b), map.end(b));
            case StructColumn struct -> struct.children().stream().allMatch(child -> same(child, a, b));
            case TensorColumn tensor ->
                MemorySegment.mismatch(
                                tensor.values(),
                                a * tensor.byteWidth(),
                                (a + 1) * tensor.byteWidth(),
                                tensor.values(),
                                b * tensor.byteWidth(),
                                (b + 1) * tensor.byteWidth())
                        < 0;
            case VariableTensorColumn tensor -> same(tensor.shapes(), a, b) && same(tensor.data(), a, b);
        };
    }

    private static boolean same(double a, double b) {
        return a == b || Double.isNaN(a) && Double.isNaN(b);
    }

    private static boolean same(Column elements, long from, long end, long otherFrom, long otherEnd) {
        if (end - from != otherEnd - otherFrom) {
            return false;
        }
        for (long i = from, j = otherFrom; i < end; i++, j++) {
            if (!same(elements, i, j)) {
                return false;
            }
        }
        return true;
    }
}
