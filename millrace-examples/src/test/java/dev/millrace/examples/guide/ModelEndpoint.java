package dev.millrace.examples.guide;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A server on loopback that answers chats as OpenAI's API does, and one question in JSON.
final class ModelEndpoint implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    ModelEndpoint() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.setExecutor(threads);
        server.createContext(
                "/v1/chat/completions",
                exchange -> answer(
                        exchange,
                        "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"It was late.\"}}],"
                                + "\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":4,\"total_tokens\":24}}"));
        server.createContext("/predict", exchange -> answer(exchange, "[{\"label\":\"negative\",\"score\":0.75}]"));
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, String json) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
