package dev.millrace.internal.kernel.window;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.relation.SortKey;
import dev.millrace.testing.OracleValues;
import dev.millrace.testing.PlainAggregates;
import dev.millrace.testing.PlainValues;
import dev.millrace.type.Schema;
import dev.millrace.window.Frame;
import dev.millrace.window.Frame.Distance;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/// Window functions as SQL defines them: for each row, each row of its partition is asked whether it is in the frame.
///
/// @param columns the values of each column
record PlainWindows(Window window, Schema schema, List<List<Object>> columns) {
    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000);

    /// The numbers of the rows as they come out: partitions in the order of their first rows, each sorted.
    List<List<Integer>> partitions() {
        Map<List<Object>, List<Integer>> byKey = new LinkedHashMap<>();
        int rows = columns.isEmpty() ? 0 : columns.getFirst().size();
        for (int row = 0; row < rows; row++) {
            List<Object> key = new ArrayList<>();
            for (String name : window.keys()) {
                key.add(OracleValues.normal(value(name, row)));
            }
            byKey.computeIfAbsent(key, _ -> new ArrayList<>()).add(row);
        }
        byKey.values().forEach(rowsOfKey -> rowsOfKey.sort(this::compare));
        return List.copyOf(byKey.values());
    }

    private Object value(String column, int row) {
        return columns.get(schema.indexOf(column)).get(row);
    }

    private int compare(int a, int b) {
        for (SortKey key : window.order()) {
            int order = PlainValues.compare(value(key.column(), a), value(key.column(), b), key.isDescending());
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /// What a function should be at a place of a partition.
    PlainAggregates.Result of(WindowFunction function, List<Integer> partition, int place) {
        return switch (function) {
            case WindowFunction.Numbering numbering ->
                new PlainAggregates.Result(number(numbering, partition, place), 1e-12);
            case WindowFunction.Shifted shifted -> {
                BigDecimal other = BigDecimal.valueOf(place).subtract(BigDecimal.valueOf(shifted.rows()));
                boolean there = other.signum() >= 0 && other.compareTo(BigDecimal.valueOf(partition.size())) < 0;
                yield exactly(there ? value(shifted.column(), partition.get(other.intValue())) : shifted.otherwise());
            }
            case WindowFunction.Picked picked -> {
                List<Object> seen = new ArrayList<>();
                for (int row : frame(picked.frame(), partition, place)) {
                    Object value = value(picked.column(), row);
                    if (value != null || !picked.skipNulls()) {
                        seen.add(value);
                    }
                }
                long at = picked.nth() > 0 ? picked.nth() - 1 : seen.size() + picked.nth();
                yield exactly(at >= 0 && at < seen.size() ? seen.get((int) at) : null);
            }
            case WindowFunction.Aggregated(Aggregate aggregate, Frame frame) -> {
                List<Object> seen = new ArrayList<>();
                for (int row : frame(frame, partition, place)) {
                    seen.add(aggregate.column() == null ? Integer.valueOf(1) : value(aggregate.column(), row));
                }
                yield PlainAggregates.of(
                        aggregate, aggregate.column() == null ? null : schema.type(aggregate.column()), seen);
            }
        };
    }

    private static PlainAggregates.Result exactly(Object value) {
        return new PlainAggregates.Result(value, 0);
    }

    private Object number(WindowFunction.Numbering numbering, List<Integer> partition, int place) {
        int row = partition.get(place);
        long before =
                partition.stream().filter(other -> compare(other, row) < 0).count();
        long upTo = partition.stream().filter(other -> compare(other, row) <= 0).count();
        int rows = partition.size();
        return switch (numbering.place()) {
            case ROW_NUMBER -> place + 1L;
            case RANK -> before + 1;
            case DENSE_RANK -> {
                long different = 0;
                for (int i = 0; i < rows; i++) {
                    boolean first = i == 0 || compare(partition.get(i - 1), partition.get(i)) != 0;
                    different += first && compare(partition.get(i), row) <= 0 ? 1 : 0;
                }
                yield different;
            }
            case PERCENT_RANK -> rows == 1 ? 0.0 : (double) before / (rows - 1);
            case CUME_DIST -> (double) upTo / rows;
            case NTILE -> {
                List<Long> tiles = new ArrayList<>();
                for (long bucket = 1; tiles.size() < rows; bucket++) {
                    long size = rows / numbering.buckets() + (bucket <= rows % numbering.buckets() ? 1 : 0);
                    for (long i = 0; i < size; i++) {
                        tiles.add(bucket);
                    }
                }
                yield tiles.get(place);
            }
        };
    }

    /// The rows of a frame, in order.
    private List<Integer> frame(Frame frame, List<Integer> partition, int place) {
        return IntStream.range(0, partition.size())
                .filter(other -> isIn(frame, partition, place, other))
                .mapToObj(partition::get)
                .toList();
    }

    private boolean isIn(Frame frame, List<Integer> partition, int place, int other) {
        boolean open = frame.from() == Frame.UNBOUNDED_PRECEDING;
        boolean toEnd = frame.to() == Frame.UNBOUNDED_FOLLOWING;
        return switch (frame.unit()) {
            case ROWS -> (open || other - place >= frame.from()) && (toEnd || other - place <= frame.to());
            case RANGE -> {
                int order = compare(partition.get(other), partition.get(place));
                yield (open || order >= 0) && (toEnd || order <= 0);
            }
            case VALUES -> {
                SortKey key = window.order().getFirst();
                Object own = value(key.column(), partition.get(place));
                Object there = value(key.column(), partition.get(other));
                if (isStrange(own)) {
                    int order = compare(partition.get(other), partition.get(place));
                    yield (open || order >= 0) && (toEnd || order <= 0);
                }
                if (isStrange(there)) {
                    yield toEnd;
                }
                yield (open || reaches(own, there, frame.least(), key.isDescending()) >= 0)
                        && (toEnd || reaches(own, there, frame.most(), key.isDescending()) <= 0);
            }
        };
    }

    private static boolean isStrange(Object key) {
        return key == null || PlainValues.isNaN(key);
    }

    /// Above zero where `there` is farther on in the order than the distance from `own`.
    private static int reaches(Object own, Object there, Distance distance, boolean descending) {
        int sign = descending ? -1 : 1;
        if (distance instanceof Distance.OfMonths(long months)) {
            LocalDate border = ((LocalDate) own).plusMonths(sign * months);
            return sign * ((LocalDate) there).compareTo(border);
        }
        if (own instanceof Double || own instanceof Float) {
            double amount = ((Distance.OfNumber) distance).amount().doubleValue();
            double border = ((Number) own).doubleValue() + sign * amount;
            return sign * Double.compare(((Number) there).doubleValue() + 0.0, border + 0.0);
        }
        BigDecimal amount = switch (distance) {
            case Distance.OfNumber(BigDecimal number) ->
                own instanceof LocalDate
                        ? number.multiply(BigDecimal.valueOf(86_400)).multiply(NANOS)
                        : number;
            case Distance.OfTime(Duration time) ->
                BigDecimal.valueOf(time.getSeconds()).multiply(NANOS).add(BigDecimal.valueOf(time.getNano()));
            case Distance.OfMonths _ -> throw new IllegalStateException();
        };
        BigDecimal apart = number(there).subtract(number(own)).multiply(BigDecimal.valueOf(sign));
        return apart.compareTo(amount);
    }

    /// Numbers as they are, times in nanoseconds.
    private static BigDecimal number(Object key) {
        return switch (Objects.requireNonNull(key)) {
            case Number value -> PlainValues.exact(value);
            case LocalDate day ->
                BigDecimal.valueOf(day.toEpochDay())
                        .multiply(BigDecimal.valueOf(86_400))
                        .multiply(NANOS);
            case LocalTime time -> BigDecimal.valueOf(time.toNanoOfDay());
            case LocalDateTime time ->
                BigDecimal.valueOf(time.toEpochSecond(ZoneOffset.UTC))
                        .multiply(NANOS)
                        .add(BigDecimal.valueOf(time.get(ChronoField.NANO_OF_SECOND)));
            case ZonedDateTime time ->
                BigDecimal.valueOf(time.toEpochSecond()).multiply(NANOS).add(BigDecimal.valueOf(time.getNano()));
            default -> throw new IllegalStateException("no distances between " + key.getClass());
        };
    }
}
