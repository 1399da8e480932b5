package dev.millrace.internal.dashboard;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// The HTTP server: a page without any outside resource, its data as JSON and events, and metrics. It reads only: there
/// is nothing that a request could change. Every request needs the token, in the address, in a cookie that the first
/// page sets, or as a bearer; each runs on a virtual thread of its own.
final class DashboardServer implements AutoCloseable {
    /// The data of the server. Called by any thread.
    interface Runs {
        EventHub events();

        byte[] list();

        Optional<byte[]> run(String id);

        byte[] session();

        byte[] metrics();
    }

    private static final int TRIED_PORTS = 10;
    private static final long HEARTBEAT_MILLIS = 15_000;
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /// The files of the page, by path.
    private static final Map<String, String> FILES = Map.of(
            "/", "index.html",
            "/dashboard.css", "dashboard.css",
            "/text.js", "text.js",
            "/pictures.js", "pictures.js",
            "/dashboard.js", "dashboard.js",
            "/icon.svg", "icon.svg",
            "/api/openapi.json", "openapi.json");

    private final HttpServer server;
    private final AccessToken token;
    private final Runs runs;
    private final String host;

    private DashboardServer(HttpServer server, String host, AccessToken token, Runs runs) {
        this.server = server;
        this.host = host;
        this.token = token;
        this.runs = runs;
    }

    static DashboardServer start(String host, int port, AccessToken token, Runs runs) {
        DashboardServer started = new DashboardServer(bind(host, port), host, token, runs);
        started.server.createContext("/", started::handle);
        started.server.setExecutor(Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("millrace-dashboard-request").factory()));
        started.server.start();
        return started;
    }

    private static HttpServer bind(String host, int port) {
        IOException refused = null;
        for (int next = port; next < port + (port == 0 ? 1 : TRIED_PORTS) && next <= 65_535; next++) {
            InetSocketAddress address = new InetSocketAddress(host, next);
            if (address.isUnresolved()) {
                throw MillraceException.user("The dashboard cannot listen on '" + host
                        + "': there is no interface of that name or address here.");
            }
            try {
                return HttpServer.create(address, 0);
            } catch (IOException e) {
                refused = e;
            }
        }
        throw MillraceException.resources("The dashboard found no free port on " + host + " from " + port + " on: "
                + refused + ". Choose another one with DashboardSettings.withPort(...), or 0 for any.");
    }

    int port() {
        return server.getAddress().getPort();
    }

    /// With the token. For all interfaces it names this machine's loopback, since others know their own name of it.
    URI uri() {
        String shown = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
        return URI.create("http://" + (shown.contains(":") ? "[" + shown + "]" : shown) + ":" + port() + "/?token="
                + token.text());
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers headers = exchange.getResponseHeaders();
            headers.set("Content-Security-Policy", POLICY);
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("Referrer-Policy", "no-referrer");
            headers.set("Cache-Control", "no-store");
            headers.set("Cross-Origin-Resource-Policy", "same-origin");
            Map<String, String> query = query(exchange.getRequestURI());
            if (!isAllowed(exchange, query)) {
                answer(
                        exchange,
                        401,
                        "text/plain",
                        text("This dashboard opens with the address that its session printed: it ends in"
                                + " ?token=..., and the token is what lets you in.\n"));
            } else if (!List.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
                headers.set("Allow", "GET, HEAD");
                answer(exchange, 405, "text/plain", text("This dashboard can only be read.\n"));
            } else {
                route(exchange, exchange.getRequestURI().getPath(), query);
            }
        } catch (RuntimeException e) {
            System.getLogger(DashboardServer.class.getName())
                    .log(System.Logger.Level.WARNING, "A request to the dashboard failed.", e);
            answer(exchange, 500, "text/plain", text("The dashboard failed: " + e.getMessage() + "\n"));
        }
    }

    private boolean isAllowed(HttpExchange exchange, Map<String, String> query) {
        String bearer = exchange.getRequestHeaders().getFirst("Authorization");
        if (bearer != null && bearer.startsWith("Bearer ") && token.isEqualTo(bearer.substring(7))) {
            return true;
        }
        return token.isEqualTo(query.get("token")) || token.isEqualTo(cookie(exchange));
    }

    private @Nullable String cookie(HttpExchange exchange) {
        for (String header : exchange.getRequestHeaders().getOrDefault("Cookie", List.of())) {
            for (String cookie : header.split(";", -1)) {
                int equals = cookie.indexOf('=');
                if (equals > 0 && cookie.substring(0, equals).strip().equals(cookieName())) {
                    return cookie.substring(equals + 1).strip();
                }
            }
        }
        return null;
    }

    /// Cookies know no ports, and there may be several dashboards.
    private String cookieName() {
        return "millrace-" + port();
    }

    private void route(HttpExchange exchange, String path, Map<String, String> query) throws IOException {
        if (path.equals("/") && query.containsKey("token")) {
            // The token leaves the address line, where it would be shown and remembered.
            exchange.getResponseHeaders()
                    .set("Set-Cookie", cookieName() + "=" + token.text() + "; Path=/; HttpOnly; SameSite=Lax");
            exchange.getResponseHeaders().set("Location", "/");
            answer(exchange, 302, "text/plain", text(""));
        } else if (FILES.containsKey(path)) {
            file(exchange, FILES.get(path));
        } else if (path.equals("/metrics")) {
            answer(exchange, 200, "text/plain; version=0.0.4", runs.metrics());
        } else if (path.equals("/api/runs")) {
            answer(exchange, 200, "application/json", runs.list());
        } else if (path.startsWith("/api/runs/")) {
            Optional<byte[]> run = runs.run(path.substring("/api/runs/".length()));
            answer(
                    exchange,
                    run.isPresent() ? 200 : 404,
                    "application/json",
                    run.orElseGet(() -> text("{\"error\":\"There is no such run, or it is no longer kept.\"}")));
        } else if (path.equals("/api/session")) {
            answer(exchange, 200, "application/json", runs.session());
        } else if (path.equals("/api/events")) {
            events(exchange, query);
        } else {
            answer(exchange, 404, "text/plain", text("There is nothing here.\n"));
        }
    }

    private static void file(HttpExchange exchange, String name) throws IOException {
        String type = name.endsWith(".html")
                ? "text/html"
                : name.endsWith(".css")
                        ? "text/css"
                        : name.endsWith(".js")
                                ? "text/javascript"
                                : name.endsWith(".svg") ? "image/svg+xml" : "application/json";
        try (InputStream in = DashboardServer.class.getResourceAsStream(name)) {
            if (in == null) {
                throw MillraceException.internal("the dashboard's file " + name + " is not in its jar");
            }
            answer(exchange, 200, type, in.readAllBytes());
        }
    }

    /// Sends events until the reader leaves. Its thread alone waits for its connection.
    private void events(HttpExchange exchange, Map<String, String> query) throws IOException {
        EventHub.Reader reader = runs.events().join(query.get("run"), "true".equals(query.get("tasks")));
        if (reader == null) {
            answer(
                    exchange,
                    503,
                    "text/plain",
                    text("There are " + EventHub.MAX_READERS + " readers already. Close a page and try again.\n"));
            return;
        }
        try (reader) {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write(text("retry: 2000\n\n"));
            out.flush();
            while (true) {
                byte[] event = reader.next(HEARTBEAT_MILLIS);
                if (event != null && EventHub.isEnd(event)) {
                    out.write(text("event: end\ndata: {}\n\n"));
                    out.flush();
                    return;
                }
                out.write(event == null ? text(": still here\n\n") : event);
                out.flush();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders()
                .set("Content-Type", type.equals("application/json") ? type : type + "; charset=utf-8");
        boolean empty = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, empty ? -1 : body.length);
        if (!empty) {
            exchange.getResponseBody().write(body);
        }
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> query = new HashMap<>();
        String raw = uri.getRawQuery();
        if (raw != null) {
            for (String pair : Arrays.asList(raw.split("&", -1))) {
                int equals = pair.indexOf('=');
                try {
                    query.put(
                            decoded(equals < 0 ? pair : pair.substring(0, equals)),
                            equals < 0 ? "" : decoded(pair.substring(equals + 1)));
                } catch (IllegalArgumentException _) {
                    // A malformed part is as good as none.
                }
            }
        }
        return query;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
