package dev.millrace.internal.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DeepStackTest {
    private static long depth(long levels) {
        return levels == 0 ? 0 : 1 + depth(levels - 1);
    }

    private static long endless(long levels) {
        return levels < 0 ? 0 : 1 + endless(levels + 1);
    }

    @Test
    void workThatFitsIsDoneOnceAndHere() {
        AtomicInteger calls = new AtomicInteger();
        Thread here = DeepStack.call(() -> {
            calls.incrementAndGet();
            return Thread.currentThread();
        });

        assertThat(here).isSameAs(Thread.currentThread());
        assertThat(calls).hasValue(1);
    }

    @Test
    void workThatDoesNotFitIsDoneOnADeeperStack() {
        assertThat(DeepStack.call(() -> depth(500_000))).isEqualTo(500_000);
        assertThat(DeepStack.onOwnThread(() -> depth(500_000))).isEqualTo(500_000);
    }

    @Test
    void anOverflowThatSomebodyHasWrappedCountsToo() {
        assertThat(DeepStack.call(() -> {
                    try {
                        return depth(500_000);
                    } catch (StackOverflowError e) {
                        throw new IllegalStateException("planning failed", e);
                    }
                }))
                .isEqualTo(500_000);
    }

    @Test
    void whatHasNoEndIsToldSo() {
        assertThatThrownBy(() -> DeepStack.call(() -> endless(0)))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.USER))
                .hasMessageStartingWith("A plan, an expression or a query is nested too deeply: ");
    }

    @Test
    void errorsComeWithTheLineOfTheCaller() {
        assertThatThrownBy(() -> DeepStack.onOwnThread(() -> {
                    throw MillraceException.user("no such column");
                }))
                .isInstanceOf(MillraceException.class)
                .hasMessage("no such column")
                .satisfies(e -> assertThat(e.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("errorsComeWithTheLineOfTheCaller")));
        assertThatThrownBy(() -> DeepStack.call(() -> {
                    throw new IllegalArgumentException("as it is");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("as it is");
    }
}
