package dev.millrace.models;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.internal.json.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// A model's server on loopback that answers as a test says.
final class ModelServer implements AutoCloseable {
    /// What is answered.
    ///
    /// @param status 0: the connection ends without an answer
    record Reply(int status, Map<String, String> headers, String body, long afterMillis) {
        static Reply ok(String body) {
            return new Reply(200, Map.of(), body, 0);
        }

        static Reply status(int status, String body) {
            return new Reply(status, Map.of(), body, 0);
        }

        static Reply reset() {
            return new Reply(0, Map.of(), "", 0);
        }

        Reply header(String name, String value) {
            return new Reply(status, Map.of(name, value), body, afterMillis);
        }

        Reply after(long millis) {
            return new Reply(status, headers, body, millis);
        }
    }

    /// @param visit how often the same body came before, and once
    record Request(String path, Map<String, List<String>> headers, Object json, String text, int visit) {
        Object at(String key) {
            return ((Map<?, ?>) json).get(key);
        }

        String prompt() {
            List<?> messages = (List<?>) at("messages");
            return (String) ((Map<?, ?>) messages.getLast()).get("content");
        }
    }

    interface Model {
        Reply answer(Request request);
    }

    final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    final AtomicInteger now = new AtomicInteger();
    final AtomicInteger mostAtOnce = new AtomicInteger();
    private final Map<String, AtomicInteger> visits = new ConcurrentHashMap<>();
    private final HttpServer server;
    private final Model model;

    ModelServer(Model model) {
        this.model = model;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    static Reply chat(String content) {
        return Reply.ok("{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\""
                + content.replace("\"", "\\\"") + "\"}}],\"usage\":{\"total_tokens\":12}}");
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String text = new String(body, StandardCharsets.UTF_8);
            int visit = visits.computeIfAbsent(text, _ -> new AtomicInteger()).incrementAndGet();
            Request request = new Request(
                    exchange.getRequestURI().getPath(),
                    Map.copyOf(exchange.getRequestHeaders()),
                    JsonText.parse(body),
                    text,
                    visit);
            requests.add(request);
            mostAtOnce.accumulateAndGet(now.incrementAndGet(), Math::max);
            Reply reply;
            try {
                reply = model.answer(request);
                Thread.sleep(reply.afterMillis);
            } finally {
                now.decrementAndGet();
            }
            if (reply.status == 0) {
                return;
            }
            byte[] answer = reply.body.getBytes(StandardCharsets.UTF_8);
            reply.headers.forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
            exchange.sendResponseHeaders(reply.status, answer.length == 0 ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
