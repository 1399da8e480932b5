package dev.millrace.internal.numpy;

import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A type of array elements, as written in `.npy` headers: `<f8`, `|b1`, `<U10`, `<M8[us]`.
///
/// @param kind `b`, `i`, `u`, `f`, `S`, `U`, `M` or `m`
/// @param bytes the size of one element in the file
/// @param unit of dates, times and durations; null otherwise
record NumpyType(
        char kind, int bytes, boolean bigEndian, @Nullable String unit) {
    private static final Pattern TEXT = Pattern.compile("([<>|=]?)([a-zA-Z?])(\\d*)(?:\\[(\\w+)])?");
    private static final List<String> UNITS = List.of("D", "s", "ms", "us", "ns");

    /// @return null if there is no column type for it
    static @Nullable NumpyType parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches() || parts.group(3).length() > 9) {
            return null;
        }
        char kind = parts.group(2).charAt(0);
        int size = parts.group(3).isEmpty() ? 0 : Integer.parseInt(parts.group(3));
        @Nullable String unit = parts.group(4);
        boolean known = switch (kind) {
            case 'b' -> size == 1;
            case 'i', 'u' -> size == 1 || size == 2 || size == 4 || size == 8;
            case 'f' -> size == 2 || size == 4 || size == 8;
            case 'S' -> true;
            case 'U' -> size <= Integer.MAX_VALUE / 4;
            case 'M' -> size == 8 && UNITS.contains(unit);
            case 'm' -> size == 8 && UNITS.contains(unit) && !"D".equals(unit);
            default -> false;
        };
        boolean hasUnit = kind == 'M' || kind == 'm';
        if (!known || !hasUnit && unit != null) {
            return null;
        }
        return new NumpyType(kind, kind == 'U' ? size * 4 : size, parts.group(1).equals(">"), unit);
    }

    /// The data type of one element.
    DataType element() {
        return switch (kind) {
            case 'b' -> DataType.BOOL;
            case 'i' -> new DataType.Int(bytes * 8, true);
            case 'u' -> new DataType.Int(bytes * 8, false);
            case 'f' -> new DataType.Float(bytes * 8);
            case 'S' -> DataType.BINARY;
            case 'U' -> DataType.UTF8;
            case 'M' -> "D".equals(unit) ? DataType.DATE : DataType.timestamp(timeUnit());
            default -> DataType.duration(timeUnit());
        };
    }

    private TimeUnit timeUnit() {
        return Arrays.stream(TimeUnit.values())
                .filter(one -> one.symbol().equals(unit))
                .findFirst()
                .orElseThrow();
    }

    /// True if the type can be a tensor's element type; booleans become uint8.
    boolean isTensorElement() {
        return switch (kind) {
            case 'b', 'i', 'u', 'f' -> true;
            default -> false;
        };
    }

    /// True if elements have the same layout in the file as in a column, except for the byte order.
    boolean isStored() {
        return switch (kind) {
            case 'i', 'u', 'f' -> true;
            default -> false;
        };
    }

    /// The type of a value of this shape; null if there is none.
    @Nullable
    DataType valueType(int[] shape) {
        if (shape.length == 0) {
            return element();
        }
        return isTensorElement() ? DataType.tensor(kind == 'b' ? DataType.UINT8 : element(), shape) : null;
    }

    /// The type with which the elements of a column are written, or null if NumPy has none.
    static @Nullable NumpyType of(DataType type) {
        return switch (type) {
            case DataType.Bool _ -> new NumpyType('b', 1, false, null);
            case DataType.Int integer -> new NumpyType(integer.signed() ? 'i' : 'u', integer.bits() / 8, false, null);
            case DataType.Float real -> new NumpyType('f', real.bits() / 8, false, null);
            case DataType.Date _ -> new NumpyType('M', 8, false, "D");
            case DataType.Timestamp time ->
                new NumpyType('M', 8, false, time.unit().symbol());
            case DataType.Duration time ->
                new NumpyType('m', 8, false, time.unit().symbol());
            case DataType.Tensor tensor -> of(tensor.element());
            case DataType.VariableTensor tensor -> of(tensor.element());
            case DataType.FixedList list when isPlain(list.element()) -> of(list.element());
            case DataType.ListOf list when isPlain(list.element()) -> of(list.element());
            case DataType.Null _,
                    DataType.Decimal _,
                    DataType.Time _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.ListOf _,
                    DataType.FixedList _,
                    DataType.Struct _,
                    DataType.MapOf _ -> null;
        };
    }

    private static boolean isPlain(DataType type) {
        return type.isNumeric();
    }

    @Override
    public String toString() {
        String order = bytes == 1 || kind == 'S' ? "|" : bigEndian ? ">" : "<";
        return order + kind + (kind == 'U' ? bytes / 4 : bytes) + (unit == null ? "" : "[" + unit + "]");
    }
}
