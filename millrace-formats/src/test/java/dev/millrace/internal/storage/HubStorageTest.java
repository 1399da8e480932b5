package dev.millrace.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Paths of the hub, against a small server that answers as the hub does: lists by pages of two entries, files in
/// ranges.
class HubStorageTest {
    private final Map<String, byte[]> files = new TreeMap<>();
    private HttpServer server;
    private String before;

    @BeforeEach
    void start() throws IOException {
        put("main", "data/part 1.csv", "id,name\n1,a\n2,b\n");
        put("main", "data/part-2.csv", "id,name\n3,c\n");
        put("main", "data/deep/part-3.csv", "id,name\n4,d\n");
        put("main", "data/_hidden/part.csv", "id,name\n9,x\n");
        put("main", "README.md", "hello");
        put("v1", "data/old.csv", "id,name\n7,o\n");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
        before = System.getProperty("millrace.hub");
        System.setProperty(
                "millrace.hub", "http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    @AfterEach
    void stop() {
        server.stop(0);
        if (before == null) {
            System.clearProperty("millrace.hub");
        } else {
            System.setProperty("millrace.hub", before);
        }
    }

    private void put(String revision, String name, String text) {
        files.put(revision + "/" + name, text.getBytes(StandardCharsets.UTF_8));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            URI asked = exchange.getRequestURI();
            String path = asked.getPath();
            if (path.startsWith("/api/datasets/me/set/tree/")) {
                list(exchange, path.substring("/api/datasets/me/set/tree/".length()), String.valueOf(asked.getQuery()));
            } else if (path.startsWith("/datasets/me/set/resolve/")) {
                serve(exchange, files.get(path.substring("/datasets/me/set/resolve/".length())));
            } else {
                exchange.sendResponseHeaders(404, -1);
            }
        }
    }

    private void list(HttpExchange exchange, String folder, String query) throws IOException {
        TreeMap<String, String> entries = new TreeMap<>();
        String revision = folder.split("/", -1)[0];
        files.forEach((name, bytes) -> {
            if (name.startsWith(folder + "/")) {
                String rest = name.substring(folder.length() + 1);
                String base = name.substring(revision.length() + 1, name.length() - rest.length());
                int slash = rest.indexOf('/');
                if (query.contains("recursive=true") || slash < 0) {
                    entries.put(base + rest, "\"type\":\"file\",\"size\":" + bytes.length);
                }
                if (slash > 0) {
                    entries.put(base + rest.substring(0, slash), "\"type\":\"directory\",\"size\":0");
                }
            }
        });
        if (entries.isEmpty()) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        int from = query.contains("cursor=") ? Integer.parseInt(query.replaceAll(".*cursor=(\\d+).*", "$1")) : 0;
        List<String> page = new ArrayList<>();
        entries.forEach((name, about) -> page.add("{\"path\":\"" + name + "\"," + about + "}"));
        if (from + 2 < page.size()) {
            String next = "http://" + exchange.getRequestHeaders().getFirst("Host")
                    + exchange.getRequestURI().getRawPath() + "?cursor=" + (from + 2)
                    + (query.contains("recursive=true") ? "&recursive=true" : "");
            exchange.getResponseHeaders().add("Link", "<" + next + ">; rel=\"next\"");
        }
        byte[] text = ("[" + String.join(",", page.subList(from, Math.min(page.size(), from + 2))) + "]")
                .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, text.length);
        exchange.getResponseBody().write(text);
    }

    private static void serve(HttpExchange exchange, byte[] bytes) throws IOException {
        if (bytes == null) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        exchange.getResponseHeaders().add("ETag", "\"" + Arrays.hashCode(bytes) + "\"");
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().add("Content-Length", Integer.toString(bytes.length));
            exchange.sendResponseHeaders(200, -1);
            return;
        }
        String range = exchange.getRequestHeaders().getFirst("Range");
        int from = 0;
        int to = bytes.length;
        if (range != null) {
            String[] ends = range.replace("bytes=", "").split("-", -1);
            from = Integer.parseInt(ends[0]);
            to = Math.min(to, Integer.parseInt(ends[1]) + 1);
            exchange.getResponseHeaders().add("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + bytes.length);
        }
        exchange.sendResponseHeaders(range == null ? 200 : 206, to - from);
        exchange.getResponseBody().write(bytes, from, to - from);
    }

    private static List<Long> ids(Session session, String path) {
        List<Long> ids = new ArrayList<>();
        for (Row row : session.readCsv(path).takeAll()) {
            ids.add(row.getLong("id"));
        }
        return ids;
    }

    @Test
    void filesFoldersGlobsAndRevisionsAreRead() {
        try (Session session = Session.open()) {
            assertThat(ids(session, "hf://datasets/me/set/data/part 1.csv")).containsExactly(1L, 2L);
            assertThat(ids(session, "hf://datasets/me/set/data")).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
            assertThat(ids(session, "hf://datasets/me/set/data/*.csv")).containsExactlyInAnyOrder(1L, 2L, 3L);
            assertThat(ids(session, "hf://datasets/me/set@v1/data")).containsExactly(7L);
            assertThat(session.readCsv("hf://datasets/me/set/data").inputFiles())
                    .contains("hf://datasets/me/set/data/deep/part-3.csv");
        }
    }

    @Test
    void whatIsNotThereIsNamed() {
        try (Session session = Session.open()) {
            assertThatThrownBy(() ->
                            session.readCsv("hf://datasets/me/set/nothing.csv").takeAll())
                    .hasMessageContaining("hf://datasets/me/set/nothing.csv");
            assertThatThrownBy(() -> session.readCsv("hf://datasets/me").takeAll())
                    .hasMessageContaining("'hf://datasets/me' names no repository of the hub. Paths are"
                            + " hf://datasets/OWNER/NAME/FILE, or hf://datasets/OWNER/NAME@REVISION/FILE.");
        }
    }
}
