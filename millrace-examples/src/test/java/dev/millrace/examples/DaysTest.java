package dev.millrace.examples;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.source.Source;
import dev.millrace.testing.SourceContract;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DaysTest extends SourceContract {
    private static final LocalDate FIRST = LocalDate.of(2024, 2, 27);
    private static final int DAYS = 25_000;

    @Override
    protected Source source() {
        return Days.between(FIRST, FIRST.plusDays(DAYS));
    }

    @Override
    protected List<Map<String, Object>> rows() {
        return IntStream.range(0, DAYS)
                .mapToObj(FIRST::plusDays)
                .map(day -> Map.<String, Object>of(
                        "date", day, "weekday", day.getDayOfWeek().name(), "dayOfYear", day.getDayOfYear()))
                .toList();
    }

    @Test
    void daysDoNotRunBackwards() {
        assertThatThrownBy(() -> Days.between(FIRST, FIRST.minusDays(1)))
                .hasMessage("Days end before they begin: from 2024-02-27 to 2024-02-26.");
    }
}
