package dev.millrace.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetryBackoffTest {
    private static final Duration MOST = Duration.ofSeconds(32);

    @Test
    void pausesDoubleFromAQuarterSecondToTheLimit() {
        long[] millis = {250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 32_000};
        for (int i = 0; i < millis.length; i++) {
            assertThat(RetryBackoff.nanos(i + 1, MOST, 1))
                    .isEqualTo(Duration.ofMillis(millis[i]).toNanos());
            assertThat(RetryBackoff.nanos(i + 1, MOST, 0))
                    .isEqualTo(Duration.ofMillis(millis[i]).toNanos() / 2);
        }
        assertThat(RetryBackoff.nanos(1000, MOST, 1)).isEqualTo(MOST.toNanos());
    }
}
