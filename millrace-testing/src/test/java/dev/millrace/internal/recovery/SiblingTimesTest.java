package dev.millrace.internal.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SiblingTimesTest {
    private static final StragglerWatch.Rule RULE = new StragglerWatch.Rule(50, 3, 5);

    private static SiblingTimes of(int tasks, long nanos, long bytes) {
        SiblingTimes times = new SiblingTimes();
        for (int i = 0; i < tasks; i++) {
            times.add(nanos, bytes);
        }
        return times;
    }

    @Test
    void aTaskOfTheUsualSizeMayTakeThreeTimesAsLongAsItsSiblings() {
        assertThat(of(5, 100, 1000).limitNanos(RULE, 1000)).isEqualTo(300);
    }

    @Test
    void aTaskOfTenTimesTheInputMayTakeTenTimesAsLong() {
        assertThat(of(5, 100, 1000).limitNanos(RULE, 10_000)).isEqualTo(3000);
    }

    @Test
    void aTaskOfLittleInputMayTakeAsLongAsTheOthers() {
        assertThat(of(5, 100, 1000).limitNanos(RULE, 1)).isEqualTo(300);
    }

    @Test
    void tasksWithoutInputAreComparedByTimeAlone() {
        assertThat(of(5, 100, 0).limitNanos(RULE, 0)).isEqualTo(300);
        assertThat(of(5, 100, 0).limitNanos(RULE, 7)).isEqualTo(300);
    }

    @Test
    void thereIsAMinimum() {
        assertThat(of(5, 1, 1000).limitNanos(RULE, 1000)).isEqualTo(50);
    }

    @Test
    void nothingIsSaidBeforeEnoughHaveFinished() {
        assertThat(of(4, 100, 1000).limitNanos(RULE, 1000)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theLatestCount() {
        SiblingTimes times = of(64, 100, 1000);
        for (int i = 0; i < 64; i++) {
            times.add(700, 2000);
        }
        assertThat(times.limitNanos(RULE, 2000)).isEqualTo(2100);
    }
}
