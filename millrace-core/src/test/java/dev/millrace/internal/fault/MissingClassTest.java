package dev.millrace.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.error.MillraceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MissingClassTest {
    private static final String ADD_THERE =
            " Workers have what is on the class path of the program that started the run: add the jar or folder that holds"
                    + " it there, and start the program again.";
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    private static final class WorkerLoader extends ClassLoader implements MissingClass.SentCode {
        @Override
        public String worker() {
            return "worker-2";
        }
    }

    @AfterEach
    void leaveTheWorker() {
        Thread.currentThread().setContextClassLoader(before);
    }

    private static String onWorker(Throwable thrown) {
        Thread.currentThread().setContextClassLoader(new WorkerLoader());
        return MissingClass.sentence(thrown).orElse("");
    }

    @Test
    void theClassAndTheWorkerAreNamed() {
        String missing = "the class com.acme.Text is missing on worker-2." + ADD_THERE;
        assertThat(onWorker(new NoClassDefFoundError("com/acme/Text"))).isEqualTo(missing);
        assertThat(onWorker(new ClassNotFoundException("com.acme.Text"))).isEqualTo(missing);
        assertThat(onWorker(new TypeNotPresentException("com.acme.Text", null))).isEqualTo(missing);
        assertThat(onWorker(new IllegalStateException("no plugin", new ClassNotFoundException("com.acme.Text"))))
                .isEqualTo(missing);
    }

    @Test
    void withoutAWorkerTheClassPathOfTheProgramIsMeant() {
        assertThat(MissingClass.sentence(new ClassNotFoundException("com.acme.Text")))
                .contains(
                        "the class com.acme.Text is missing. Add the jar or folder that holds it to the class path of the"
                                + " program.");
    }

    /// Its initialiser fails, as if a class that it needs were missing.
    private static final class NeedsAnother {
        static final int SIZE;

        static {
            SIZE = size();
        }

        private static int size() {
            throw new NoClassDefFoundError("com/acme/Text");
        }
    }

    @Test
    void aStaticInitialiserThatNeedsAMissingClassIsNamedTheFirstTimeAndLater() {
        Throwable first = catchThrowable(() -> assertThat(NeedsAnother.SIZE).isZero());
        assertThat(onWorker(first)).isEqualTo("the class com.acme.Text is missing on worker-2." + ADD_THERE);
        Throwable second = catchThrowable(() -> assertThat(NeedsAnother.SIZE).isZero());
        assertThat(onWorker(second))
                .isEqualTo("the class com.acme.Text is missing on worker-2; the static initialiser of "
                        + NeedsAnother.class.getName() + " needs it." + ADD_THERE);
    }

    private static final class Broken {
        static final int SIZE;

        static {
            SIZE = size();
        }

        private static int size() {
            throw new IllegalStateException("no table.bin");
        }
    }

    @Test
    void aStaticInitialiserThatFailsIsNamedWithItsReason() {
        String text = "the static initialiser of " + Broken.class.getName()
                + " failed on worker-2: java.lang.IllegalStateException: no table.bin. It runs once in each worker, where"
                + " files, settings and static variables of the program that started the run may be missing.";
        assertThat(onWorker(catchThrowable(() -> assertThat(Broken.SIZE).isZero())))
                .isEqualTo(text);
        assertThat(onWorker(catchThrowable(() -> assertThat(Broken.SIZE).isZero())))
                .isEqualTo(text);
    }

    @Test
    void aClassOfANewerJavaIsNamedWithBothVersions() {
        assertThat(onWorker(
                        new UnsupportedClassVersionError("com/acme/Job has been compiled by a more recent version of"
                                + " the Java Runtime (class file version 99.0), this version of the Java Runtime only recognizes"
                                + " class file versions up to 69.0")))
                .startsWith("the class com.acme.Job was compiled for Java 55, and worker-2 runs on Java ")
                .contains(". Run it on Java 55 or newer, or compile it with --release ");
    }

    @Test
    void aClassThatCouldNotBeFetchedHasTheReason() {
        assertThat(onWorker(new ClassNotFoundException("com.acme.Job", new java.io.IOException("its driver has left"))))
                .isEqualTo("the class com.acme.Job could not be brought to worker-2: its driver has left.");
    }

    @Test
    void otherFailuresStayAsTheyAre() {
        Throwable other = new IllegalStateException("no model");
        assertThat(MissingClass.worded("map(f)", other)).isSameAs(other);
        assertThat(MissingClass.sentence(new ClassNotFoundException("the other thread waits")))
                .isEmpty();
        Throwable told = MillraceException.user("It has a sentence.");
        assertThat(MissingClass.worded("map(f)", told)).isSameAs(told);
        assertThat(MissingClass.worded("map(f)", new NoClassDefFoundError("a/B")))
                .hasMessageStartingWith("map(f) failed: the class a.B is missing.");
    }
}
