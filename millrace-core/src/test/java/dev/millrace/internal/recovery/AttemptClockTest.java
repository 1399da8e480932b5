package dev.millrace.internal.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AttemptClockTest {
    private long now = 1_000;

    @Test
    void pausesDoNotCountAndTheOneItIsInNeither() {
        AttemptClock clock = new AttemptClock(false, () -> now);
        assertThat(clock.computedNanos()).as("not submitted yet").isZero();
        clock.submitted();
        now += 10;
        assertThat(clock.computedNanos()).isEqualTo(10);
        clock.paused();
        assertThat(clock.isRunning()).isFalse();
        now += 100;
        assertThat(clock.computedNanos()).isEqualTo(10);
        clock.resumed();
        clock.resumed();
        now += 5;
        assertThat(clock.computedNanos()).isEqualTo(15);
        clock.paused();
        now += 7;
        clock.resumed();
        assertThat(clock.computedNanos()).isEqualTo(15);
        assertThat(clock.isRunning()).isTrue();
    }

    @Test
    void whatWaitsBehindAnotherComputesFromWhenThatHasEnded() {
        AttemptClock clock = new AttemptClock(true, () -> now);
        clock.submitted();
        now += 50;
        assertThat(clock.isRunning()).isFalse();
        assertThat(clock.computedNanos()).isZero();
        clock.leftQueue();
        now += 20;
        clock.leftQueue();
        assertThat(clock.computedNanos()).isEqualTo(20);
        assertThat(clock.isRunning()).isTrue();
    }
}
