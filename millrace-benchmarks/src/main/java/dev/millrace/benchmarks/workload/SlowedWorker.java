package dev.millrace.benchmarks.workload;

import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;

/// Slows one worker process of this process down, by stopping it most of the time. Linux and macOS.
final class SlowedWorker implements AutoCloseable {
    private static final long RUNS_MILLIS = 50;
    private static final long STOPS_MILLIS = 950;

    private final long pid;
    private final Thread slower;

    private SlowedWorker(long pid) {
        this.pid = pid;
        this.slower = Thread.ofPlatform().daemon().name("slows-a-worker").start(this::slow);
    }

    /// The first worker that this process has started; empty if it has none.
    static Optional<SlowedWorker> any() {
        return processes().map(process -> new SlowedWorker(process.pid())).findFirst();
    }

    /// The workers that this process has started: it starts no other Java. Not by their command lines, of which the
    /// system tells the first 4 KB, and a class path has more.
    static Stream<ProcessHandle> processes() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().command().orElse("").endsWith("java"));
    }

    private void slow() {
        try {
            while (true) {
                signal("STOP");
                Thread.sleep(STOPS_MILLIS);
                signal("CONT");
                Thread.sleep(RUNS_MILLIS);
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void signal(String name) throws InterruptedException {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new IllegalStateException("a process could not be stopped", e);
        }
    }

    /// It runs as before.
    @Override
    public void close() throws InterruptedException {
        slower.interrupt();
        slower.join();
        signal("CONT");
    }
}
