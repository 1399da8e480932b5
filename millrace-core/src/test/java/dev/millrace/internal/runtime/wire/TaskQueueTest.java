package dev.millrace.internal.runtime.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TaskQueueTest {
    private final TaskQueue<String> queue = new TaskQueue<>();

    @Test
    void aTaskIsTakenWhenTheOneInFrontOfItHasEnded() {
        assertThat(queue.add(2, "second", 1, _ -> true)).isTrue();

        assertThat(queue.next(7)).isNull();
        assertThat(queue.next(1)).isEqualTo("second");
        assertThat(queue.next(1)).isNull();
        assertThat(queue.get(2)).isNull();
    }

    @Test
    void aTaskThatIsTakenOutDoesNotFollow() {
        assertThat(queue.add(2, "second", 1, _ -> true)).isTrue();

        assertThat(queue.get(2)).isEqualTo("second");
        assertThat(queue.take(2)).isEqualTo("second");
        assertThat(queue.take(2)).isNull();
        assertThat(queue.next(1)).isNull();
    }

    @Test
    void nothingWaitsForATaskThatHasEndedOrBehindTwo() {
        assertThat(queue.add(2, "second", 1, _ -> false)).isFalse();
        assertThat(queue.add(3, "third", 1, _ -> true)).isTrue();
        assertThat(queue.add(4, "fourth", 1, _ -> true)).isFalse();
    }
}
