package dev.millrace.internal.kernel.aggregate;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.AggregateDefinition;
import dev.millrace.aggregate.AggregateFunction;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.column.RandomValues;
import dev.millrace.testing.OracleValues;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import dev.millrace.type.Types;
import java.util.ArrayList;
import java.util.List;

/// For every aggregate that there is, what it is tested with. A new one does not compile here until that is said.
final class AggregateTable {
    private static final List<DataType> NUMBERS = List.of(
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.UINT8,
            DataType.UINT16,
            DataType.UINT32,
            DataType.UINT64,
            DataType.FLOAT16,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.decimal(9, 2),
            DataType.decimal(18, 0),
            DataType.decimal(30, 4),
            DataType.decimal(38, 2),
            DataType.NULL);

    private AggregateTable() {}

    /// The aggregates of the column `v`, with each kind of arguments.
    static List<Aggregate> of(AggregateFunction function) {
        return switch (function) {
            case COUNT -> List.of(Aggregates.count(), Aggregates.count("v"));
            case COUNT_IF -> List.of(Aggregates.countIf("v"));
            case SUM -> List.of(Aggregates.sum("v"));
            case MEAN -> List.of(Aggregates.mean("v"));
            case MIN -> List.of(Aggregates.min("v"));
            case MAX -> List.of(Aggregates.max("v"));
            case STD -> List.of(Aggregates.std("v"), Aggregates.std("v", 0), Aggregates.std("v", 3));
            case VARIANCE -> List.of(Aggregates.variance("v"), Aggregates.variance("v", 0));
            case FIRST -> List.of(Aggregates.first("v"));
            case LAST -> List.of(Aggregates.last("v"));
            case ANY -> List.of(Aggregates.any("v"));
            case ALL -> List.of(Aggregates.all("v"));
            case LIST -> List.of(Aggregates.list("v"));
            case SET -> List.of(Aggregates.set("v"));
            case COUNT_DISTINCT -> List.of(Aggregates.countDistinct("v"));
            case QUANTILE ->
                List.of(
                        Aggregates.quantile("v", 0),
                        Aggregates.quantile("v", 0.5),
                        Aggregates.quantile("v", 0.3),
                        Aggregates.quantile("v", 1));
            case APPROXIMATE_COUNT_DISTINCT -> List.of(Aggregates.approximateCountDistinct("v"));
            case APPROXIMATE_QUANTILE ->
                List.of(Aggregates.approximateQuantile("v", 0.25), Aggregates.approximateQuantile("v", 1));
            case APPROXIMATE_QUANTILES -> List.of(Aggregates.approximateQuantiles("v", 0, 0.5, 0.9, 1));
            case APPROXIMATE_TOP_K -> List.of(Aggregates.approximateTopK("v", 1), Aggregates.approximateTopK("v", 3));
            case VALUE_COUNTS -> List.of(Aggregates.valueCounts("v"));
            case MISSING_PERCENTAGE -> List.of(Aggregates.missingPercentage("v"));
            case ZERO_PERCENTAGE -> List.of(Aggregates.zeroPercentage("v"));
            case DEFINED -> List.of(Aggregates.define("joined", "v", new Joined()));
        };
    }

    /// The types of values that it is for.
    static List<DataType> typesOf(AggregateFunction function) {
        return switch (function) {
            case SUM, MEAN, STD, VARIANCE, QUANTILE, APPROXIMATE_QUANTILE, APPROXIMATE_QUANTILES, ZERO_PERCENTAGE ->
                NUMBERS;
            case ANY, ALL, COUNT_IF -> List.of(DataType.BOOL, DataType.NULL);
            case MIN, MAX -> allTypes().stream().filter(Types::hasOrder).toList();
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
                    DEFINED -> allTypes();
        };
    }

    private static List<DataType> allTypes() {
        List<DataType> all = new ArrayList<>(RandomValues.types());
        all.add(DataType.time(TimeUnit.MILLISECOND));
        all.add(DataType.decimal(18, 3));
        return all;
    }

    /// Whether the result depends on which states come before which.
    static boolean isOrdered(AggregateFunction function) {
        return switch (function) {
            case FIRST, LAST, LIST, SET, VALUE_COUNTS, DEFINED -> true;
            case COUNT,
                    COUNT_IF,
                    SUM,
                    MEAN,
                    MIN,
                    MAX,
                    STD,
                    VARIANCE,
                    ANY,
                    ALL,
                    COUNT_DISTINCT,
                    QUANTILE,
                    APPROXIMATE_COUNT_DISTINCT,
                    APPROXIMATE_QUANTILE,
                    APPROXIMATE_QUANTILES,
                    APPROXIMATE_TOP_K,
                    MISSING_PERCENTAGE,
                    ZERO_PERCENTAGE -> false;
        };
    }

    /// The values as one text, in their order: a merge the wrong way round shows.
    private static final class Joined implements AggregateDefinition<String> {
        private static final long serialVersionUID = 1;

        @Override
        public String init() {
            return "";
        }

        @Override
        public String accumulate(String state, Object value) {
            return state + OracleValues.normal(value).hashCode() + ",";
        }

        @Override
        public String merge(String state, String other) {
            return state + other;
        }

        @Override
        public Object finish(String state) {
            return state;
        }

        @Override
        public DataType type() {
            return DataType.UTF8;
        }
    }
}
