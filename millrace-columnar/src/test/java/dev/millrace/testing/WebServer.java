package dev.millrace.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// A web server on loopback for tests. What comes before a file's name says how it is served: `/plain/` without ranges,
/// `/ranges/` with them, `/chunked/` without a length, `/slow/` after 100 ms, `/busy/` with 503 twice before, `/reset/`
/// with a connection that ends twice before, `/half/` with an answer that breaks off twice before, `/endless/` with as
/// many bytes of the file as are taken, without a length, `/trickle/` with a byte each 10 ms, `/moved/` by a redirect
/// to `/ranges/`, `/denied/` with 403, `/nohead/` not to HEAD, `/dated/` with the time of its last change and no tag,
/// `/bare/` with neither.
public final class WebServer implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    /// How often each was put: the seconds of its time of change.
    private final Map<String, Integer> puts = new ConcurrentHashMap<>();

    private final Map<String, AtomicInteger> visits = new ConcurrentHashMap<>();
    /// "GET /ranges/a 0-99"
    public final ConcurrentLinkedQueue<String> requests = new ConcurrentLinkedQueue<>();

    private final AtomicInteger now = new AtomicInteger();
    public final AtomicInteger mostAtOnce = new AtomicInteger();

    public WebServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    public void put(String name, byte[] bytes) {
        puts.merge(name, 1, Integer::sum);
        files.put(name, bytes);
    }

    /// @param way "plain", "slow" and so on
    public String address(String way, String name) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + way + "/" + name;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String[] parts = exchange.getRequestURI().getPath().substring(1).split("/", 2);
            String range = exchange.getRequestHeaders().getFirst("Range");
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI()
                    + (range == null ? "" : " " + range.replace("bytes=", "")));
            byte[] bytes = parts.length < 2 ? null : files.get(parts[1]);
            if (bytes == null) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            int visit = visits.computeIfAbsent(exchange.getRequestURI().getPath(), _ -> new AtomicInteger())
                    .incrementAndGet();
            serve(exchange, parts[0], parts[1], bytes, range, visit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(HttpExchange exchange, String way, String name, byte[] bytes, String range, int visit)
            throws IOException, InterruptedException {
        boolean head = exchange.getRequestMethod().equals("HEAD");
        switch (way) {
            case "slow" -> {
                // Counted until the answer begins: whoever has it may ask anew before this thread goes on.
                mostAtOnce.accumulateAndGet(now.incrementAndGet(), Math::max);
                Thread.sleep(100);
                now.decrementAndGet();
            }
            case "busy" -> {
                if (visit <= 2) {
                    exchange.sendResponseHeaders(503, -1);
                    return;
                }
            }
            case "reset" -> {
                if (visit <= 2) {
                    return;
                }
            }
            case "moved" -> {
                exchange.getResponseHeaders().add("Location", "/ranges/" + name);
                exchange.sendResponseHeaders(302, -1);
                return;
            }
            case "lured" -> {
                exchange.getResponseHeaders().add("Location", "file:///etc/hostname");
                exchange.sendResponseHeaders(302, -1);
                return;
            }
            case "denied" -> {
                exchange.sendResponseHeaders(403, -1);
                return;
            }
            case "nohead" -> {
                if (head) {
                    exchange.sendResponseHeaders(405, -1);
                    return;
                }
            }
            default -> {}
        }
        if (way.equals("endless") || way.equals("trickle")) {
            boolean trickles = way.equals("trickle");
            exchange.sendResponseHeaders(200, 0);
            while (trickles || bytes.length > 0) {
                exchange.getResponseBody().write(bytes, 0, trickles ? 1 : bytes.length);
                exchange.getResponseBody().flush();
                Thread.sleep(trickles ? 10 : 0);
            }
        }
        boolean ranges = !way.equals("plain") && !way.equals("chunked");
        if (way.equals("dated")) {
            String time = "Mon, 01 Jan 2024 00:00:%02d GMT".formatted(puts.get(name));
            exchange.getResponseHeaders().add("Last-Modified", time);
        } else if (!way.equals("bare")) {
            exchange.getResponseHeaders().add("ETag", "\"" + java.util.Arrays.hashCode(bytes) + "\"");
        }
        int from = 0;
        int to = bytes.length;
        if (ranges && range != null) {
            String[] ends = range.replace("bytes=", "").split("-", -1);
            from = Integer.parseInt(ends[0]);
            to = Math.min(to, Integer.parseInt(ends[1]) + 1);
            exchange.getResponseHeaders().add("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + bytes.length);
        }
        if (head) {
            if (!way.equals("chunked")) {
                exchange.getResponseHeaders().add("Content-Length", Integer.toString(bytes.length));
            }
            exchange.sendResponseHeaders(200, -1);
            return;
        }
        int status = ranges && range != null ? 206 : 200;
        exchange.sendResponseHeaders(status, way.equals("chunked") ? 0 : to == from ? -1 : to - from);
        int count = way.equals("half") && visit <= 2 ? (to - from) / 2 : to - from;
        exchange.getResponseBody().write(bytes, from, count);
        exchange.getResponseBody().flush();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
