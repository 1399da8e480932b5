package dev.millrace.type;

import dev.millrace.error.MillraceException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The common type of two types: that of a column when two sources are read or united into one. Symmetric except for
/// the order of fields: those of the first, followed by the additional fields of the second.
///
/// | one | other | common |
/// |---|---|---|
/// | null | T | T |
/// | int | wider int | the wider; signed with unsigned the next signed one that holds both (with uint64: int64) |
/// | int | float | a float that holds the int's digits (int64: float64) |
/// | decimal | int, decimal | a decimal with room for both |
/// | decimal | float | float64 |
/// | date, timestamp, time, duration | of another unit | the finer unit; two zones become UTC |
/// | list, fixed list | list of another element or size | list of the common element |
/// | struct | struct | merged field by field |
/// | tensor | tensor of another shape | variable tensor of as many dimensions |
/// | dictionary | its value type | the value type |
public final class Types {
    private static final int MAX_DIGITS = 38;

    private Types() {}

    /// The common type, by the table above.
    ///
    /// @throws MillraceException culprit DATA, naming both, if they have no common type
    public static DataType unify(DataType a, DataType b) {
        return common(a, b)
                .orElseThrow(() -> MillraceException.data("The types " + a + " and " + b + " have no common type."));
    }

    /// The columns of both; a column of one side only is kept, and is null for the rows of the other.
    ///
    /// @throws MillraceException culprit DATA, naming the column and both types
    public static Schema unify(Schema a, Schema b) {
        if (a.equals(b)) {
            return a;
        }
        List<Field> fields = new ArrayList<>();
        for (Field field : a.fields()) {
            int other = b.indexOf(field.name());
            fields.add(
                    other < 0
                            ? field
                            : new Field(
                                    field.name(),
                                    unify(
                                            field.name(),
                                            field.type(),
                                            b.field(other).type())));
        }
        for (Field field : b.fields()) {
            if (!a.contains(field.name())) {
                fields.add(field);
            }
        }
        return Schema.of(fields);
    }

    private static DataType unify(String column, DataType a, DataType b) {
        return common(a, b)
                .orElseThrow(() -> MillraceException.data("Column '" + column + "' is " + a + " in one place and " + b
                        + " in another, which have no common type. Convert one of them first."));
    }

    /// True if values of this type have an order, so that they can be sorted and compared by less and greater.
    public static boolean hasOrder(DataType type) {
        return switch (type) {
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Date _,
                    DataType.Time _,
                    DataType.Timestamp _,
                    DataType.Duration _,
                    DataType.Utf8 _,
                    DataType.Binary _ -> true;
            case DataType.Dictionary dictionary -> hasOrder(dictionary.value());
            case DataType.ListOf _,
                    DataType.FixedList _,
                    DataType.Struct _,
                    DataType.MapOf _,
                    DataType.Tensor _,
                    DataType.VariableTensor _ -> false;
        };
    }

    /// The common type, or empty.
    public static Optional<DataType> common(DataType a, DataType b) {
        if (a.equals(b) || b instanceof DataType.Null) {
            return Optional.of(a);
        }
        return switch (a) {
            case DataType.Null _ -> Optional.of(b);
            case DataType.Dictionary one
            when b instanceof DataType.Dictionary other ->
                common(one.value(), other.value())
                        .map(value -> new DataType.Dictionary(DataType.INT32, value, one.ordered() && other.ordered()));
            case DataType.Dictionary one -> common(one.value(), b);
            case DataType _ when b instanceof DataType.Dictionary other -> common(a, other.value());
            case DataType.Int one -> withInt(one, b);
            case DataType.Float one -> withFloat(one, b);
            case DataType.Decimal one -> withDecimal(one, b);
            case DataType.Date _, DataType.Timestamp _ -> instants(a, b);
            case DataType.Time one ->
                b instanceof DataType.Time other ? Optional.of(DataType.time(finer(one.unit(), other.unit()))) : none();
            case DataType.Duration one ->
                b instanceof DataType.Duration other
                        ? Optional.of(DataType.duration(finer(one.unit(), other.unit())))
                        : none();
            case DataType.ListOf _, DataType.FixedList _ -> lists(a, b);
            case DataType.Struct one -> b instanceof DataType.Struct other ? structs(one, other) : none();
            case DataType.MapOf one -> b instanceof DataType.MapOf other ? maps(one, other) : none();
            case DataType.Tensor _, DataType.VariableTensor _ -> tensors(a, b);
            case DataType.Bool _, DataType.Utf8 _, DataType.Binary _ -> none();
        };
    }

    private static Optional<DataType> withInt(DataType.Int one, DataType b) {
        return switch (b) {
            case DataType.Int other
            when one.signed() == other.signed() -> Optional.of(one.bits() > other.bits() ? one : other);
            case DataType.Int other -> {
                DataType.Int signed = one.signed() ? one : other;
                DataType.Int unsigned = one.signed() ? other : one;
                yield Optional.of(new DataType.Int(Math.min(64, Math.max(signed.bits(), 2 * unsigned.bits())), true));
            }
            case DataType.Float other -> {
                int needed = one.bits() == 8 ? 16 : one.bits() == 16 ? 32 : 64;
                yield Optional.of(new DataType.Float(Math.max(needed, other.bits())));
            }
            case DataType.Decimal other -> withDecimal(other, one);
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> none();
        };
    }

    private static Optional<DataType> withFloat(DataType.Float one, DataType b) {
        return switch (b) {
            case DataType.Float other -> Optional.of(one.bits() > other.bits() ? one : other);
            case DataType.Int other -> withInt(other, one);
            case DataType.Decimal _ -> Optional.of(DataType.FLOAT64);
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> none();
        };
    }

    private static Optional<DataType> withDecimal(DataType.Decimal one, DataType b) {
        return switch (b) {
            case DataType.Decimal other -> {
                int scale = Math.max(one.scale(), other.scale());
                int whole = Math.max(one.precision() - one.scale(), other.precision() - other.scale());
                yield whole + scale <= MAX_DIGITS
                        ? Optional.of(DataType.decimal(Math.max(1, whole + scale), scale))
                        : none();
            }
            case DataType.Int other -> withDecimal(one, DataType.decimal(digits(other), 0));
            case DataType.Float _ -> Optional.of(DataType.FLOAT64);
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> none();
        };
    }

    private static int digits(DataType.Int type) {
        return switch (type.bits()) {
            case 8 -> 3;
            case 16 -> 5;
            case 32 -> 10;
            default -> type.signed() ? 19 : 20;
        };
    }

    private static Optional<DataType> instants(DataType a, DataType b) {
        if (a instanceof DataType.Date) {
            return b instanceof DataType.Timestamp stamp && stamp.zone() == null ? Optional.of(b) : none();
        }
        DataType.Timestamp one = (DataType.Timestamp) a;
        return switch (b) {
            case DataType.Date _ when one.zone() == null -> Optional.of(a);
            case DataType.Timestamp other
            when (one.zone() == null) == (other.zone() == null) -> {
                String zone = one.zone() == null || one.zone().equals(other.zone()) ? one.zone() : "UTC";
                yield Optional.of(DataType.timestamp(finer(one.unit(), other.unit()), zone));
            }
            // No common type.
            default -> none();
        };
    }

    private static Optional<DataType> lists(DataType a, DataType b) {
        DataType one = elementOf(a);
        DataType other = elementOf(b);
        if (one == null || other == null) {
            return none();
        }
        boolean sameSize =
                a instanceof DataType.FixedList x && b instanceof DataType.FixedList y && x.size() == y.size();
        return common(one, other)
                .map(element -> sameSize
                        ? DataType.fixedList(element, ((DataType.FixedList) a).size())
                        : DataType.list(element));
    }

    private static @Nullable DataType elementOf(DataType list) {
        return switch (list) {
            case DataType.ListOf of -> of.element();
            case DataType.FixedList fixed -> fixed.element();
            // Not a list type.
            default -> null;
        };
    }

    private static Optional<DataType> structs(DataType.Struct a, DataType.Struct b) {
        Map<String, DataType> merged = new LinkedHashMap<>();
        a.fields().forEach(field -> merged.put(field.name(), field.type()));
        for (Field field : b.fields()) {
            Optional<DataType> common = common(merged.getOrDefault(field.name(), DataType.NULL), field.type());
            if (common.isEmpty()) {
                return none();
            }
            merged.put(field.name(), common.get());
        }
        return Optional.of(new DataType.Struct(merged.entrySet().stream()
                .map(entry -> new Field(entry.getKey(), entry.getValue()))
                .toList()));
    }

    private static Optional<DataType> maps(DataType.MapOf a, DataType.MapOf b) {
        return common(a.key(), b.key())
                .flatMap(key -> common(a.value(), b.value()).map(value -> DataType.map(key, value)));
    }

    private static Optional<DataType> tensors(DataType a, DataType b) {
        DataType one = tensorElement(a);
        DataType other = tensorElement(b);
        if (one == null || other == null || dimensions(a) != dimensions(b)) {
            return none();
        }
        boolean sameShape = a instanceof DataType.Tensor x
                && b instanceof DataType.Tensor y
                && x.shape().equals(y.shape());
        return common(one, other)
                .map(element -> sameShape
                        ? new DataType.Tensor(element, ((DataType.Tensor) a).shape())
                        : DataType.variableTensor(element, dimensions(a)));
    }

    private static @Nullable DataType tensorElement(DataType type) {
        return switch (type) {
            case DataType.Tensor tensor -> tensor.element();
            case DataType.VariableTensor tensor -> tensor.element();
            // Not a tensor type.
            default -> null;
        };
    }

    private static int dimensions(DataType type) {
        return type instanceof DataType.Tensor tensor
                ? tensor.shape().size()
                : ((DataType.VariableTensor) type).dimensions();
    }

    private static TimeUnit finer(TimeUnit a, TimeUnit b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private static Optional<DataType> none() {
        return Optional.empty();
    }
}
