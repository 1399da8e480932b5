package dev.millrace.internal.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureChainTest {
    private final IllegalStateException first = new IllegalStateException("first");

    @Test
    void theFirstFailureHasTheLaterOnesSuppressed() {
        IllegalStateException second = new IllegalStateException("second");
        IllegalStateException third = new IllegalStateException("third");
        IllegalStateException failure = null;
        for (IllegalStateException next : new IllegalStateException[] {first, second, third}) {
            failure = FailureChain.add(failure, next);
        }
        assertThat(failure).isSameAs(first);
        assertThat(first.getSuppressed()).containsExactly(second, third);
    }

    @Test
    void theSameFailureAgainIsOneFailure() {
        assertThat(FailureChain.add(first, first)).isSameAs(first);
        assertThat(first.getSuppressed()).isEmpty();
    }
}
