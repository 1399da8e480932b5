package dev.millrace.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.runtime.FailureBytes;
import dev.millrace.internal.transform.UserCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class FaultKindTest {
    /// An exception that cannot be sent.
    private static final class SocketIOException extends IOException {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("unused")
        private final Object stubborn = new Object();

        SocketIOException() {
            super("reset");
        }
    }

    private static MillraceException reading(Throwable cause) {
        return new MillraceException(Culprit.RESOURCES, "Reading part-3 failed: " + cause, cause);
    }

    @Test
    void whatTheUsersCodeThrowsIsTheUsersAlsoIfItIsAnIoError() {
        assertThat(FaultKind.of(UserCode.failed("map(f)", "row 1", new IOException("reset")), false))
                .isEqualTo(FaultKind.USER);
        assertThat(FaultKind.of(new IllegalStateException(), false)).isEqualTo(FaultKind.USER);
        assertThat(FaultKind.of(new IOException("raw"), false)).isEqualTo(FaultKind.USER);
        assertThat(FaultKind.of(new StackOverflowError(), false)).isEqualTo(FaultKind.USER);
        assertThat(FaultKind.USER.isTolerable()).isTrue();
    }

    @Test
    void brokenDataIsToldApartFromWhatCannotBeReachedNow() {
        assertThat(FaultKind.of(MillraceException.data("part-3 is corrupt"), false))
                .isEqualTo(FaultKind.DATA);
        assertThat(FaultKind.of(reading(new IOException("reset")), false)).isEqualTo(FaultKind.IO);
        assertThat(FaultKind.of(reading(new UncheckedIOException(new IOException("reset"))), false))
                .isEqualTo(FaultKind.IO);
        assertThat(FaultKind.IO.isTolerable()).isFalse();
    }

    @Test
    void aMissingFileDoesNotComeByWaiting() {
        assertThat(FaultKind.of(reading(new NoSuchFileException("part-3")), false))
                .isEqualTo(FaultKind.RESOURCES);
        assertThat(FaultKind.of(reading(new UncheckedIOException(new NoSuchFileException("part-3"))), false))
                .isEqualTo(FaultKind.RESOURCES);
    }

    @Test
    void exhaustedMemoryIsOfTheResources() {
        assertThat(FaultKind.of(new OutOfMemoryError(), false)).isEqualTo(FaultKind.RESOURCES);
        assertThat(FaultKind.of(MillraceException.resources("the session's memory is full"), false))
                .isEqualTo(FaultKind.RESOURCES);
    }

    @Test
    void aLostWorkerIsOneWhateverItSaid() {
        assertThat(FaultKind.of(new IllegalStateException("node gone"), true)).isEqualTo(FaultKind.LOST_WORKER);
        assertThat(FaultKind.of(MillraceException.internal("bug"), true)).isEqualTo(FaultKind.LOST_WORKER);
        assertThat(FaultKind.of(new TaskCancelled(), false)).isEqualTo(FaultKind.CANCELLED);
        assertThat(FaultKind.of(MillraceException.internal("bug"), false)).isEqualTo(FaultKind.INTERNAL);
    }

    @Test
    void theKindSurvivesTheWayFromAWorker() {
        Throwable arrived = FailureBytes.decode(
                FailureBytes.encode(reading(new SocketIOException())), FaultKindTest.class.getClassLoader());
        assertThat(FaultKind.of(arrived, false)).isEqualTo(FaultKind.IO);
        Throwable missing = FailureBytes.decode(
                FailureBytes.encode(reading(new NoSuchFileException("a"))), FaultKindTest.class.getClassLoader());
        assertThat(FaultKind.of(missing, false)).isEqualTo(FaultKind.RESOURCES);
    }
}
