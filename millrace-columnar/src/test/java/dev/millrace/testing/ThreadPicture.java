package dev.millrace.testing;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// What the threads of this process are doing: all of them, virtual ones included, in a file; the platform threads as
/// text.
final class ThreadPicture {
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private ThreadPicture() {}

    /// Writes a file in the folder `build/hangs` of the repository, or of temporary files outside of one.
    ///
    /// @param name of the test, for the file's
    static Path write(String name) throws IOException {
        String root = System.getProperty("millrace.root");
        Path folder = (root == null
                        ? Path.of(System.getProperty("java.io.tmpdir"), "millrace")
                        : Path.of(root, "build"))
                .resolve("hangs")
                .toAbsolutePath();
        Files.createDirectories(folder);
        Path file = folder.resolve(name.replaceAll("[^A-Za-z0-9_.-]+", "_") + "-"
                + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet() + ".txt");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
        return file;
    }

    /// The stacks of all platform threads, by name.
    static String platformThreads() {
        StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces().entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Comparator.comparing(Thread::getName)))
                .forEach(entry -> text.append('"')
                        .append(entry.getKey().getName())
                        .append("\" ")
                        .append(entry.getKey().getState())
                        .append(stack(entry.getValue()))
                        .append('\n'));
        return text.toString();
    }

    /// The frames of a thread down to where the test framework called the test.
    static String ownFrames(Thread thread) {
        return stack(Arrays.stream(thread.getStackTrace())
                .takeWhile(frame -> !frame.getClassName().startsWith("jdk.internal.reflect."))
                .toArray(StackTraceElement[]::new));
    }

    /// The frames, each on a line of its own, after a line end.
    private static String stack(StackTraceElement[] frames) {
        StringBuilder text = new StringBuilder();
        for (StackTraceElement frame : frames) {
            text.append("\n    at ").append(frame);
        }
        return text.toString();
    }
}
