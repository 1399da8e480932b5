package dev.millrace.internal.expression;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Call;
import dev.millrace.expression.NestedFunction;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.type.DataType;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Functions of lists and maps, evaluated on Java values; sizes and fields are evaluated on columns.
final class NestedFunctions {
    /// Ascending order of non-null values of one type: strings and binaries by their bytes, NaN after the numbers,
    /// `-0.0` equal to `0.0`.
    static final Comparator<Object> ORDER = NestedFunctions::compare;

    private NestedFunctions() {}

    static ExpressionNode bind(NestedFunction function, Call call, DataType result, List<ExpressionNode> arguments) {
        ExpressionNode input = arguments.getFirst();
        return switch (function) {
            case SIZE -> new Size(input);
            case CONTAINS ->
                TypePromotion.plain(input.type()) instanceof DataType.Utf8
                        ? new TextPredicate(TextPredicate.Place.ANYWHERE, input, arguments.get(1))
                        : new RowwiseNode(
                                result,
                                cast(arguments, element(input), call),
                                true,
                                (values, row) ->
                                        ((List<?>) values[0]).stream().anyMatch(value -> same(value, values[1])));
            case GET ->
                input.type() instanceof DataType.MapOf map
                        ? new RowwiseNode(
                                result,
                                cast(arguments, map.key(), call),
                                true,
                                (values, row) -> ((Map<?, ?>) values[0]).get(values[1]))
                        : new RowwiseNode(
                                result,
                                cast(arguments, DataType.INT64, call),
                                true,
                                (values, row) -> at((List<?>) values[0], (Long) values[1]));
            case SLICE ->
                new RowwiseNode(result, cast(arguments, DataType.INT64, call), true, (values, row) -> {
                    List<?> list = (List<?>) values[0];
                    int from = (int) Math.clamp((Long) values[1], 0L, list.size());
                    return list.subList(from, Math.clamp((Long) values[2], from, list.size()));
                });
            case LIST_SUM -> overValues(result, input, list -> sum(list, result, call));
            case LIST_MEAN ->
                overValues(
                        result,
                        input,
                        list -> list.isEmpty()
                                ? null
                                : list.stream()
                                                .mapToDouble(v -> ((Number) v).doubleValue())
                                                .sum()
                                        / list.size());
            case LIST_MIN ->
                overValues(result, input, list -> list.stream().min(ORDER).orElse(null));
            case LIST_MAX ->
                overValues(result, input, list -> list.stream().max(ORDER).orElse(null));
            case LIST_SORT, LIST_SORT_DESCENDING, LIST_REVERSE, LIST_DISTINCT, FLATTEN ->
                new ListKernels.Chosen(function, result, input);
            case LIST_CONCAT, LIST_UNION, LIST_INTERSECT, LIST_EXCEPT ->
                new ListKernels.Combined(
                        function, result, input, CastNode.cast(arguments.get(1), lists(input), true, call));
            case HAS_ANY, HAS_ALL ->
                new ListKernels.HasElements(
                        function == NestedFunction.HAS_ALL,
                        input,
                        CastNode.cast(arguments.get(1), lists(input), true, call));
            case MAP_KEYS, MAP_VALUES, MAP_ENTRIES -> new NestedViews.OfMap(function, result, input);
            case FIELD_AT ->
                new FieldOf(result, input, NestedTypes.fieldPosition(call, TypePromotion.plain(input.type())));
            case TO_LIST -> new NestedViews.ToList(result, input);
            case TO_TENSOR -> new NestedViews.ToTensor(result, input, call);
            case JOIN -> {
                String separator = (String) CallArguments.constant(call, 1);
                yield overValues(
                        result,
                        input,
                        list -> list.stream().map(String::valueOf).collect(Collectors.joining(separator)));
            }
        };
    }

    private static List<ExpressionNode> cast(List<ExpressionNode> arguments, DataType others, Call call) {
        List<ExpressionNode> nodes = new ArrayList<>();
        nodes.add(arguments.getFirst());
        arguments.subList(1, arguments.size()).forEach(a -> nodes.add(CastNode.cast(a, others, true, call)));
        return nodes;
    }

    /// Lists of the elements of a list or fixed list.
    private static DataType lists(ExpressionNode list) {
        return DataType.list(element(list));
    }

    private static DataType element(ExpressionNode list) {
        return list.type() instanceof DataType.FixedList fixed
                ? fixed.element()
                : ((DataType.ListOf) list.type()).element();
    }

    /// A function of the non-null elements.
    private static ExpressionNode overValues(
            DataType result, ExpressionNode input, Function<List<?>, @Nullable Object> function) {
        return new RowwiseNode(
                result,
                List.of(input),
                true,
                (values, row) -> function.apply(
                        ((List<?>) values[0]).stream().filter(Objects::nonNull).toList()));
    }

    private static @Nullable Object at(List<?> list, long position) {
        long index = position < 0 ? list.size() + position : position;
        return index < 0 || index >= list.size() ? null : list.get((int) index);
    }

    private static @Nullable Object sum(List<?> values, DataType result, Call call) {
        if (values.isEmpty()) {
            return null;
        }
        if (result instanceof DataType.Float) {
            return values.stream().mapToDouble(v -> ((Number) v).doubleValue()).sum();
        }
        BigDecimal sum =
                values.stream().map(v -> new BigDecimal(v.toString())).reduce(BigDecimal.ZERO, BigDecimal::add);
        if (result instanceof DataType.Decimal) {
            return sum;
        }
        BigInteger whole = sum.toBigInteger();
        if (result.equals(DataType.INT64) ? whole.bitLength() > 63 : whole.bitLength() > 64) {
            throw MillraceException.data(call + " overflows " + result + ": a sum is " + whole
                    + ". Cast the list to one of a wider type first.");
        }
        return whole;
    }

    private static boolean same(@Nullable Object a, Object b) {
        return a != null
                && (a instanceof Double || a instanceof Float
                        ? ((Number) a).doubleValue() == ((Number) b).doubleValue()
                        : Objects.deepEquals(a, b));
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object a, Object b) {
        return switch (a) {
            case String text -> Arrays.compareUnsigned(TextComparison.bytes(text), TextComparison.bytes(b));
            case byte[] bytes -> Arrays.compareUnsigned(bytes, (byte[]) b);
            case Double real -> Double.compare(real + 0.0, (Double) b + 0.0);
            case Float real -> Float.compare(real + 0.0f, (Float) b + 0.0f);
            default -> ((Comparable<Object>) a).compareTo(b);
        };
    }

    /// The number of elements or entries.
    private static final class Size extends ExpressionNode {
        private final ExpressionNode input;

        Size(ExpressionNode input) {
            super(DataType.INT32);
            this.input = input;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                for (long row = 0; row < rows.count(); row++) {
                    long size = switch (held.column()) {
                        case OffsetColumn lists -> lists.end(row) - lists.start(row);
                        case FixedListColumn lists -> lists.size();
                        case BooleanColumn _,
                                DictionaryColumn _,
                                FixedWidthColumn _,
                                NullColumn _,
                                StructColumn _,
                                VariableTensorColumn _ ->
                            throw MillraceException.internal(
                                    "no list: " + held.column().type());
                    };
                    output.values().setAtIndex(ValueLayout.JAVA_INT, row, (int) size);
                }
                return output.build(BitWords.valid(held.column()));
            }
        }
    }

    /// A field of a struct; null if the struct is.
    static final class FieldOf extends ExpressionNode {
        private final ExpressionNode input;
        private final int position;

        FieldOf(DataType type, ExpressionNode input, int position) {
            super(type);
            this.input = input;
            this.position = position;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows)) {
                StructColumn structs = (StructColumn) held.column();
                Column child = structs.child(position);
                return structs.hasNulls() ? masked(structs, child, rows) : child.retain();
            }
        }

        private static Column masked(StructColumn structs, Column child, EvaluationRows rows) {
            int[] positions = new int[Math.toIntExact(structs.length())];
            for (int row = 0; row < positions.length; row++) {
                positions[row] = structs.isNull(row) ? -1 : row;
            }
            return GatherKernel.takeOrNull(rows.allocator(), child, positions, positions.length);
        }
    }

    /// A struct whose fields are the columns unchanged.
    static final class StructOf extends ExpressionNode {
        private final List<ExpressionNode> fields;

        StructOf(DataType.Struct type, List<ExpressionNode> fields) {
            super(type);
            this.fields = List.copyOf(fields);
        }

        @Override
        Column column(EvaluationRows rows) {
            try (ResourceScope scope = new ResourceScope()) {
                List<Column> columns = scope.list();
                fields.forEach(field -> columns.add(field.column(rows)));
                return scope.keep(new StructColumn((DataType.Struct) type(), rows.count(), columns, null, 0, 0));
            }
        }
    }
}
