package dev.millrace.internal.expression;

import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// Which types can be cast to which. A supported cast may still fail for a value (see [CastValues]).
final class CastRules {
    private CastRules() {}

    static boolean isPossible(DataType fromType, DataType toType) {
        DataType from = TypePromotion.plain(fromType);
        DataType to = TypePromotion.plain(toType);
        if (from.equals(to) || from instanceof DataType.Null) {
            return true;
        }
        return switch (to) {
            case DataType.Null _ -> false;
            case DataType.Bool _ -> from.isNumeric() || from instanceof DataType.Utf8;
            case DataType.Int i ->
                isNumber(from)
                        || from instanceof DataType.Bool
                        || from instanceof DataType.Utf8
                        || isTemporal(from) && i.signed() && i.bits() == 64
                        || from instanceof DataType.Date && i.equals(DataType.INT32);
            case DataType.Float _, DataType.Decimal _ ->
                isNumber(from) || from instanceof DataType.Bool || from instanceof DataType.Utf8;
            case DataType.Date _ ->
                from instanceof DataType.Timestamp || from instanceof DataType.Utf8 || from.equals(DataType.INT32);
            case DataType.Time _ ->
                from instanceof DataType.Time
                        || from instanceof DataType.Timestamp
                        || from instanceof DataType.Utf8
                        || from.equals(DataType.INT64);
            case DataType.Timestamp _ ->
                from instanceof DataType.Timestamp
                        || from instanceof DataType.Date
                        || from instanceof DataType.Utf8
                        || from.equals(DataType.INT64);
            case DataType.Duration _ -> from instanceof DataType.Duration || from.equals(DataType.INT64);
            case DataType.Utf8 _ ->
                isNumber(from)
                        || isTemporal(from)
                        || from instanceof DataType.Bool
                        || from instanceof DataType.Date
                        || from instanceof DataType.Binary;
            case DataType.Binary _ -> from instanceof DataType.Utf8;
            case DataType.ListOf list -> areElementsPossible(from, list.element());
            case DataType.FixedList list -> areElementsPossible(from, list.element());
            case DataType.Struct struct -> from instanceof DataType.Struct other && structs(other, struct);
            case DataType.MapOf map ->
                from instanceof DataType.MapOf other
                        && isPossible(other.key(), map.key())
                        && isPossible(other.value(), map.value());
            case DataType.Dictionary _, DataType.Tensor _, DataType.VariableTensor _ -> false;
        };
    }

    private static boolean structs(DataType.Struct from, DataType.Struct to) {
        return to.fields().stream()
                .allMatch(target -> from.fields().stream()
                        .anyMatch(f -> f.name().equals(target.name()) && isPossible(f.type(), target.type())));
    }

    private static boolean areElementsPossible(DataType from, DataType to) {
        DataType element = elementOf(from);
        return element != null && isPossible(element, to);
    }

    private static @Nullable DataType elementOf(DataType type) {
        return switch (type) {
            case DataType.ListOf list -> list.element();
            case DataType.FixedList list -> list.element();
            // Not a list type.
            default -> null;
        };
    }

    static boolean isNumber(DataType type) {
        return type.isNumeric() || type instanceof DataType.Decimal;
    }

    private static boolean isTemporal(DataType type) {
        return type instanceof DataType.Timestamp || type instanceof DataType.Time || type instanceof DataType.Duration;
    }
}
