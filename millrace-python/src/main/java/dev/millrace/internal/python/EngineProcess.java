package dev.millrace.internal.python;

import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/// The process of an engine that answers over HTTP at a free port of the loopback address.
public final class EngineProcess implements AutoCloseable {
    /// The engine, and what it starts, is a process group that ends with this process (Linux).
    private static final String LEAD = """
            import os, sys
            try:
                os.setpgid(0, 0)
                import ctypes
                ctypes.CDLL(None).prctl(1, 9)
            except (OSError, AttributeError):
                pass
            os.execv(sys.executable, [sys.executable] + sys.argv[1:])
            """;

    private static final long POLL_MILLIS = 100;
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final long CLOSE_SECONDS = 10;

    private final Process process;
    private final int port;
    private final WorkerOutput output;
    private final Thread reader;

    private EngineProcess(Process process, int port) {
        this.process = process;
        this.port = port;
        this.output = new WorkerOutput("engine", System::nanoTime);
        this.reader = Thread.ofPlatform()
                .daemon()
                .name("millrace-engine-output")
                .start(() -> output.follow(process.getInputStream()));
    }

    public static EngineProcess start(
            PythonInterpreter interpreter, List<String> command, String health, Duration limit)
            throws InterruptedException {
        String python = interpreter.command();
        int port = freePort();
        List<String> words = new ArrayList<>(List.of(python, "-c", LEAD));
        command.forEach(word -> words.add(word.replace("{port}", String.valueOf(port))));
        EngineProcess engine;
        try {
            engine = new EngineProcess(
                    WorkerProcess.startHere(new ProcessBuilder(words).redirectErrorStream(true)), port);
        } catch (ExecutionException e) {
            throw MillraceException.user("The engine cannot be started: " + e.getCause()
                    + ". Give the environment that has it by python(...).");
        }
        try {
            engine.await(health, limit);
        } catch (InterruptedException | RuntimeException e) {
            engine.close();
            throw e;
        }
        return engine;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw MillraceException.resources("There is no free port for an engine: " + e.getMessage() + ".");
        }
    }

    private void await(String health, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url() + health))
                    .timeout(ANSWER)
                    .build();
            while (!answers(client, request)) {
                if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                    reader.join(1000);
                    throw MillraceException.user("The engine ended with exit code " + process.exitValue()
                            + " before it answered. Look whether it is installed for the Python that python(...) names,"
                            + " and whether it knows the model." + output.lastWords());
                }
                if (System.nanoTime() > end) {
                    throw MillraceException.resources("The engine (process " + process.pid() + ") has not answered at "
                            + url() + health + " within " + limit.toSeconds() + " s. Raise startLimit(...) if the model"
                            + " takes longer to load." + output.lastWords());
                }
            }
        }
    }

    private static boolean answers(HttpClient client, HttpRequest request) throws InterruptedException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException _) {
            return false;
        }
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        List<ProcessHandle> started = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        started.forEach(ProcessHandle::destroyForcibly);
        WorkerProcess.killGroup(process.pid());
    }
}
