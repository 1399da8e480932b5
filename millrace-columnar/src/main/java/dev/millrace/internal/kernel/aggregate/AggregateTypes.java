package dev.millrace.internal.kernel.aggregate;

import static java.util.Objects.requireNonNull;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The input and output columns of aggregates.
public final class AggregateTypes {
    private AggregateTypes() {}

    /// Keys, then aggregates. A duplicate name gets `_2`, `_3` and so on.
    public static List<String> names(List<String> keys, List<Aggregate> aggregates) {
        List<String> names = new ArrayList<>(keys);
        Set<String> taken = new HashSet<>(keys);
        for (Aggregate aggregate : aggregates) {
            String name = aggregate.name();
            for (int i = 2; !taken.add(name); i++) {
                name = aggregate.name() + "_" + i;
            }
            names.add(name);
        }
        return names;
    }

    /// The columns of the result.
    ///
    /// @throws MillraceException culprit USER, naming a missing column, or one that the aggregate does not support
    public static Schema result(Schema input, List<String> keys, List<Aggregate> aggregates) {
        List<String> names = names(keys, aggregates);
        List<Field> fields = new ArrayList<>();
        for (String key : keys) {
            fields.add(new Field(key, input.field(input.require(key, "groupBy")).type()));
        }
        for (Aggregate aggregate : aggregates) {
            fields.add(new Field(names.get(fields.size()), result(input, aggregate)));
        }
        return Schema.of(fields);
    }

    private static DataType result(Schema input, Aggregate aggregate) {
        if (aggregate.column() == null) {
            return DataType.INT64;
        }
        DataType stored = input.field(input.require(aggregate.column(), aggregate.toString()))
                .type();
        DataType type = stored instanceof DataType.Dictionary dictionary ? dictionary.value() : stored;
        boolean fits = type instanceof DataType.Null
                || switch (aggregate.function()) {
                    case COUNT,
                            FIRST,
                            LAST,
                            LIST,
                            SET,
                            COUNT_DISTINCT,
                            APPROXIMATE_COUNT_DISTINCT,
                            APPROXIMATE_TOP_K,
                            VALUE_COUNTS,
                            MISSING_PERCENTAGE,
                            DEFINED -> true;
                    case SUM,
                            MEAN,
                            STD,
                            VARIANCE,
                            QUANTILE,
                            APPROXIMATE_QUANTILE,
                            APPROXIMATE_QUANTILES,
                            ZERO_PERCENTAGE -> type.isNumeric() || type instanceof DataType.Decimal;
                    case ANY, ALL, COUNT_IF -> type instanceof DataType.Bool;
                    case MIN, MAX -> Types.hasOrder(type);
                };
        if (!fits) {
            throw MillraceException.user(aggregate + ": the column '" + aggregate.column() + "' is " + stored + ", but "
                    + switch (aggregate.function()) {
                        case ANY, ALL, COUNT_IF -> "booleans are needed.";
                        case MIN, MAX -> "values with an order are needed: numbers, text, times or booleans.";
                        default -> "numbers are needed.";
                    });
        }
        return switch (aggregate.function()) {
            case COUNT, COUNT_IF, COUNT_DISTINCT, APPROXIMATE_COUNT_DISTINCT -> DataType.INT64;
            case LIST, SET -> DataType.list(type);
            case APPROXIMATE_QUANTILES -> DataType.list(DataType.FLOAT64);
            case APPROXIMATE_TOP_K, VALUE_COUNTS -> DataType.list(ValueFrequencies.entryType(type));
            case DEFINED ->
                requireNonNull(aggregate.definition(), "a defined aggregate has a definition")
                        .type();
            case SUM ->
                switch (type) {
                    case DataType.Float _ -> DataType.FLOAT64;
                    case DataType.Decimal decimal -> DataType.decimal(38, decimal.scale());
                    case DataType.Null _ -> type;
                    case DataType.Bool _,
                            DataType.Int _,
                            DataType.Temporal _,
                            DataType.Utf8 _,
                            DataType.Binary _,
                            DataType.Dictionary _,
                            DataType.Nested _ -> DataType.INT64;
                };
            case MEAN, STD, VARIANCE, QUANTILE, APPROXIMATE_QUANTILE, MISSING_PERCENTAGE, ZERO_PERCENTAGE ->
                DataType.FLOAT64;
            case MIN, MAX, FIRST, LAST, ANY, ALL -> type;
        };
    }
}
