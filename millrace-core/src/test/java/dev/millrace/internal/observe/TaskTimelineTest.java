package dev.millrace.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TaskTimelineTest {
    private final AtomicInteger texts = new AtomicInteger();

    private TaskTimeline.Attempt attempt(long id) {
        return new TaskTimeline.Attempt(id, 0, null, 1, 1, 0, 10, () -> {
            texts.incrementAndGet();
            return "block " + id;
        });
    }

    @Test
    void ofAHundredThousandTasksTheSlowestAndAnEvenSampleAreKept() {
        TaskTimeline timeline = new TaskTimeline(0);
        for (long id = 0; id < 100_000; id++) {
            timeline.begun(id, id * 10);
            timeline.ended(attempt(id), false, id * 10 + (id % 10_000 == 77 ? 500 : 5));
        }
        List<TaskSample> kept = timeline.ended();
        assertThat(kept).hasSizeBetween(100, TaskTimeline.MAX_SAMPLES + TaskTimeline.SLOWEST);
        assertThat(kept.stream().filter(task -> task.endNanos() - task.startNanos() == 500))
                .hasSize(10)
                .allMatch(TaskSample::slow);
        assertThat(kept.stream()
                        .filter(task -> !task.slow())
                        .mapToLong(TaskSample::id)
                        .max()
                        .orElse(0))
                .isGreaterThan(90_000);
        assertThat(texts.get()).as("texts that were built").isLessThan(3_000);
    }

    @Test
    void equalErrorsAreCountedAndOthersAreBounded() {
        TaskTimeline timeline = new TaskTimeline(0);
        for (int i = 0; i < 1_000; i++) {
            timeline.failed("map", new IllegalStateException("stuck"), () -> "part-3.parquet", i);
            timeline.failed("map", new IllegalStateException("stuck " + i), () -> "part-4.parquet", i);
        }
        assertThat(timeline.errors()).hasSize(TaskTimeline.MAX_ERRORS);
        assertThat(timeline.errors().getFirst())
                .isEqualTo(new RunError("map", "attempt failed", "stuck", "part-3.parquet", 1_000, 999));
    }

    @Test
    void runningTasksHaveTheirStart() {
        TaskTimeline timeline = new TaskTimeline(100);
        timeline.begun(1, 150);
        assertThat(timeline.running(attempt(1), 300)).satisfies(task -> {
            assertThat(task.startNanos()).isEqualTo(50);
            assertThat(task.endNanos()).isEqualTo(200);
            assertThat(task.outcome()).isEqualTo(TaskSample.Outcome.RUNNING);
        });
        assertThat(timeline.running(attempt(2), 300)).isNull();
    }
}
