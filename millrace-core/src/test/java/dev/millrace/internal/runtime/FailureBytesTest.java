package dev.millrace.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.runtime.RemoteFailure;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class FailureBytesTest {
    private static Throwable sent(Throwable failure) {
        return FailureBytes.decode(FailureBytes.encode(failure), FailureBytesTest.class.getClassLoader());
    }

    private static final class Stubborn extends Exception {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("unused") // is there to be not serialisable
        final Object companion = new Object();

        Stubborn(String message, Throwable cause) {
            super(message, cause);
        }
    }

    @Test
    void anExceptionArrivesAsItself() {
        IOException original = new IOException("disk full", new IllegalStateException("quota"));
        Throwable arrived = sent(original);
        assertThat(arrived).isInstanceOf(IOException.class).hasMessage("disk full");
        assertThat(arrived.getCause()).isInstanceOf(IllegalStateException.class).hasMessage("quota");
        assertThat(arrived.getStackTrace()).isEqualTo(original.getStackTrace());
    }

    @Test
    void anExceptionThatIsNotSerialisableArrivesAsItsDescription() {
        Stubborn original = new Stubborn("batch 7", new IOException("cut off"));
        Throwable arrived = sent(original);
        assertThat(arrived).isInstanceOf(RemoteFailure.class).hasMessage("batch 7");
        assertThat(arrived).hasToString(Stubborn.class.getName() + ": batch 7");
        assertThat(arrived.getStackTrace()).isEqualTo(original.getStackTrace());
        assertThat(arrived.getCause()).hasToString("java.io.IOException: cut off");
    }

    @Test
    void theCulpritSurvivesACauseThatCannotTravel() {
        Throwable arrived = sent(new MillraceException(Culprit.DATA, "row 3 of x.csv", new Stubborn("inner", null)));
        assertThat(arrived)
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                .hasMessage("row 3 of x.csv");
        assertThat(arrived.getCause()).hasMessage("inner");
    }

    @Test
    void aClassThatIsUnknownHereIsTold() {
        byte[] bytes = FailureBytes.encode(new UnknownThere("gone"));
        ClassLoader without = new ClassLoader(FailureBytesTest.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (name.endsWith("UnknownThere")) {
                    throw new LinkageError("another version of " + name);
                }
                return super.loadClass(name, resolve);
            }
        };
        assertThat(FailureBytes.decode(bytes, without))
                .isInstanceOf(RemoteFailure.class)
                .hasToString(UnknownThere.class.getName() + ": gone");
    }

    private static final class UnknownThere extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnknownThere(String message) {
            super(message);
        }
    }

    @Test
    void bytesThatAreNoFailureAreAnErrorOfOurs() {
        assertThat(FailureBytes.decode(new byte[] {1, 2, 3}, FailureBytesTest.class.getClassLoader()))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("could not be read");
    }
}
