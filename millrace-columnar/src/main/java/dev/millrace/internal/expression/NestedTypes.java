package dev.millrace.internal.expression;

import static java.util.Objects.requireNonNull;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Call;
import dev.millrace.expression.ListLambda;
import dev.millrace.expression.NestedFunction;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
                    requireComparable(call, elementOf(call, type, "a string or list"), types.get(1));
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
            case LIST_SORT, LIST_SORT_DESCENDING -> DataType.list(orderedOf(call, type));
            case FLATTEN -> {
                DataType inner = element(elementOf(call, type, "a list of lists"));
                CallArguments.require(inner != null, call, 0, type, "a list of lists");
                yield DataType.list(requireNonNull(inner, "a list of lists"));
            }
            case LIST_CONCAT, LIST_UNION, LIST_INTERSECT, LIST_EXCEPT -> {
                requireSameElements(call, type, types.get(1));
                yield DataType.list(elementOf(call, type));
            }
            case HAS_ANY, HAS_ALL -> {
                requireSameElements(call, type, types.get(1));
                yield DataType.BOOL;
            }
            case MAP_KEYS -> DataType.list(mapOf(call, type).key());
            case MAP_VALUES -> DataType.list(mapOf(call, type).value());
            case MAP_ENTRIES -> {
                DataType.MapOf map = mapOf(call, type);
                yield DataType.list(DataType.struct(new Field("key", map.key()), new Field("value", map.value())));
            }
            case FIELD_AT ->
                ((DataType.Struct) type).fields().get(fieldPosition(call, type)).type();
            case TO_LIST -> {
                if (type instanceof DataType.Tensor tensor) {
                    yield DataType.fixedList(tensor.element(), Math.toIntExact(tensor.elements()));
                }
                elementOf(call, type, "a tensor of one shape or a list");
                yield type;
            }
            case TO_TENSOR -> {
                DataType element = elementOf(call, type, "a list of numbers");
                boolean takes = element instanceof DataType.Int || element instanceof DataType.Float;
                CallArguments.require(takes, call, 0, type, "a list of numbers");
                yield DataType.tensor(element, shape(call));
            }
            case LIST_REVERSE, LIST_DISTINCT -> DataType.list(elementOf(call, type));
            case JOIN -> {
                DataType element = elementOf(call, type);
                CallArguments.require(CallArguments.isTextOrNull(element), call, 0, type, "a list of strings");
                CallArguments.constant(call, 1);
                yield DataType.UTF8;
            }
        };
    }

    private static void requireSameElements(Call call, DataType type, DataType other) {
        DataType element = elementOf(call, type);
        DataType second = element(other);
        boolean same = second != null && (second.equals(element) || second instanceof DataType.Null);
        CallArguments.require(same, call, 1, other, "a list of " + element);
    }

    private static DataType.MapOf mapOf(Call call, DataType type) {
        CallArguments.require(type instanceof DataType.MapOf, call, 0, type, "a map");
        return (DataType.MapOf) type;
    }

    /// The index of the field in argument 1 of the struct in argument 0.
    static int fieldPosition(Call call, DataType type) {
        CallArguments.require(type instanceof DataType.Struct, call, 0, type, "a struct");
        int fields = ((DataType.Struct) type).fields().size();
        int index = ((Number) CallArguments.constant(call, 1)).intValue();
        int position = index < 0 ? fields + index : index;
        if (position < 0 || position >= fields) {
            throw MillraceException.user(
                    call + ": there is no field " + index + " among the " + fields + " fields of " + type + ".");
        }
        return position;
    }

    /// The shape in argument 1.
    private static int[] shape(Call call) {
        int[] shape = ((List<?>) CallArguments.constant(call, 1))
                .stream().mapToInt(size -> ((Number) size).intValue()).toArray();
        for (int size : shape) {
            if (size < 1) {
                throw MillraceException.user(
                        call + ": a tensor has 1 or more elements in each dimension, not " + size + ".");
            }
        }
        return shape;
    }

    /// The type of the elements on which a lambda is computed.
    static DataType elementOf(ListLambda lambda, DataType type) {
        DataType element = element(type);
        if (element == null) {
            throw MillraceException.user(
                    lambda + ": " + lambda.list() + " is " + type + ", but a list is needed there. Cast it.");
        }
        return element;
    }

    private static void requireComparable(Call call, DataType element, DataType other) {
        if (TypePromotion.common(element, other) == null) {
            throw MillraceException.user(call + ": " + call.arguments().get(1) + " is " + other + " and cannot equal a "
                    + element + ". Cast it.");
        }
    }

    private static @Nullable DataType element(DataType type) {
        return switch (type) {
            case DataType.ListOf list -> list.element();
            case DataType.FixedList list -> list.element();
            // Not a list type.
            default -> null;
        };
    }

    private static DataType elementOf(Call call, DataType type) {
        return elementOf(call, type, "a list");
    }

    private static DataType elementOf(Call call, DataType type, String wanted) {
        DataType element = element(type);
        CallArguments.require(element != null, call, 0, type, wanted);
        return requireNonNull(element, wanted);
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
