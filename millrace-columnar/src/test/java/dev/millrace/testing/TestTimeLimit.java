package dev.millrace.testing;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.PreInterruptCallback;
import org.junit.jupiter.api.extension.PreInterruptContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/// What happens when a test's time is over. It is found by the service loader and holds for every test of every module;
/// the time is that of `junit-platform.properties`, or of the test's own `@Timeout`.
///
/// Before JUnit interrupts the test, all threads are written to a file and the platform threads printed; the failure
/// names the file and where the test was. A test that does not end after the interrupt either ends the process, with a
/// message: a run that stands still tells nobody anything.
public final class TestTimeLimit
        implements PreInterruptCallback,
                TestExecutionExceptionHandler,
                LifecycleMethodExecutionExceptionHandler,
                InvocationInterceptor {
    /// A parameter of JUnit's configuration: the seconds that a test has to end after it was interrupted.
    static final String GRACE_SECONDS = "millrace.timeLimit.graceSeconds";
    /// Likewise the seconds of a dynamic test, for which JUnit has no limit of its own.
    static final String DYNAMIC_SECONDS = "millrace.timeLimit.dynamicSeconds";

    /// The exit status of a process that was ended because a test did not react.
    static final int UNRESPONSIVE = 86;

    private static final int DEFAULT_GRACE_SECONDS = 30;
    private static final int DEFAULT_DYNAMIC_SECONDS = 120;

    /// A test whose time is over and that has not ended yet.
    ///
    /// @param report where the dump lies and where the test was
    private record Overrun(String report, CountDownLatch ended) {}

    private final Map<Thread, Overrun> overruns = new ConcurrentHashMap<>();

    @Override
    public void beforeThreadInterrupt(PreInterruptContext interrupt, ExtensionContext test) {
        overrun(interrupt.getThreadToInterrupt(), test);
    }

    private void overrun(Thread thread, ExtensionContext test) {
        String name = test.getTestClass().map(Class::getSimpleName).orElse("") + "." + test.getDisplayName();
        String report;
        try {
            report = "All threads, virtual ones too, are in " + ThreadPicture.write(name) + ".";
        } catch (IOException | RuntimeException e) {
            report = "Its threads could not be written to a file: " + e + ".";
        }
        report += " The thread of the test (" + thread.getName() + ") was" + ThreadPicture.ownFrames(thread);
        System.err.println("The time of " + name + " is over. " + report + "\n" + ThreadPicture.platformThreads());
        Overrun overrun = new Overrun(report, new CountDownLatch(1));
        overruns.put(thread, overrun);
        long grace = seconds(test, GRACE_SECONDS, DEFAULT_GRACE_SECONDS);
        Thread.ofPlatform().daemon().name("test-time-limit").start(() -> endProcessUnlessEnded(name, overrun, grace));
    }

    private static void endProcessUnlessEnded(String name, Overrun overrun, long grace) {
        try {
            if (overrun.ended.await(grace, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            return;
        }
        String message = "The time of " + name + " is over, and it did not end within " + grace
                + " s of being interrupted: the process is ended. " + overrun.report + "\n"
                + ThreadPicture.platformThreads();
        System.err.println(message);
        // The process's own stream too: the other one may lead into a file of the test's, or into a buffer.
        try (PrintStream own =
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8)) {
            own.println(message);
        }
        Runtime.getRuntime().halt(UNRESPONSIVE);
    }

    private static long seconds(ExtensionContext test, String parameter, int otherwise) {
        return test.getConfigurationParameter(parameter).map(Long::valueOf).orElse((long) otherwise);
    }

    /// The test has ended; a failure by its time is said with all that is known about it.
    private void told(Throwable thrown) throws Throwable {
        Overrun overrun = overruns.remove(Thread.currentThread());
        if (overrun == null) {
            throw thrown;
        }
        overrun.ended.countDown();
        TimeoutException told = new TimeoutException(thrown.getMessage() + ". " + overrun.report);
        told.initCause(thrown);
        throw told;
    }

    @Override
    public void handleTestExecutionException(ExtensionContext test, Throwable thrown) throws Throwable {
        told(thrown);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext test, Throwable thrown) throws Throwable {
        told(thrown);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext test, Throwable thrown) throws Throwable {
        told(thrown);
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext test, Throwable thrown) throws Throwable {
        told(thrown);
    }

    @Override
    public void handleAfterAllMethodExecutionException(ExtensionContext test, Throwable thrown) throws Throwable {
        told(thrown);
    }

    @Override
    public void interceptDynamicTest(
            Invocation<Void> invocation, DynamicTestInvocationContext dynamic, ExtensionContext test) throws Throwable {
        Thread thread = Thread.currentThread();
        CountDownLatch ended = new CountDownLatch(1);
        long seconds = seconds(test, DYNAMIC_SECONDS, DEFAULT_DYNAMIC_SECONDS);
        Thread timer = Thread.ofPlatform().daemon().name("test-time-limit").start(() -> {
            try {
                if (!ended.await(seconds, TimeUnit.SECONDS)) {
                    overrun(thread, test);
                    thread.interrupt();
                }
            } catch (InterruptedException e) {
                // Nobody does: it ends with the test.
            }
        });
        Throwable thrown = null;
        try {
            invocation.proceed();
        } catch (Throwable e) {
            thrown = e;
        }
        ended.countDown();
        timer.join();
        if (overruns.containsKey(thread)) {
            TimeoutException late =
                    new TimeoutException(test.getDisplayName() + " timed out after " + seconds + " seconds");
            if (thrown != null) {
                late.addSuppressed(thrown);
            }
            thrown = late;
        }
        if (thrown != null) {
            told(thrown);
        }
    }
}
