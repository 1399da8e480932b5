package dev.millrace.internal.dashboard;

import dev.millrace.internal.json.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Reads a dashboard as a program would.
final class DashboardClient implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(LIMIT).build();
    private final URI root;
    private final String token;

    /// @param address as the session printed it
    DashboardClient(URI address) {
        this.root = address.resolve("/");
        this.token = address.getQuery().substring("token=".length());
    }

    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(root.resolve(path)).timeout(LIMIT);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    HttpResponse<String> allowed(String path) throws IOException, InterruptedException {
        return get(path, "Authorization", "Bearer " + token);
    }

    String token() {
        return token;
    }

    URI root() {
        return root;
    }

    @SuppressWarnings("unchecked")
    List<Map<String, Object>> runs() throws IOException, InterruptedException {
        return (List<Map<String, Object>>) json(allowed("/api/runs").body());
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> run(Object id) throws IOException, InterruptedException {
        return (Map<String, Object>) json(allowed("/api/runs/" + id).body());
    }

    static Object json(String text) {
        return JsonText.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> list(Map<String, Object> of, String key) {
        return (List<Map<String, Object>>) of.get(key);
    }

    /// The newest run once it is as wanted.
    Map<String, Object> awaitRun(Predicate<Map<String, Object>> wanted) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            List<Map<String, Object>> runs = runs();
            if (!runs.isEmpty()) {
                Map<String, Object> run = run(runs.getFirst().get("id"));
                if (wanted.test(run)) {
                    return run;
                }
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("The run did not become as wanted within " + LIMIT + ": " + runs);
            }
            Thread.sleep(20);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
