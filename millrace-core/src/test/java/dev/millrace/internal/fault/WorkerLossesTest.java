package dev.millrace.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WorkerLossesTest {
    private final WorkerLosses losses = new WorkerLosses();

    private void lose(Duration at) {
        losses.add(at.toNanos());
    }

    @Test
    void threeInARowAreTooMany() {
        lose(Duration.ofSeconds(1));
        lose(Duration.ofSeconds(2));
        assertThat(losses.counted()).isEqualTo(2).isLessThan(RetryRule.MAX_LOST_WORKERS);
        lose(Duration.ofSeconds(9));
        assertThat(losses.counted()).isEqualTo(RetryRule.MAX_LOST_WORKERS);
    }

    @Test
    void lossesFarApartInTimeAreForgotten() {
        for (int hour = 0; hour < WorkerLosses.MAX_EVER - 1; hour++) {
            lose(Duration.ofHours(hour));
            assertThat(losses.counted()).as("after hour %d", hour).isEqualTo(1);
        }
    }

    @Test
    void twoOfThreeWithinTheWindowCountAsTwo() {
        lose(Duration.ofMinutes(1));
        lose(Duration.ofMinutes(20));
        lose(Duration.ofMinutes(25));
        assertThat(losses.counted()).isEqualTo(2);
    }

    @Test
    void tenAreTooManyHoweverRare() {
        for (int hour = 0; hour < WorkerLosses.MAX_EVER; hour++) {
            lose(Duration.ofHours(hour));
        }
        assertThat(losses.counted()).isEqualTo(WorkerLosses.MAX_EVER).isGreaterThan(RetryRule.MAX_LOST_WORKERS);
    }
}
