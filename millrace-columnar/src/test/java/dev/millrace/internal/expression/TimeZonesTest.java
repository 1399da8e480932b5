package dev.millrace.internal.expression;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.type.DataType.UTF8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Local times and instants against java.time, around changes of clocks too.
class TimeZonesTest {
    private static final List<String> ZONES =
            List.of("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia");

    private final long seed = Seeds.seed();
    private final Random random = new Random(seed);

    @Test
    void localTimesAndInstantsAreThoseOfJava() {
        for (String name : ZONES) {
            ZoneId zone = ZoneId.of(name);
            List<Object> locals = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                locals.add(random.nextInt(9) == 0 ? null : time(i));
            }
            List<Object> instants = locals.stream()
                    .map(local -> local == null ? null : (Object) ((LocalDateTime) local).atZone(zone))
                    .collect(ArrayList::new, List::add, List::addAll);
            DataType local = DataType.timestamp(TimeUnit.MICROSECOND);
            DataType zoned = DataType.timestamp(TimeUnit.MICROSECOND, name);
            try (BlockOf block =
                    new BlockOf().with("l", local, locals.toArray()).with("z", zoned, instants.toArray())) {
                check(block.eval(col("l").atZone(name)), instants, name);
                check(block.eval(col("l").atZone(name), 100, 180), instants.subList(100, 180), name);
                List<Object> seen = new ArrayList<>();
                List<Object> elsewhere = new ArrayList<>();
                for (Object instant : instants) {
                    ZonedDateTime time = (ZonedDateTime) instant;
                    seen.add(time == null ? null : time.toLocalDateTime());
                    elsewhere.add(time == null ? null : time.withZoneSameInstant(ZoneId.of("Asia/Tokyo")));
                }
                check(block.eval(col("z").withoutZone()), seen, name);
                check(block.eval(col("z").inZone("Asia/Tokyo")), elsewhere, name);
                checkUnits(block, instants, zone);
            }
        }
    }

    private void checkUnits(BlockOf block, List<Object> instants, ZoneId zone) {
        for (String unit : List.of("hour", "day", "month", "year")) {
            List<Object> ceilings = block.eval(col("z").ceil(unit));
            ChronoUnit step = ChronoUnit.valueOf(unit.toUpperCase(java.util.Locale.ROOT) + "S");
            ZonedDateTime reference = LocalDateTime.of(2000, 2, 29, 12, 0).atZone(zone);
            List<Object> units = block.eval(col("z").unitsUntil(unit, reference));
            for (int i = 0; i < instants.size(); i++) {
                ZonedDateTime time = (ZonedDateTime) instants.get(i);
                if (time == null) {
                    assertThat(units.get(i)).isNull();
                    continue;
                }
                ZonedDateTime start = step.isDateBased()
                        ? start(time.toLocalDate(), step).atStartOfDay(zone)
                        : time.truncatedTo(step);
                ZonedDateTime expected = start.equals(time) ? time : start.plus(1, step);
                assertThat(ceilings.get(i))
                        .as("%s of %s, seed %d", unit, time, seed)
                        .isEqualTo(expected);
                long between = step.isDateBased()
                        ? between(step, time.toLocalDateTime(), reference.toLocalDateTime())
                        : Duration.between(time, reference).toHours();
                assertThat(units.get(i))
                        .as("%ss from %s, seed %d", unit, time, seed)
                        .isEqualTo(between);
            }
        }
    }

    /// The same in both directions, other than in Java, where a month back may be shorter than one forward.
    private static long between(ChronoUnit unit, LocalDateTime from, LocalDateTime to) {
        return from.isAfter(to) ? -unit.between(to, from) : unit.between(from, to);
    }

    private static LocalDate start(LocalDate date, ChronoUnit unit) {
        return switch (unit) {
            case MONTHS -> date.withDayOfMonth(1);
            case YEARS -> date.withDayOfYear(1);
            default -> date;
        };
    }

    /// Some at random, others within hours of a change of Europe's, America's or Lord Howe's clocks.
    private LocalDateTime time(int i) {
        LocalDateTime base = switch (i % 4) {
            case 0 -> LocalDateTime.of(2024, 3, 31, 2, 0);
            case 1 -> LocalDateTime.of(2023, 11, 5, 1, 0);
            case 2 -> LocalDateTime.of(2022, 4, 3, 1, 30);
            default -> LocalDateTime.of(1985, 1, 1, 0, 0).plusSeconds(random.nextInt());
        };
        return base.plusMinutes(random.nextInt(-300, 300)).plusNanos(1000L * random.nextInt(1_000_000));
    }

    private void check(List<Object> actual, List<Object> expected, String zone) {
        for (int i = 0; i < expected.size(); i++) {
            assertThat(actual.get(i)).as("%s, row %d, seed %d", zone, i, seed).isEqualTo(expected.get(i));
        }
    }

    @Test
    void textsThatDoNotFollowAPatternAreNullIfAsked() {
        try (BlockOf block = new BlockOf().with("t", UTF8, "24.12.2023 18:30", "tomorrow", null)) {
            assertThat(block.eval(col("t").tryParseTimestamp("dd.MM.yyyy HH:mm")))
                    .containsExactly(LocalDateTime.of(2023, 12, 24, 18, 30), null, null);
            assertThat(block.eval(col("t").tryParseDate("dd.MM.yyyy HH:mm")))
                    .containsExactly(LocalDate.of(2023, 12, 24), null, null);
        }
    }

    @Test
    void badArgumentsAreSentences() {
        DataType local = DataType.timestamp(TimeUnit.SECOND);
        try (BlockOf block = new BlockOf()
                .with("l", local, LocalDateTime.of(2020, 1, 1, 0, 0))
                .with("d", DataType.DATE, LocalDate.of(2020, 1, 1))) {
            assertThatThrownBy(() -> block.eval(col("l").atZone("Mars/Base")))
                    .hasMessageContaining("'Mars/Base' is no time zone. Use a name such as Europe/Berlin, or UTC.");
            assertThatThrownBy(() -> block.eval(col("l").inZone("UTC")))
                    .hasMessageContaining("needs a timestamp with a zone there.");
            assertThatThrownBy(() -> block.eval(col("l").unitsUntil("day", col("l").atZone("UTC"))))
                    .hasMessageContaining("has a zone and the other has none. Use atZone or withoutZone");
            assertThatThrownBy(() -> block.eval(col("d").unitsUntil("hour", col("d"))))
                    .hasMessageContaining("dates have no hours. Use day or longer units, or timestamps.");
            assertThatThrownBy(() -> block.eval(col("l").ceil("fortnight")))
                    .hasMessageContaining("'fortnight' is no unit.");
        }
    }
}
