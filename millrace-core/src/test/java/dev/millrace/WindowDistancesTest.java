package dev.millrace;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.min;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.window.WindowFunctions.firstValue;
import static dev.millrace.window.WindowFunctions.over;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Row;
import dev.millrace.relation.SortKey;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.Seeds;
import dev.millrace.window.Frame;
import dev.millrace.window.Window;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Frames by distances between values are what comparing every row with every other one gives.
@Timeout(120)
class WindowDistancesTest {
    private static final int CASES = 100;

    private final long seed = Seeds.seed();

    /// @param sees whether the frame of a row with the first key has a row with the second, both of which are values
    private record Kind(Frame frame, boolean descending, List<Object> keys, BiPredicate<Object, Object> sees) {
        /// Null and NaN see their like and nothing else.
        boolean has(Object own, Object other) {
            return isStrange(own) || isStrange(other) ? Objects.equals(own, other) : sees.test(own, other);
        }

        private static boolean isStrange(Object key) {
            return key == null || key.equals(Double.NaN);
        }
    }

    @Test
    void framesAreThoseOfEveryPair() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            for (int i = 0; i < CASES; i++) {
                Random random = new Random(seed + i);
                check(session, kind(random), random, "-Dmillrace.seed=" + seed + ", case " + i);
            }
        }
    }

    private static void check(Session session, Kind kind, Random random, String which) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < kind.keys().size(); i++) {
            Object key = kind.keys().get(i);
            rows.add(Row.of("id", (long) i, "group", random.nextInt(3), "key", key, "value", 0.5 * (i % 17)));
        }
        List<Row> made = session.items(rows)
                .window(
                        Window.partitionBy("group").orderBy(new SortKey("key", kind.descending())),
                        over(count(), kind.frame()).as("count"),
                        over(sum("value"), kind.frame()).as("sum"),
                        over(min("id"), kind.frame()).as("min"),
                        over(max("id"), kind.frame()).as("max"),
                        firstValue("value").over(kind.frame()).as("first"))
                .takeAll();
        assertThat(session.allocator().heldBytes()).isZero();
        assertThat(made).as(which).hasSameSizeAs(rows);
        for (Row row : made) {
            List<Row> seen = rows.stream()
                    .filter(other ->
                            other.get("group").equals(row.get("group")) && kind.has(row.get("key"), other.get("key")))
                    .toList();
            String place = which + ", " + kind.frame() + ", row " + row;
            assertThat(row.getLong("count")).as(place).isEqualTo(seen.size());
            assertThat(row.get("first") == null).as(place).isEqualTo(seen.isEmpty());
            if (seen.isEmpty()) {
                assertThat(row.get("sum")).as(place).isNull();
                continue;
            }
            assertThat(row.getDouble("sum"))
                    .as(place)
                    .isEqualTo(
                            seen.stream().mapToDouble(r -> r.getDouble("value")).sum());
            var ids = seen.stream().mapToLong(r -> r.getLong("id")).summaryStatistics();
            assertThat(row.getLong("min")).as(place).isEqualTo(ids.getMin());
            assertThat(row.getLong("max")).as(place).isEqualTo(ids.getMax());
        }
    }

    private static Kind kind(Random random) {
        boolean descending = random.nextBoolean();
        int from = random.nextInt(20) - 12;
        int to = from + random.nextInt(10) - 1;
        int way = descending ? -1 : 1;
        return switch (random.nextInt(5)) {
            case 0 ->
                new Kind(
                        Frame.values(from, to),
                        descending,
                        keys(random, () -> (long) random.nextInt(40)),
                        (own, other) -> in((double) (way * ((Long) other - (Long) own)), from, to));
            case 1 ->
                new Kind(
                        Frame.values(from + 0.5, to + 0.5),
                        descending,
                        keys(random, () -> random.nextInt(9) == 0 ? Double.NaN : random.nextInt(80) / 2.0),
                        (own, other) -> in(way * ((Double) other - (Double) own), from + 0.5, to + 0.5));
            case 2 ->
                new Kind(
                        Frame.values(from, to),
                        descending,
                        keys(random, () -> BigDecimal.valueOf(1000 + random.nextInt(4000), 2)),
                        (own, other) -> in(
                                way
                                        * ((BigDecimal) other)
                                                .subtract((BigDecimal) own)
                                                .doubleValue(),
                                from,
                                to));
            case 3 ->
                new Kind(
                        Frame.values(Period.ofMonths(from), Period.ofMonths(to)),
                        descending,
                        keys(random, () -> LocalDate.of(2024, 1, 20).plusDays(random.nextInt(300))),
                        (own, other) -> {
                            LocalDate first = ((LocalDate) own).plusMonths(descending ? -to : from);
                            LocalDate last = ((LocalDate) own).plusMonths(descending ? -from : to);
                            return !((LocalDate) other).isBefore(first) && !((LocalDate) other).isAfter(last);
                        });
            default -> {
                LocalDateTime start = LocalDateTime.of(2024, 1, 1, 0, 0);
                yield new Kind(
                        Frame.values(Duration.ofHours(from), Duration.ofHours(to)),
                        descending,
                        keys(random, () -> start.plusMinutes(random.nextInt(2400))),
                        (own, other) -> {
                            Duration apart = Duration.between((LocalDateTime) own, (LocalDateTime) other);
                            return in((double) (way * apart.toMinutes()), 60.0 * from, 60.0 * to);
                        });
            }
        };
    }

    private static List<Object> keys(Random random, Supplier<Object> value) {
        List<Object> keys = new ArrayList<>(List.of(value.get()));
        for (int i = random.nextInt(80); i > 0; i--) {
            keys.add(random.nextInt(8) == 0 ? null : value.get());
        }
        return keys;
    }

    private static boolean in(double ahead, double from, double to) {
        return ahead >= from && ahead <= to;
    }
}
