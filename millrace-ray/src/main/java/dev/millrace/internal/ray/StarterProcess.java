package dev.millrace.internal.ray;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The Python process that runs `ray_starter.py`, and the threads that read what it says. It ends when its standard
/// input does, so also when this process dies. Thread-safe.
final class StarterProcess implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(StarterProcess.class.getName());
    private static final String SCRIPT = "ray_starter.py";
    private static final Duration END = Duration.ofSeconds(10);
    private static final int KEPT_LINES = 12;

    private final Process process;
    private final Path script;
    private final Thread reader;

    /// The last lines of its standard error; its own lock.
    private final ArrayDeque<String> said = new ArrayDeque<>();

    /// How it ended.
    record End(int code, String lastWords) {}

    private StarterProcess(Process process, Path script, Consumer<RayEvent> events, Consumer<End> ended) {
        this.process = process;
        this.script = script;
        Thread errors = Thread.ofPlatform().daemon().name("ray-starter-errors").start(this::readErrors);
        this.reader =
                Thread.ofPlatform().daemon().name("ray-starter").unstarted(() -> readEvents(events, ended, errors));
    }

    /// Starts it.
    ///
    /// @param order the first line that it reads
    /// @param events hears each event, on one thread
    /// @param ended hears once how it ended, on the same thread, unless the last event said that it would
    static StarterProcess start(RayPython python, byte[] order, Consumer<RayEvent> events, Consumer<End> ended) {
        try {
            // A folder of its own: Python imports from the script's folder first, and beside it in /tmp are others'
            // files (and Ray's own folder `ray`, which passes for the package).
            Path script = Files.createTempDirectory("millrace-").resolve(SCRIPT);
            try (InputStream in = Objects.requireNonNull(StarterProcess.class.getResourceAsStream(SCRIPT))) {
                Files.write(script, in.readAllBytes());
            }
            ProcessBuilder builder = new ProcessBuilder(List.of(python.interpreter(), "-u", script.toString()));
            builder.environment().putAll(python.environment());
            StarterProcess starter = new StarterProcess(builder.start(), script, events, ended);
            starter.reader.start();
            starter.tell(order);
            return starter;
        } catch (IOException e) {
            throw new MillraceException(
                    Culprit.USER,
                    "The Python '" + python.interpreter() + "' (" + python.source()
                            + "), which starts workers through Ray, could not be run: " + e.getMessage() + ". Set "
                            + RayPython.VARIABLE + " to a Python that has Ray, or add ?python=PATH to the address.",
                    e);
        }
    }

    /// Sends a line; lost if the process has ended, which is told otherwise.
    void tell(byte[] line) {
        try {
            synchronized (process) {
                process.getOutputStream().write(line);
                process.getOutputStream().flush();
            }
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "The starter on Ray has ended", e);
        }
    }

    private void readEvents(Consumer<RayEvent> events, Consumer<End> ended, Thread errors) {
        boolean explained = false;
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                RayEvent event = RayEvent.parse(line);
                explained = event instanceof RayEvent.Missing
                        || event instanceof RayEvent.Silent
                        || event instanceof RayEvent.Broken;
                events.accept(event);
            }
        } catch (IOException e) {
            // It was closed.
            explained = true;
        }
        try {
            int code = process.waitFor();
            Files.deleteIfExists(script);
            Files.deleteIfExists(Objects.requireNonNull(script.getParent()));
            errors.join(END);
            if (!explained) {
                ended.accept(new End(code, lastWords()));
            }
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "A temporary file was left", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void readErrors() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                LOGGER.log(System.Logger.Level.DEBUG, line);
                synchronized (said) {
                    said.add(line);
                    if (said.size() > KEPT_LINES) {
                        said.remove();
                    }
                }
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private String lastWords() {
        synchronized (said) {
            return said.isEmpty() ? "nothing." : String.join("\n", said);
        }
    }

    /// Ends it, with all that it started, and waits for its end.
    @Override
    public void close() {
        try {
            synchronized (process) {
                process.getOutputStream().close();
            }
        } catch (IOException e) {
            // It has ended.
        }
        try {
            if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(END.toSeconds(), TimeUnit.SECONDS);
            }
            if (!Thread.currentThread().equals(reader)) {
                reader.join(END);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
