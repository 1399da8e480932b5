package dev.millrace.internal.dashboard;

import dev.millrace.internal.json.JsonWriter;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/// A headless browser with one page, driven by the DevTools protocol. What the page throws or its policy refuses is
/// collected in [#complaints].
final class Chromium implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, CompletableFuture<Map<String, Object>>> answers = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final WebSocket socket;

    /// The program, if it is installed.
    static Optional<Path> program() {
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    Chromium(Path program, Path folder) throws Exception {
        process = new ProcessBuilder(
                        program.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + folder,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("chromium.log").toFile())
                .start();
        try {
            int port = port(folder.resolve("DevToolsActivePort"));
            socket = client.newWebSocketBuilder()
                    .buildAsync(URI.create(page(port)), new Messages())
                    .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            call("Page.enable", Map.of());
            call("Runtime.enable", Map.of());
            call("Log.enable", Map.of());
        } catch (Exception | Error e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private int port(Path file) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < deadline && process.isAlive()) {
            if (Files.exists(file)) {
                List<String> lines = Files.readAllLines(file);
                if (lines.size() >= 2) {
                    return Integer.parseInt(lines.getFirst());
                }
            }
            Thread.sleep(20);
        }
        throw new IllegalStateException("The browser did not say where it listens.");
    }

    @SuppressWarnings("unchecked")
    private String page(int port) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new?about:blank"))
                .method("PUT", HttpRequest.BodyPublishers.noBody())
                .timeout(LIMIT)
                .build();
        String answer =
                client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        return ((Map<String, Object>) DashboardClient.json(answer))
                .get("webSocketDebuggerUrl")
                .toString();
    }

    /// Collects the parts of messages.
    private final class Messages implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                accept(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    @SuppressWarnings("unchecked")
    private void accept(String message) {
        Map<String, Object> json = (Map<String, Object>) DashboardClient.json(message);
        if (json.get("id") instanceof Long id) {
            answers.remove(id).complete(json);
        } else if ("Runtime.exceptionThrown".equals(json.get("method"))) {
            complaints.add(message);
        } else if ("Log.entryAdded".equals(json.get("method")) && message.contains("\"level\":\"error\"")) {
            complaints.add(message);
        }
    }

    /// What went wrong in the page.
    List<String> complaints() {
        return new ArrayList<>(complaints);
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> call(String method, Map<String, Object> parameters) throws Exception {
        long id = ids.incrementAndGet();
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        answers.put(id, answer);
        JsonWriter json = new JsonWriter();
        json.value(Map.of("id", id, "method", method, "params", parameters));
        socket.sendText(new String(json.take(), StandardCharsets.UTF_8), true).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        Map<String, Object> got = answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (got.containsKey("error")) {
            throw new IllegalStateException(method + ": " + got.get("error"));
        }
        return (Map<String, Object>) got.get("result");
    }

    /// The value of an expression in the page.
    @SuppressWarnings("unchecked")
    Object value(String expression) throws Exception {
        Map<String, Object> result =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (result.containsKey("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + result.get("exceptionDetails"));
        }
        return ((Map<String, Object>) result.get("result")).get("value");
    }

    /// Waits until an expression is true.
    void await(String expression) throws Exception {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!Boolean.TRUE.equals(value("Boolean(" + expression + ")"))) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Not true within " + LIMIT + ": " + expression + "\nThe page shows:\n"
                        + value("document.body.innerText") + "\n"
                        + complaints.stream().limit(1).toList());
            }
            Thread.sleep(30);
        }
    }

    void open(String address) throws Exception {
        call("Page.navigate", Map.of("url", address));
    }

    void size(int width, int height) throws Exception {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 700));
    }

    /// Presses and releases a key.
    void key(String key, int code) throws Exception {
        for (String type : List.of("keyDown", "keyUp")) {
            call(
                    "Input.dispatchKeyEvent",
                    Map.of("type", type, "key", key, "code", key, "windowsVirtualKeyCode", code));
        }
    }

    void screenshot(Path file) throws Exception {
        Files.createDirectories(file.getParent());
        String data = call("Page.captureScreenshot", Map.of("format", "png"))
                .get("data")
                .toString();
        Files.write(file, Base64.getDecoder().decode(data));
    }

    @Override
    public void close() throws Exception {
        try {
            call("Browser.close", Map.of());
            process.waitFor(10, TimeUnit.SECONDS);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
            client.shutdownNow();
        }
    }
}
