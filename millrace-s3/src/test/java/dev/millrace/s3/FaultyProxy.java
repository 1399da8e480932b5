package dev.millrace.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/// Stands before an S3 server and counts; at times answers 503, drops a connection, or breaks off an answer.
final class FaultyProxy {
    private static final Set<String> OWN = Set.of(
            "host", "connection", "content-length", "transfer-encoding", "expect", "upgrade", "keep-alive", "date");

    private final HttpServer server;
    private final URI target;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /// "GET /bucket/key bytes=0-99"
    final ConcurrentLinkedQueue<String> requests = new ConcurrentLinkedQueue<>();

    final AtomicLong bytesOfObjects = new AtomicLong();
    final AtomicLong faults = new AtomicLong();
    /// Requests with credentials.
    final AtomicLong signed = new AtomicLong();

    private Random random = new Random(0);
    private int percent;
    private volatile String always;
    volatile int keysPerPage = 1000;

    FaultyProxy(URI target) throws IOException {
        this.target = target;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /// From now on so many of 100 requests fail, in an order drawn from the seed; counts begin anew.
    synchronized void fail(int newPercent, long seed) {
        percent = newPercent;
        random = new Random(seed);
        always = null;
        keysPerPage = 1000;
        requests.clear();
        bytesOfObjects.set(0);
        faults.set(0);
        signed.set(0);
    }

    /// All requests that begin so are answered with 500, which is tried again after less time.
    void failAlways(String begin) {
        always = begin;
    }

    private synchronized int draw() {
        return random.nextInt(100) < percent ? random.nextInt(3) : -1;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String range = exchange.getRequestHeaders().getFirst("Range");
            String line =
                    exchange.getRequestMethod() + " " + exchange.getRequestURI() + (range == null ? "" : " " + range);
            requests.add(line);
            if (exchange.getRequestHeaders().containsKey("Authorization")) {
                signed.incrementAndGet();
            }
            int fault = always != null && line.startsWith(always) ? 0 : draw();
            if (fault >= 0) {
                faults.incrementAndGet();
            }
            if (fault == 0) {
                boolean broken = always != null && line.startsWith(always);
                byte[] busy = ("<Error><Code>" + (broken ? "InternalError" : "SlowDown")
                                + "</Code><Message>Reduce your request rate.</Message></Error>")
                        .getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().add("Content-Type", "application/xml");
                exchange.sendResponseHeaders(broken ? 500 : 503, busy.length);
                exchange.getResponseBody().write(busy);
                return;
            }
            if (fault == 1) {
                return;
            }
            forward(exchange, body, fault == 2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void forward(HttpExchange exchange, byte[] body, boolean breakOff)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(target.resolve(
                exchange.getRequestURI().toString().replace("max-keys=1000", "max-keys=" + keysPerPage)));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        request.method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        HttpResponse<byte[]> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        answer.headers().map().forEach((name, values) -> {
            if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
                exchange.getResponseHeaders().put(name, List.copyOf(values));
            }
        });
        byte[] bytes = answer.body();
        if (exchange.getRequestMethod().equals("HEAD")) {
            answer.headers()
                    .firstValue("Content-Length")
                    .ifPresent(length -> exchange.getResponseHeaders().put("Content-Length", List.of(length)));
            exchange.sendResponseHeaders(answer.statusCode(), -1);
            return;
        }
        boolean none = bytes.length == 0;
        exchange.sendResponseHeaders(answer.statusCode(), none ? -1 : bytes.length);
        if (!none) {
            if (exchange.getRequestMethod().equals("GET")
                    && !exchange.getRequestURI().toString().contains("list-type")) {
                bytesOfObjects.addAndGet(bytes.length);
            }
            OutputStream out = exchange.getResponseBody();
            out.write(bytes, 0, breakOff ? bytes.length / 2 : bytes.length);
            out.flush();
        }
    }
}
