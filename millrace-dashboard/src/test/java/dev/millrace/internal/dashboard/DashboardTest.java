package dev.millrace.internal.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.settings.DashboardSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DashboardTest {
    private static final List<String> PATHS = List.of(
            "/",
            "/dashboard.css",
            "/dashboard.js",
            "/text.js",
            "/pictures.js",
            "/icon.svg",
            "/api/runs",
            "/api/runs/x",
            "/api/session",
            "/api/events",
            "/api/openapi.json",
            "/metrics",
            "/elsewhere");

    @TempDir
    Path folder;

    private Session session() {
        return Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withCpus(2))
                .dashboard(DashboardSettings.ON.withPort(0).withFolder(folder.toString(), 100))
                .open();
    }

    private static DashboardClient client(Session session) {
        return new DashboardClient(session.dashboard().orElseThrow());
    }

    @Test
    void aSessionHasNoDashboardUnlessItIsAskedFor() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            assertThat(session.dashboard()).isEmpty();
        }
    }

    @Test
    void withoutTheTokenEveryRequestIsRefused() throws Exception {
        try (Session session = session();
                DashboardClient client = client(session)) {
            for (String path : PATHS) {
                assertThat(client.get(path).statusCode()).as(path).isEqualTo(401);
                assertThat(client.get(path + "?token="
                                        + "x".repeat(client.token().length()))
                                .statusCode())
                        .as(path)
                        .isEqualTo(401);
                assertThat(client.get(path, "Authorization", "Bearer x").statusCode())
                        .as(path)
                        .isEqualTo(401);
                assertThat(client.get(
                                        path,
                                        "Cookie",
                                        "millrace-" + client.root().getPort() + "=x")
                                .statusCode())
                        .as(path)
                        .isEqualTo(401);
                assertThat(client.get(path).body())
                        .isEqualTo("This dashboard opens with the address that its session printed: it ends in"
                                + " ?token=..., and the token is what lets you in.\n");
            }
        }
    }

    @Test
    void theAddressBecomesACookieAndTheTokenLeavesTheAddressLine() throws Exception {
        try (Session session = session();
                DashboardClient client = client(session)) {
            HttpResponse<String> first = client.get("/?token=" + client.token());
            assertThat(first.statusCode()).isEqualTo(302);
            assertThat(first.headers().firstValue("Location")).hasValue("/");
            String cookie = first.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).endsWith("; Path=/; HttpOnly; SameSite=Lax");
            HttpResponse<String> page =
                    client.get("/", "Cookie", "other=1; " + cookie.substring(0, cookie.indexOf(';')));
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).contains("<title>Millrace</title>");
        }
    }

    @Test
    void everyAnswerHasAStrictPolicyAndThePageNamesNothingOutside() throws Exception {
        try (Session session = session();
                DashboardClient client = client(session)) {
            for (String path : PATHS) {
                if (!path.equals("/api/events")) {
                    HttpResponse<String> answer = client.allowed(path);
                    assertThat(answer.headers().firstValue("Content-Security-Policy"))
                            .as(path)
                            .hasValue(
                                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                                            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
                    assertThat(answer.headers().firstValue("X-Content-Type-Options"))
                            .hasValue("nosniff");
                    assertThat(answer.body().replace("http://www.w3.org/2000/svg", ""))
                            .as(path)
                            .doesNotContain("http://", "https://", "innerHTML", "insertAdjacentHTML");
                }
            }
        }
    }

    @Test
    void aRunningDatasetShowsItsPlanAndWhatHoldsItsOperatorsBack() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        GATE = open;
        try (Session session = session();
                DashboardClient client = client(session)) {
            Thread reader = Thread.ofVirtual()
                    .start(() -> session.range(400, 40)
                            .mapBatches(
                                    () -> (BatchFunction) batch -> {
                                        await();
                                        return batch;
                                    },
                                    Compute.actors(1).batchSize(10))
                            .count());
            try {
                Map<String, Object> run = client.awaitRun(seen -> DashboardClient.list(seen, "operators").stream()
                        .anyMatch(each -> each.get("heldReason") != null));
                List<Map<String, Object>> operators = DashboardClient.list(run, "operators");
                assertThat(operators).hasSize(2);
                assertThat(operators.get(0)).containsEntry("feeds", 1L);
                assertThat(operators.get(1)).containsEntry("feeds", -1L).containsEntry("maxActors", 1L);
                assertThat(run).containsEntry("state", "running").containsEntry("runtime", "embedded");
                assertThat(client.awaitRun(seen -> !"".equals(seen.get("explain")))
                                .get("explain")
                                .toString())
                        .contains("-------- Physical plan --------");
                assertThat(client.awaitRun(seen -> DashboardClient.list(seen, "tasks").stream()
                                .anyMatch(task -> "running".equals(task.get("state")))))
                        .isNotNull();
            } finally {
                open.countDown();
            }
            reader.join();
            Map<String, Object> ended = client.awaitRun(seen -> "finished".equals(seen.get("state")));
            assertThat(DashboardClient.list(ended, "series")).isNotEmpty();
            assertThat(DashboardClient.list(ended, "tasks")).isNotEmpty();
            assertThat(DashboardClient.list(ended, "settings")).isNotEmpty();
        }
    }

    private static volatile CountDownLatch GATE = new CountDownLatch(0);

    private static void await() {
        try {
            if (!GATE.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody opened the gate");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void errorsAndDeadLettersAreShownWithSamplesAndTextsAreNeverMarkup() throws Exception {
        String script = "<script>alert(1)</script>";
        try (Session session = session();
                DashboardClient client = client(session)) {
            session.items(List.of("fine", script))
                    .map(
                            (Row row) -> {
                                if (row.getString("item").contains("script")) {
                                    throw new IllegalArgumentException("no " + row.getString("item"));
                                }
                                return row;
                            },
                            Compute.defaults().onError(ErrorPolicy.deadLetter("bad")))
                    .count();
            Map<String, Object> run = client.awaitRun(seen -> "finished".equals(seen.get("state")));
            assertThat(DashboardClient.list(run, "errors")).singleElement().satisfies(error -> {
                assertThat(error.get("message").toString()).contains(script);
                assertThat(error).containsEntry("count", 1L);
            });
            Map<String, Object> letters =
                    DashboardClient.list(run, "deadLetters").getFirst();
            assertThat(letters).containsEntry("name", "bad").containsEntry("rows", 1L);
            assertThat(DashboardClient.list(letters, "first")
                            .getFirst()
                            .get("message")
                            .toString())
                    .isEqualTo("no " + script);
            assertThat(client.allowed("/api/runs").headers().firstValue("Content-Type"))
                    .hasValue("application/json");
        }
    }

    @Test
    void aFailedRunShowsItsSentence() throws Exception {
        try (Session session = session();
                DashboardClient client = client(session)) {
            assertThatThrownBy(() -> session.range(10)
                            .mapBatches(batch -> {
                                throw new IllegalStateException("the wheel is stuck");
                            })
                            .count())
                    .isInstanceOf(MillraceException.class);
            Map<String, Object> run = client.awaitRun(seen -> "failed".equals(seen.get("state")));
            assertThat(run.get("failure").toString()).contains("the wheel is stuck");
        }
    }

    @Test
    void readersThatDoNotReadCostTheRunNothing() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (Session session = session();
                DashboardClient client = client(session)) {
            URI root = client.root();
            for (int i = 0; i < EventHub.MAX_READERS; i++) {
                Socket socket = new Socket(root.getHost(), root.getPort());
                silent.add(socket);
                socket.getOutputStream()
                        .write(("GET /api/events?token=" + client.token() + " HTTP/1.1\r\nHost: x\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(socket.getInputStream().read()).isEqualTo('H');
            }
            assertThat(client.allowed("/api/events").statusCode()).isEqualTo(503);
            for (int i = 0; i < 20; i++) {
                assertThat(session.range(1_000).mapBatches(batch -> batch).count())
                        .isEqualTo(1_000);
            }
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void aReaderThatIsTooSlowLosesItsOldestEvents() throws Exception {
        EventHub hub = new EventHub();
        try (EventHub.Reader reader = hub.join(null, false)) {
            for (int i = 0; i < 3 * EventHub.QUEUED; i++) {
                hub.send("runs", Integer.toString(i).getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(hub.dropped()).isEqualTo(2 * EventHub.QUEUED);
            assertThat(new String(reader.next(0), StandardCharsets.US_ASCII))
                    .isEqualTo("event: runs\ndata: " + 2 * EventHub.QUEUED + "\n\n");
        }
    }

    @Test
    void runsAreKeptAfterARestartAndTheOldestAreDeleted() throws Exception {
        try (Session session = session()) {
            session.range(10).mapBatches(batch -> batch).count();
            session.range(20).mapBatches(batch -> batch).count();
        }
        try (Session session = session();
                DashboardClient client = client(session)) {
            List<Map<String, Object>> runs = client.runs();
            assertThat(runs).hasSize(2).allSatisfy(run -> assertThat(run).containsEntry("state", "finished"));
            assertThat(client.run(runs.getLast().get("id"))).containsEntry("rowsIn", 10L);
            assertThat(client.allowed("/api/runs/../../etc/passwd").statusCode())
                    .isEqualTo(404);
            assertThat(client.allowed("/api/runs/nothing").statusCode()).isEqualTo(404);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(file -> file.toString().endsWith(".tmp"))).isEmpty();
        }
        RunArchive archive = new RunArchive(folder, 1);
        archive.add("20990101-000000-000-1-1", json("20990101-000000-000-1-1"), "{}".getBytes(StandardCharsets.UTF_8));
        assertThat(archive.summaries())
                .singleElement()
                .satisfies(run -> assertThat(run.getKey()).startsWith("2099"));
    }

    private static byte[] json(String id) {
        return ("{\"id\":\"" + id + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void damagedAndForeignFilesAreNotListed() throws IOException {
        Files.writeString(folder.resolve("20260101-1.json"), "");
        Files.writeString(folder.resolve("20260102-1.json"), "{\"id\":\"other\"}\n{}");
        Files.writeString(folder.resolve("Notes.json"), "{}");
        RunArchive archive = new RunArchive(folder, 5);
        assertThat(archive.summaries()).isEmpty();
        assertThat(archive.run("20260101-1")).isEmpty();
        assertThat(archive.run("../20260102-1")).isEmpty();
    }

    @Test
    void metricsHaveDatasetAndOperatorAndGoOnFromRunToRun() throws Exception {
        try (Session session = session();
                DashboardClient client = client(session)) {
            for (int i = 0; i < 2; i++) {
                session.range(50)
                        .mapBatches(batch -> batch)
                        .named("with \"quotes\"")
                        .count();
            }
            client.awaitRun(run -> !"running".equals(run.get("state")));
            String text = "";
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!text.contains("millrace_runs_total{state=\"finished\"} 2") && System.nanoTime() < deadline) {
                text = client.allowed("/metrics").body();
            }
            assertThat(text)
                    .contains("millrace_runs_total{state=\"finished\"} 2")
                    .contains("# TYPE millrace_operator_rows_total counter")
                    .containsPattern("millrace_operator_input_rows_total\\{dataset=\"with \\\\\"quotes\\\\\"\","
                            + "operator=\"[^\"]+\"} 100\n");
            assertThat(text.lines())
                    .allMatch(line -> line.startsWith("# ")
                            || line.matches("millrace_[a-z_]+(\\{([a-z]+=\"([^\"\\\\]|\\\\.)*\",?)+})? -?[0-9.E-]+"));
        }
    }

    @Test
    void otherInterfacesNeedATokenOfTheUser() {
        assertThatThrownBy(() -> DashboardSettings.ON.withHost("0.0.0.0"))
                .hasMessage("A dashboard that listens on '0.0.0.0' can be reached from other machines, so it needs a"
                        + " token that you choose: DashboardSettings.withToken(...).");
        assertThatThrownBy(() -> DashboardSettings.ON.withToken("short"))
                .hasMessage("The token of a dashboard needs 16 or more characters, of letters, digits and _.~-: it is"
                        + " all that keeps others out.");
        assertThat(DashboardSettings.ON.withToken("a-token-of-our-own").withHost("0.0.0.0"))
                .asString()
                .doesNotContain("a-token-of-our-own");
    }

    @Test
    void aPortThatIsTakenLeadsToTheNextOne() {
        try (Session first = session()) {
            int taken = first.dashboard().orElseThrow().getPort();
            try (Session second = Session.builder()
                    .progress(ProgressSettings.OFF)
                    .dashboard(DashboardSettings.ON.withPort(taken).withFolder(folder.toString(), 100))
                    .open()) {
                assertThat(second.dashboard().orElseThrow().getPort()).isBetween(taken + 1, taken + 9);
            }
        }
    }
}
