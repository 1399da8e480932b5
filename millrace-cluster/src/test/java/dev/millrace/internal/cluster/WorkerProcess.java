package dev.millrace.internal.cluster;

import dev.millrace.internal.cluster.worker.WorkerOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A worker that the test starts, as others do for sessions at `millrace://...`, and that says what it holds.
final class WorkerProcess implements AutoCloseable {
    static final String TOKEN = "the token of worker processes";
    private static final long MAX_SECONDS = 60;

    private final Process process;
    private final BufferedReader output;
    private final Writer input;
    private final int port;

    private WorkerProcess(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put(WorkerOptions.TOKEN, TOKEN);
        this.process = builder.start();
        this.output = process.inputReader(StandardCharsets.UTF_8);
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        String line = output.readLine();
        if (line == null) {
            throw new IOException("a worker ended before it listened");
        }
        this.port = Integer.parseInt(line);
    }

    /// A worker of two CPUs on this machine.
    static WorkerProcess start(String memory) throws IOException {
        return new WorkerProcess(command("--cpus", "2", "--memory", memory));
    }

    /// The command line of a JVM with this class path.
    static List<String> java(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx300m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /// The command line of such a worker.
    static List<String> command(String... options) {
        return java(AskedWorker.class, options);
    }

    /// A worker that is started by a longer command, which ends in [#command].
    static WorkerProcess of(List<String> command) throws IOException {
        return new WorkerProcess(command);
    }

    long pid() {
        return process.pid();
    }

    /// As sessions name it.
    String address() {
        return "127.0.0.1:" + port;
    }

    /// What it says now.
    ///
    /// @param sessions drivers that use it
    record Held(int sessions, long bytes) {}

    synchronized Held held() {
        try {
            input.write("held\n");
            input.flush();
            String line = output.readLine();
            if (line == null) {
                throw new IllegalStateException("the worker has ended");
            }
            String[] words = line.split(" ", -1);
            return new Held(Integer.parseInt(words[0]), Long.parseLong(words[1]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Waits until it has that many drivers, and what the others had is free.
    Held awaitSessions(int sessions) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
        Held held = held();
        while ((held.sessions != sessions || sessions == 0 && held.bytes > 0) && System.nanoTime() < deadline) {
            pause();
            held = held();
        }
        return held;
    }

    static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
