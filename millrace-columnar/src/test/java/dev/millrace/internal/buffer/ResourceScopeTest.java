package dev.millrace.internal.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.internal.lifetime.Releasable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourceScopeTest {
    private final List<String> closed = new ArrayList<>();

    private AutoCloseable closing(String name) {
        return () -> closed.add(name);
    }

    private Releasable releasing(String name) {
        return () -> closed.add(name);
    }

    private static AutoCloseable failing(Exception e) {
        return () -> {
            throw e;
        };
    }

    @Test
    void whatWasOpenedIsClosedTheLastFirstWhenTheBodyFails() {
        assertThatThrownBy(() -> {
                    try (ResourceScope scope = new ResourceScope()) {
                        scope.add(closing("first"));
                        scope.add(releasing("second"));
                        scope.add(closing("third"));
                        throw new IllegalStateException("body");
                    }
                })
                .hasMessage("body")
                .hasNoSuppressedExceptions();

        assertThat(closed).containsExactly("third", "second", "first");
    }

    @Test
    void whatIsKeptStaysOpen() {
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(closing("first"));
            List<Releasable> list = scope.list();
            list.add(releasing("second"));

            assertThat(scope.keep("whole")).isEqualTo("whole");
        }

        assertThat(closed).isEmpty();
    }

    @Test
    void whatIsOpenedAfterAKeepIsOwnedAgain() {
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(closing("kept"));
            scope.keep();
            scope.add(closing("later"));
        }

        assertThat(closed).containsExactly("later");
    }

    @Test
    void elementsThatComeIntoAListLaterAreReleased() {
        try (ResourceScope scope = new ResourceScope()) {
            List<Releasable> list = scope.list();
            list.add(releasing("a"));
            list.add(releasing("b"));
        }

        assertThat(closed).containsExactly("b", "a");
    }

    @Test
    void allAreClosedThoughSomeFailAndTheErrorOfTheBodyComesOut() {
        IOException first = new IOException("first");
        IllegalStateException last = new IllegalStateException("last");

        assertThatThrownBy(() -> {
                    try (ResourceScope scope = new ResourceScope()) {
                        scope.add(failing(first));
                        scope.add(closing("between"));
                        scope.add(failing(last));
                        throw new IllegalArgumentException("body");
                    }
                })
                .hasMessage("body")
                .satisfies(e -> assertThat(e.getSuppressed()).containsExactly(last));

        assertThat(closed).containsExactly("between");
        assertThat(last.getSuppressed()).containsExactly(first);
    }

    @Test
    void aCheckedErrorOfClosingAloneComesOutUnchecked() {
        ResourceScope scope = new ResourceScope();
        scope.add(failing(new IOException("disk")));

        assertThatThrownBy(scope::close)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("disk");
    }

    @Test
    void nothingIsOwnedOfANull() {
        try (ResourceScope scope = new ResourceScope()) {
            assertThat(scope.add((Releasable) null)).isNull();
            assertThat(scope.add((AutoCloseable) null)).isNull();
        }
    }

    @Test
    void whatIsDroppedIsReleasedAtOnceAndOnce() {
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(releasing("first"));
            Releasable second = scope.add(releasing("second"));
            scope.drop(second);
            assertThat(closed).containsExactly("second");
        }

        assertThat(closed).containsExactly("second", "first");
    }

    @Test
    void aScopeIsClosedOnce() {
        ResourceScope scope = new ResourceScope();
        scope.add(closing("one"));
        scope.close();
        scope.close();

        assertThat(closed).containsExactly("one");
    }
}
