package dev.millrace.testing;

import dev.millrace.internal.runtime.wire.WireMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The driver's handle of a worker process. Its messages arrive on one thread, followed by the notification that the
/// process is gone.
final class WorkerProcess {
    private final String name;
    private final Process process;
    private final Frames.Out out;
    private final Thread reader;

    WorkerProcess(String name, Consumer<WireMessage> messages, Consumer<WorkerProcess> gone) {
        this.name = name;
        try {
            this.process = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-Xmx256m",
                            // The crash is intentional; nobody reads its report.
                            "-XX:+SuppressFatalErrorMessage",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ProcessWorker.class.getName()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("no worker process", e);
        }
        this.out = new Frames.Out(process.getOutputStream());
        this.reader = Thread.ofPlatform().daemon().name(name).start(() -> read(messages, gone));
    }

    private void read(Consumer<WireMessage> messages, Consumer<WorkerProcess> gone) {
        Frames.In in = new Frames.In(process.getInputStream());
        for (WireMessage message = in.read(); message != null; message = in.read()) {
            messages.accept(message);
        }
        gone.accept(this);
    }

    /// Sends a message. One that a dead process misses is covered by the notification of its death.
    void send(WireMessage message) {
        try {
            out.write(message);
        } catch (IOException e) {
            // See above.
        }
    }

    /// Waits for the end of the process and returns its exit code.
    int await() {
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(name + " did not end within 30 s");
            }
            reader.join(30_000);
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
