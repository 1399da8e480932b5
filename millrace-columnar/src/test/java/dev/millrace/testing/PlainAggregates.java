package dev.millrace.testing;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.AggregateDefinition;
import dev.millrace.type.DataType;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Every aggregate of a list of values, computed of all of them at once and, where numbers are exact, exactly.
public final class PlainAggregates {
    private static final BigInteger DECIMAL_LIMIT = BigInteger.TEN.pow(38);
    private static final double NEAR = 1e-9;

    private PlainAggregates() {}

    /// Thrown for a sum that has no value of its type.
    public static final class SumOverflow extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /// What an aggregate should be.
    ///
    /// @param apart how far a float may be from it
    public record Result(Object value, double apart) {
        /// Whether a value of ours is it.
        public boolean isMet(Object ours) {
            return value instanceof Counts counts ? counts.areMet(ours) : OracleValues.same(ours, value, apart);
        }
    }

    /// The most frequent values, where those of one count may come in any order, and which of them come is open.
    private record Counts(Map<Object, Long> all, int most) {
        boolean areMet(Object ours) {
            if (all.isEmpty()) {
                return ours == null;
            }
            List<Long> counts = new ArrayList<>(all.values());
            counts.sort(Collections.reverseOrder());
            List<Long> found = new ArrayList<>();
            for (Object entry : (List<?>) Objects.requireNonNullElse(ours, List.of())) {
                Map<?, ?> struct = (Map<?, ?>) entry;
                long count = ((Number) struct.get("count")).longValue();
                if (!Objects.equals(all.get(OracleValues.normal(struct.get("value"))), count)) {
                    return false;
                }
                found.add(count);
            }
            return found.equals(counts.subList(0, Math.min(most, counts.size())));
        }
    }

    /// The aggregate of the values of one group, which are in the order of its rows.
    ///
    /// @param type of the values; null for a count of rows
    public static Result of(Aggregate aggregate, DataType type, List<?> values) {
        List<Object> there = new ArrayList<>();
        values.stream().filter(Objects::nonNull).forEach(there::add);
        return switch (aggregate.function()) {
            case COUNT -> exactly((long) (aggregate.column() == null ? values : there).size());
            case COUNT_IF ->
                exactly(there.stream().filter(value -> value.equals(true)).count());
            case SUM -> sum(type, there);
            case MEAN -> there.isEmpty() ? exactly(null) : mean(there);
            case VARIANCE -> there.isEmpty() ? exactly(null) : variance(aggregate, there);
            case STD -> {
                Result variance = there.isEmpty() ? exactly(null) : variance(aggregate, there);
                yield variance.value == null
                        ? variance
                        : new Result(Math.sqrt((double) variance.value), Math.sqrt(variance.apart));
            }
            case MIN -> exactly(extreme(there, 1));
            case MAX -> exactly(extreme(there, -1));
            case FIRST -> exactly(values.isEmpty() ? null : values.getFirst());
            case LAST -> exactly(values.isEmpty() ? null : values.getLast());
            case ANY -> exactly(there.isEmpty() ? null : there.contains(true));
            case ALL -> exactly(there.isEmpty() ? null : !there.contains(false));
            case LIST -> exactly(new ArrayList<>(values));
            case SET -> exactly(new ArrayList<>(counts(values).keySet()));
            case COUNT_DISTINCT -> exactly((long) counts(there).size());
            // Of few values both are exact.
            case APPROXIMATE_COUNT_DISTINCT -> exactly((long) counts(there).size());
            case QUANTILE -> quantile(aggregate.arguments().getFirst(), there);
            case APPROXIMATE_QUANTILE -> {
                List<Double> sorted = numbers(there);
                yield sorted.isEmpty()
                        ? exactly(null)
                        : near(at(sorted, aggregate.arguments().getFirst()));
            }
            case APPROXIMATE_QUANTILES -> {
                List<Double> sorted = numbers(there);
                // A decimal becomes a double by a division, which is one more rounding than its own.
                yield sorted.isEmpty()
                        ? exactly(null)
                        : new Result(
                                aggregate.arguments().stream()
                                        .map(q -> at(sorted, q))
                                        .toList(),
                                NEAR * Math.max(Math.abs(sorted.getFirst()), Math.abs(sorted.getLast())));
            }
            case APPROXIMATE_TOP_K ->
                exactly(new Counts(
                        counts(there), aggregate.arguments().getFirst().intValue()));
            case VALUE_COUNTS -> exactly(valueCounts(values));
            case MISSING_PERCENTAGE -> {
                long missing = values.stream()
                        .filter(value -> value == null || PlainValues.isNaN(value))
                        .count();
                yield values.isEmpty() ? exactly(null) : near(100.0 * missing / values.size());
            }
            case ZERO_PERCENTAGE -> {
                long zeros = there.stream()
                        .filter(value -> ((Number) value).doubleValue() == 0)
                        .count();
                yield there.isEmpty() ? exactly(null) : near(100.0 * zeros / there.size());
            }
            case DEFINED -> exactly(defined(aggregate.definition(), values));
        };
    }

    private static Result exactly(Object value) {
        return new Result(value, 0);
    }

    private static Result near(double value) {
        return new Result(value, NEAR * Math.abs(value));
    }

    private static Result sum(DataType type, List<Object> there) {
        if (there.isEmpty()) {
            return exactly(null);
        }
        if (isReal(there)) {
            return reals(there, 1);
        }
        BigDecimal sum = exactSum(there);
        boolean fits = type instanceof DataType.Decimal
                ? sum.unscaledValue().abs().compareTo(DECIMAL_LIMIT) < 0
                : sum.toBigIntegerExact().bitLength() < Long.SIZE;
        if (!fits) {
            throw new SumOverflow();
        }
        return exactly(sum);
    }

    private static Result mean(List<Object> there) {
        if (isReal(there)) {
            return reals(there, there.size());
        }
        double absolutes = there.stream()
                .mapToDouble(value -> Math.abs(((Number) value).doubleValue()))
                .sum();
        return new Result(exactSum(there).doubleValue() / there.size(), NEAR * absolutes);
    }

    private static Result reals(List<Object> there, int divisor) {
        double sum = 0;
        double absolutes = 0;
        for (Object value : there) {
            sum += ((Number) value).doubleValue();
            absolutes += Math.abs(((Number) value).doubleValue());
        }
        return new Result(sum / divisor, Double.isFinite(absolutes) ? NEAR * absolutes : 0);
    }

    private static boolean isReal(List<Object> there) {
        return there.getFirst() instanceof Double || there.getFirst() instanceof Float;
    }

    private static BigDecimal exactSum(List<Object> there) {
        return there.stream().map(value -> PlainValues.exact((Number) value)).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static Result variance(Aggregate aggregate, List<Object> there) {
        double degrees =
                aggregate.arguments().isEmpty() ? 1 : aggregate.arguments().getFirst();
        double divisor = there.size() - degrees;
        boolean finite = there.stream().allMatch(value -> Double.isFinite(((Number) value).doubleValue()));
        if (divisor <= 0 || !finite) {
            return exactly(Double.NaN);
        }
        double mean = exactSum(there).doubleValue() / there.size();
        double squares = 0;
        double most = 0;
        for (Object value : there) {
            double distance = ((Number) value).doubleValue() - mean;
            squares += distance * distance;
            most = Math.max(most, Math.abs(((Number) value).doubleValue()));
        }
        return new Result(squares / divisor, NEAR * NEAR * most * most + NEAR * squares);
    }

    private static Object extreme(List<Object> there, int sign) {
        Object best = null;
        for (Object value : there) {
            if (best == null || sign * PlainValues.compare(value, best, false) < 0) {
                best = value;
            }
        }
        return best;
    }

    /// How often each value comes, in the order of the first ones.
    private static Map<Object, Long> counts(List<?> values) {
        Map<Object, Long> counts = new LinkedHashMap<>();
        values.forEach(value -> counts.merge(OracleValues.normal(value), 1L, Long::sum));
        return counts;
    }

    private static List<Map<String, Object>> valueCounts(List<?> values) {
        if (values.isEmpty()) {
            return null;
        }
        List<Map<String, Object>> entries = new ArrayList<>();
        Map<Object, Object> first = new HashMap<>();
        values.forEach(value -> first.putIfAbsent(OracleValues.normal(value), value));
        counts(values).forEach((value, count) -> {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("value", first.get(value));
            entry.put("count", count);
            entries.add(entry);
        });
        entries.sort((a, b) -> Long.compare((long) b.get("count"), (long) a.get("count")));
        return entries;
    }

    private static Result quantile(double quantile, List<Object> there) {
        if (there.isEmpty()) {
            return exactly(null);
        }
        double[] sorted = there.stream()
                .mapToDouble(value -> ((Number) value).doubleValue())
                .sorted()
                .toArray();
        double place = quantile * (sorted.length - 1);
        double low = sorted[(int) Math.floor(place)];
        double high = sorted[(int) Math.ceil(place)];
        double between = place - Math.floor(place);
        double value = low == high ? low : low + (high - low) * between;
        return new Result(value, NEAR * Math.max(Math.abs(low), Math.abs(high)));
    }

    private static List<Double> numbers(List<Object> there) {
        return there.stream()
                .filter(value -> !PlainValues.isNaN(value))
                .map(value -> ((Number) value).doubleValue() + 0.0)
                .sorted()
                .toList();
    }

    private static double at(List<Double> sorted, double quantile) {
        return sorted.get(Math.min(sorted.size() - 1, (int) (quantile * sorted.size())));
    }

    /// In one pass, without a merge.
    @SuppressWarnings("unchecked")
    private static Object defined(AggregateDefinition<?> definition, List<?> values) {
        AggregateDefinition<Serializable> own = (AggregateDefinition<Serializable>) definition;
        try {
            Serializable state = own.init();
            for (Object value : values) {
                state = own.accumulate(state, value);
            }
            return own.finish(state);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
