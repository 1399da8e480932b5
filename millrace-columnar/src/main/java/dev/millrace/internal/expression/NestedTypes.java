package dev.millrace.internal.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Call;
import dev.millrace.expression.NestedFunction;
import dev.millrace.type.DataType;
import dev.millrace.type.Types;
import java.util.List;

/// Result types of [NestedFunction]s.
final class NestedTypes {
    private NestedTypes() {}

    static DataType result(NestedFunction function, Call call, List<DataType> types) {
        DataType type = types.getFirst();
        return switch (function) {
            case SIZE -> {
                boolean takes = element(type) != null || type instanceof DataType.MapOf;
                CallArguments.require(takes, call, 0, type, "a list or map");
                yield DataType.INT32;
            }
            case GET -> {
                if (type instanceof DataType.MapOf map) {
                    requireComparable(call, map.key(), types.get(1));
                    yield map.value();
                }
                CallArguments.requireInteger(call, 1, types.get(1));
                yield elementOf(call, type);
            }
            case CONTAINS -> {
                if (CallArguments.isTextOrNull(type)) {
                    CallArguments.requireText(call, 1, types.get(1));
                } else {
                    CallArguments.require(element(type) != null, call, 0, type, "a string or list");
                    requireComparable(call, element(type), types.get(1));
                }
                yield DataType.BOOL;
            }
            case SLICE -> {
                CallArguments.requireInteger(call, 1, types.get(1));
                CallArguments.requireInteger(call, 2, types.get(2));
                yield DataType.list(elementOf(call, type));
            }
            case LIST_SUM ->
                switch (numberOf(call, type)) {
                    case DataType.Int integer -> integer.equals(DataType.UINT64) ? integer : DataType.INT64;
                    case DataType.Decimal decimal -> DataType.decimal(TypePromotion.MAX_PRECISION, decimal.scale());
                    case DataType.Null _,
                            DataType.Bool _,
                            DataType.Float _,
                            DataType.Temporal _,
                            DataType.Utf8 _,
                            DataType.Binary _,
                            DataType.Dictionary _,
                            DataType.Nested _ -> DataType.FLOAT64;
                };
            case LIST_MEAN -> {
                numberOf(call, type);
                yield DataType.FLOAT64;
            }
            case LIST_MIN, LIST_MAX -> orderedOf(call, type);
            case LIST_SORT -> DataType.list(orderedOf(call, type));
            case LIST_DISTINCT -> DataType.list(elementOf(call, type));
            case JOIN -> {
                DataType element = elementOf(call, type);
                CallArguments.require(CallArguments.isTextOrNull(element), call, 0, type, "a list of strings");
                CallArguments.constant(call, 1);
                yield DataType.UTF8;
            }
        };
    }

    private static void requireComparable(Call call, DataType element, DataType other) {
        if (TypePromotion.common(element, other) == null) {
            throw MillraceException.user(call + ": " + call.arguments().get(1) + " is " + other + " and cannot equal a "
                    + element + ". Cast it.");
        }
    }

    private static DataType element(DataType type) {
        return switch (type) {
            case DataType.ListOf list -> list.element();
            case DataType.FixedList list -> list.element();
            // Not a list type.
            default -> null;
        };
    }

    private static DataType elementOf(Call call, DataType type) {
        DataType element = element(type);
        CallArguments.require(element != null, call, 0, type, "a list");
        return element;
    }

    private static DataType orderedOf(Call call, DataType type) {
        DataType element = elementOf(call, type);
        CallArguments.require(Types.hasOrder(element), call, 0, type, "a list of ordered values");
        return element;
    }

    private static DataType numberOf(Call call, DataType type) {
        DataType element = elementOf(call, type);
        CallArguments.require(CallArguments.isNumberOrNull(element), call, 0, type, "a list of numbers");
        return element;
    }
}
