package dev.millrace.batch;

import dev.millrace.column.BinaryColumn;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
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
import dev.millrace.column.StringColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.column.JavaTypes;
import dev.millrace.memory.Allocator;
import java.util.Arrays;

/// Typed access to the columns of a batch, and columns from Java values.
final class Takers {
    private Takers() {}

    static <C extends Column> C take(String name, Column column, Class<C> kind) {
        if (!kind.isInstance(column)) {
            throw MillraceException.user("Column '" + name + "' is " + column.type() + ", not a " + kind.getSimpleName()
                    + ". Take it with batch." + takerOf(column) + "(\"" + name + "\").");
        }
        return kind.cast(column);
    }

    private static String takerOf(Column column) {
        return switch (column) {
            case LongColumn _ -> "longs";
            case IntColumn _ -> "ints";
            case ShortColumn _ -> "shorts";
            case ByteColumn _ -> "bytes";
            case DoubleColumn _ -> "doubles";
            case FloatColumn _ -> "floats";
            case BooleanColumn _ -> "booleans";
            case StringColumn _ -> "strings";
            case BinaryColumn _ -> "binaries";
            case DecimalColumn _ -> "decimals";
            case ListColumn _ -> "lists";
            case FixedListColumn _ -> "fixedLists";
            case StructColumn _ -> "structs";
            case MapColumn _ -> "maps";
            case TensorColumn _ -> "tensors";
            case VariableTensorColumn _ -> "variableTensors";
            case DictionaryColumn _ -> "dictionaries";
            case HalfColumn _, NullColumn _ -> "column";
        };
    }

    /// A column with one reference, from an array or a collection.
    static Column column(Allocator allocator, String name, Object values) {
        return switch (values) {
            case null -> throw MillraceException.user("Column '" + name + "' got null instead of values.");
            case long[] array -> Columns.ofLongs(allocator, array);
            case int[] array -> Columns.ofInts(allocator, array);
            case double[] array -> Columns.ofDoubles(allocator, array);
            case float[] array -> Columns.ofFloats(allocator, array);
            case boolean[] array -> Columns.ofBooleans(allocator, array);
            case String[] array -> Columns.ofStrings(allocator, array);
            case byte[][] array -> Columns.ofBytes(allocator, array);
            case Object[] array -> ofValues(allocator, name, Arrays.asList(array));
            case Iterable<?> list -> ofValues(allocator, name, list);
            default ->
                throw MillraceException.user("Column '" + name + "' cannot be made of "
                        + values.getClass().getSimpleName()
                        + ". Give an array, a list of values or a column; the same value in every row is"
                        + " withConstant(name, value).");
        };
    }

    private static Column ofValues(Allocator allocator, String name, Iterable<?> values) {
        try {
            return Columns.of(allocator, JavaTypes.inferCommon(values), values);
        } catch (MillraceException e) {
            throw new MillraceException(e.culprit(), "Column '" + name + "': " + e.getMessage(), e);
        }
    }
}
