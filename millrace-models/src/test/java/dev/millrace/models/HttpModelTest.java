package dev.millrace.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.compute.Compute;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.models.ModelServer.Reply;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpModelTest {
    private static final Compute ONE = Compute.actors(1).cpus(0);
    private static final String KEY = "sk-very-secret-0815";

    private Session session;

    @BeforeEach
    void open() {
        session = Session.open();
    }

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void aPlanWithAKeyIsNotSavedAndOneWithTheNameOfAVariableIs(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("a.plan");
        HttpChat chat = HttpModel.chat("http://localhost:1", "small").prompt("Hello ${id}");
        for (HttpChat secret : List.of(chat.apiKey(KEY), chat.header("X-Key", KEY))) {
            assertThatThrownBy(() -> session.range(3).mapBatches(secret, ONE).savePlan(file.toString()))
                    .hasMessage(
                            "savePlan: a model behind HTTP has an API key or headers, and credentials are written to no"
                                    + " file. Give the key by apiKeyFrom(variable).");
            assertThat(file).doesNotExist();
        }
        session.range(3).mapBatches(chat.apiKeyFrom("MILLRACE_KEY"), ONE).savePlan(file.toString());
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).contains("MILLRACE_KEY");
        assertThat(session.loadPlan(file.toString()).explain()).contains("mapBatches");
    }

    // Chats

    @Test
    void aChatAnswersEachRow() {
        try (ModelServer server = new ModelServer(request -> ModelServer.chat("Re: " + request.prompt()))) {
            List<Row> rows = session.fromBatches(
                            Batch.of("name", Arrays.asList("Ada", null, "Eve \"x\""), "n", new long[] {1, 2, 3}))
                    .mapBatches(
                            HttpModel.chat(server.address(), "small")
                                    .apiKey(KEY)
                                    .system("Be short.")
                                    .prompt("Greet ${name} ${n} times, $${literally}")
                                    .option("temperature", 0)
                                    .option("response_format", Map.of("type", "text"))
                                    .output("tokens", "/usage/total_tokens", DataType.INT64),
                            ONE)
                    .takeAll();
            assertThat(rows.get(0).getString("answer")).isEqualTo("Re: Greet Ada 1 times, ${literally}");
            assertThat(rows.get(0).getLong("tokens")).isEqualTo(12);
            assertThat(rows.get(1).isNull("answer")).isTrue();
            assertThat(rows.get(2).getString("answer")).startsWith("Re: Greet Eve \"x\" 3");
            assertThat(server.requests).hasSize(2);
            ModelServer.Request sent = server.requests.stream()
                    .filter(request -> request.text().contains("Ada"))
                    .findFirst()
                    .orElseThrow();
            assertThat(sent.path()).isEqualTo("/v1/chat/completions");
            assertThat(sent.headers()).containsEntry("Authorization", List.of("Bearer " + KEY));
            assertThat(sent.text())
                    .isEqualTo("{\"model\":\"small\",\"messages\":[{\"role\":\"system\",\"content\":\"Be short.\"},"
                            + "{\"role\":\"user\",\"content\":\"Greet Ada 1 times, ${literally}\"}],"
                            + "\"temperature\":0,\"response_format\":{\"type\":\"text\"}}");
        }
    }

    @Test
    void theKeyMayComeFromTheEnvironmentUnderAnyHeader() {
        try (ModelServer server = new ModelServer(_ -> ModelServer.chat("yes"))) {
            session.items(List.of("a"))
                    .rename("item", "text")
                    .mapBatches(HttpModel.chat(server.address(), "m").apiKeyFrom("PATH", "X-Api-Key"), ONE)
                    .takeAll();
            assertThat(server.requests.element().headers())
                    .containsEntry("X-api-key", List.of(System.getenv("PATH")))
                    .doesNotContainKey("Authorization");
            assertThatThrownBy(() -> session.items(List.of("a"))
                            .rename("item", "text")
                            .mapBatches(HttpModel.chat(server.address(), "m").apiKeyFrom("MILLRACE_NO_SUCH_KEY"), ONE)
                            .takeAll())
                    .hasMessageContaining(
                            "The environment variable MILLRACE_NO_SUCH_KEY, which should hold the API key,"
                                    + " is not set where the model runs.");
        }
    }

    // Embeddings

    @Test
    void embeddingsAreAskedForInBatchesAndComeBackInOrder() {
        try (ModelServer server = new ModelServer(HttpModelTest::embed)) {
            List<String> texts = Arrays.asList("1", "22", null, "333", "4444", "55555", null);
            List<Row> rows = session.items(texts, 1)
                    .mapBatches(
                            HttpModel.embeddings(server.address(), "e")
                                    .column("item")
                                    .rowsPerRequest(3),
                            ONE)
                    .takeAll();
            assertThat(server.requests).hasSize(2);
            assertThat(server.requests.element().path()).isEqualTo("/v1/embeddings");
            for (Row row : rows) {
                if (row.isNull("item")) {
                    assertThat(row.isNull("embedding")).isTrue();
                } else {
                    assertThat(row.getTensor("embedding"))
                            .isEqualTo(
                                    Tensor.of(new float[] {row.getString("item").length(), 0.25f}, 2));
                }
            }
        }
    }

    /// Backwards, as no server does but the API allows.
    private static Reply embed(ModelServer.Request request) {
        List<?> texts = (List<?>) request.at("input");
        StringBuilder data = new StringBuilder();
        for (int i = texts.size() - 1; i >= 0; i--) {
            data.append(data.isEmpty() ? "" : ",")
                    .append("{\"index\":" + i + ",\"embedding\":[" + ((String) texts.get(i)).length() + ",0.25]}");
        }
        return Reply.ok("{\"data\":[" + data + "]}");
    }

    @Test
    void embeddingsMayComeAsBase64() {
        byte[] bytes = {0, 0, (byte) 0x80, 0x3F, 0, 0, 0, (byte) 0xC0};
        String embedding = Base64.getEncoder().encodeToString(bytes);
        try (ModelServer server =
                new ModelServer(_ -> Reply.ok("{\"data\":[{\"embedding\":\"" + embedding + "\"}]}"))) {
            List<Row> rows = session.items(List.of("a"))
                    .mapBatches(
                            HttpModel.embeddings(server.address(), "e")
                                    .column("item")
                                    .into("vector")
                                    .option("encoding_format", "base64"),
                            ONE)
                    .takeAll();
            assertThat(rows.getFirst().getTensor("vector")).isEqualTo(Tensor.of(new float[] {1, -2}, 2));
            assertThat(server.requests.element().at("encoding_format")).isEqualTo("base64");
        }
    }

    @Test
    void aTextThatTheServerRefusesFailsAlone() {
        try (ModelServer server = new ModelServer(request -> ((List<?>) request.at("input")).contains("")
                ? Reply.status(400, "{\"error\":\"empty input\"}")
                : embed(request))) {
            List<Row> rows = session.items(List.of("a", "b", "", "d", "e", "f", "g"), 1)
                    .mapBatches(
                            HttpModel.embeddings(server.address(), "e")
                                    .column("item")
                                    .errorsInto("error"),
                            ONE)
                    .takeAll();
            assertThat(rows)
                    .filteredOn(row -> row.isNull("embedding"))
                    .singleElement()
                    .satisfies(row -> assertThat(row.getString("error"))
                            .isEqualTo(server.address() + "/embeddings answered 400: {\"error\":\"empty input\"}"));
        }
    }

    @Test
    void aBatchWithoutAnyEmbeddingNeedsTheirSize() {
        try (ModelServer server = new ModelServer(_ -> Reply.status(404, "no such model"))) {
            HttpEmbeddings model =
                    HttpModel.embeddings(server.address(), "e").column("item").nullsOnError();
            assertThatThrownBy(() ->
                            session.items(List.of("a")).mapBatches(model, ONE).takeAll())
                    .hasMessageContaining(
                            "so how many numbers one has is not known. Give it: embeddings(...).size(n).");
            assertThat(session.items(List.of("a"))
                            .mapBatches(model.size(3), ONE)
                            .takeAll()
                            .getFirst()
                            .isNull("embedding"))
                    .isTrue();
        }
    }

    // JSON

    @Test
    void anyServerThatSpeaksJsonIsAModel() {
        try (ModelServer server = new ModelServer(request -> Reply.ok("{\"result\":[{\"label\":\""
                + ((String) request.at("title")).replace("\n", " ") + "\",\"score\":0.5,\"n\":" + request.at("n")
                + ",\"box\":[[1,2],[3,4]],\"flag\":true,\"more\":{\"a\":[1]}}]}"))) {
            List<Row> rows = session.fromBatches(Batch.of(
                            "name", new String[] {"A\nb", "ü"},
                            "n", Arrays.asList(7L, null),
                            "v", List.of(List.of(1.5), List.of())))
                    .mapBatches(
                            HttpModel.json(server.address())
                                    .request("""
                                            {"title": "About ${name}", "n": "${n}", "list": "${v}", "k": [1, null, "x"]}""")
                                    .output("label", "/result/0/label")
                                    .output("score", "/result/0/score", DataType.FLOAT32)
                                    .output("n2", "/result/0/n", DataType.INT32)
                                    .output("box", "/result/0/box", DataType.tensor(DataType.FLOAT32, 2, 2))
                                    .output("flag", "/result/0/flag", DataType.BOOL)
                                    .output("more", "/result/0/more"),
                            ONE)
                    .takeAll();
            assertThat(server.requests)
                    .extracting(ModelServer.Request::text)
                    .containsExactlyInAnyOrder(
                            "{\"title\":\"About A\\nb\",\"n\":7,\"list\":[1.5],\"k\":[1,null,\"x\"]}",
                            "{\"title\":\"About ü\",\"n\":null,\"list\":[],\"k\":[1,null,\"x\"]}");
            Row row = rows.get(1);
            assertThat(row.getString("label")).isEqualTo("About ü");
            assertThat(row.getFloat("score")).isEqualTo(0.5f);
            assertThat(row.isNull("n2")).isTrue();
            assertThat(row.getTensor("box")).isEqualTo(Tensor.of(new float[] {1, 2, 3, 4}, 2, 2));
            assertThat(row.getBoolean("flag")).isTrue();
            assertThat(row.getString("more")).isEqualTo("{\"a\":[1]}");
        }
    }

    @Test
    void anAnswerThatDoesNotFitIsTheRowsError() {
        try (ModelServer server = new ModelServer(_ -> Reply.ok("{\"score\":\"high\"}"))) {
            HttpJson model = HttpModel.json(server.address())
                    .request("{\"x\":\"${item}\"}")
                    .errorsInto("why");
            assertThat(why(model.output("score", "/score", DataType.FLOAT64)))
                    .isEqualTo(server.address() + " answered with what is no float64 at /score: \"high\"");
            assertThat(why(model.output("score", "/scores/0", DataType.FLOAT64)))
                    .isEqualTo(server.address() + " answered with nothing at /scores/0: {\"score\":\"high\"}");
        }
    }

    private String why(HttpModel<?> model) {
        return session.items(List.of("a"))
                .mapBatches(model, ONE)
                .takeAll()
                .getFirst()
                .getString("why");
    }

    // Faults

    @Test
    void whatPassesIsTriedAgain() {
        for (Reply fault : List.of(
                Reply.status(429, "slow down").header("retry-after-ms", "40"),
                Reply.status(503, "").header("Retry-After", "0"),
                Reply.status(500, "oops"),
                Reply.reset())) {
            try (ModelServer server =
                    new ModelServer(request -> request.visit() == 1 ? fault : ModelServer.chat("at last"))) {
                List<Row> rows = session.items(List.of("a"))
                        .mapBatches(HttpModel.chat(server.address(), "m").prompt("${item}"), ONE)
                        .takeAll();
                assertThat(rows.getFirst().getString("answer")).as("%s", fault).isEqualTo("at last");
                assertThat(server.requests).as("%s", fault).hasSize(2);
            }
        }
    }

    @Test
    void anAnswerThatIsLateIsAskedForAgain() {
        try (ModelServer server = new ModelServer(request ->
                request.visit() == 1 ? ModelServer.chat("late").after(30_000) : ModelServer.chat("at last"))) {
            List<Row> rows = session.items(List.of("a"))
                    .mapBatches(
                            HttpModel.chat(server.address(), "m")
                                    .prompt("${item}")
                                    .timeout(Duration.ofSeconds(1)),
                            ONE)
                    .takeAll();
            assertThat(rows.getFirst().getString("answer")).isEqualTo("at last");
            assertThat(server.requests).hasSizeGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void anAnswerThatBreaksOffOrNeverEndsIsOneThatDidNotCome() throws Exception {
        try (java.net.ServerSocket socket =
                new java.net.ServerSocket(0, 5, java.net.InetAddress.getLoopbackAddress())) {
            Thread server = Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        // A header and half of the body, then silence.
                        socket.accept()
                                .getOutputStream()
                                .write("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n{\"a\":"
                                        .getBytes(StandardCharsets.UTF_8));
                    }
                } catch (java.io.IOException _) {
                    // The end of the test.
                }
            });
            assertThat(why(HttpModel.json("http://127.0.0.1:" + socket.getLocalPort() + "/x")
                            .request("{}")
                            .output("a", "/a")
                            .timeout(Duration.ofMillis(300))
                            .retries(1)
                            .errorsInto("why")))
                    .endsWith("/x did not answer within 300 ms (after 2 tries)");
            socket.close();
            server.join();
        }
    }

    @Test
    void whatDoesNotPassIsToldWithStatusAndBody() {
        try (ModelServer server = new ModelServer(request -> switch (request.prompt()) {
            case "busy" -> Reply.status(503, "<html>\n overloaded </html>").header("retry-after-ms", "1");
            case "bad" -> Reply.status(400, "{\"error\": \"" + "x".repeat(1000) + "\"}");
            case "moved" -> Reply.status(301, "").header("Location", "http://example.com/");
            case "patience" -> Reply.status(429, "quota").header("Retry-After", "86400");
            case "garbage" -> Reply.ok("<html>It works</html>");
            default -> ModelServer.chat("fine");
        })) {
            HttpChat model =
                    HttpModel.chat(server.address(), "m").prompt("${item}").retries(2);
            List<Row> rows = session.items(List.of("busy", "bad", "moved", "patience", "garbage", "good"), 1)
                    .mapBatches(model.errorsInto("error").concurrency(1), ONE)
                    .takeAll();
            String at = server.address() + "/chat/completions ";
            assertThat(rows.get(0).getString("error"))
                    .isEqualTo(at + "answered 503: <html> overloaded </html> (after 3 tries)");
            assertThat(rows.get(1).getString("error"))
                    .startsWith(at + "answered 400: {\"error\": \"xxx")
                    .endsWith("xxx...")
                    .hasSizeLessThan(450);
            assertThat(rows.get(2).getString("error")).isEqualTo(at + "answered 301: (nothing)");
            assertThat(rows.get(3).getString("error"))
                    .isEqualTo(at + "asks to wait 86400 s before the next request, and answered 429: quota");
            assertThat(rows.get(4).getString("error"))
                    .startsWith(at + "answered 200 with what is no JSON (")
                    .endsWith("<html>It works</html>");
            assertThat(rows.get(5).isNull("error")).isTrue();
            assertThat(rows.get(5).getString("answer")).isEqualTo("fine");
            assertThat(rows.subList(0, 5)).allMatch(row -> row.isNull("answer"));

            assertThatThrownBy(() -> session.items(List.of("good", "bad"), 1)
                            .mapBatches(model, ONE)
                            .takeAll())
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                    .hasMessageContaining("answered 400: {\"error\": \"xxx")
                    .hasMessageContaining("(row 2 of the batch's 2)");
            assertThatThrownBy(() -> session.items(List.of("busy"))
                            .mapBatches(model, ONE)
                            .takeAll())
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                    .hasMessageContaining("answered 503");
        }
    }

    @Test
    void nobodyThereIsToldToo() {
        assertThat(why(HttpModel.json("http://127.0.0.1:1/x")
                        .request("{}")
                        .output("a", "/a")
                        .retries(0)
                        .errorsInto("why")))
                .isEqualTo("http://127.0.0.1:1/x could not be reached: ConnectException");
    }

    // Secrets

    @Test
    void theKeyShowsNowhere() {
        try (ModelServer server = new ModelServer(request -> request.prompt().equals("401")
                ? Reply.status(401, "{\"error\":\"Incorrect API key provided: " + KEY + "\"}")
                : Reply.status(400, "you sent " + KEY + " and header-value-77"))) {
            HttpChat model = HttpModel.chat(server.address() + "?token=query-secret", "m")
                    .prompt("${item}")
                    .apiKey(KEY)
                    .header("X-More", "header-value-77");
            var asked = session.items(List.of("400")).mapBatches(model.errorsInto("error"), ONE);
            String error = asked.takeAll().getFirst().getString("error");
            assertThat(server.requests.element().path()).isEqualTo("/v1/chat/completions");
            assertThat(error).endsWith("answered 400: you sent *** and ***").doesNotContain("query-secret");
            Object shown = model;
            assertThat(asked.explain() + asked.stats() + shown)
                    .doesNotContain("secret")
                    .doesNotContain("header-value");
            // A refused key is nothing of a row's.
            assertThatThrownBy(() -> session.items(List.of("401"))
                            .mapBatches(model.errorsInto("error"), ONE)
                            .takeAll())
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.USER))
                    .hasMessageContaining("refuses the API key (401): {\"error\":\"Incorrect API key provided: ***\"}")
                    .hasStackTraceContaining("refuses")
                    .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("secret"));
        }
    }

    private static String stackTrace(Throwable e) {
        java.io.StringWriter text = new java.io.StringWriter();
        e.printStackTrace(new java.io.PrintWriter(text));
        return text.toString();
    }

    @Test
    void whatIsWrongIsToldAtTheCall() {
        assertThatThrownBy(() -> HttpModel.json("http://user:hidden@host/"))
                .hasMessageContaining("http://host/path")
                .hasMessageNotContaining("hidden");
        assertThatThrownBy(() -> HttpModel.json("ftp://host/")).hasMessageContaining("The address of a model is");
        HttpChat chat = HttpModel.chat("http://host/v1/", "m");
        assertThatThrownBy(() -> chat.apiKey("two words"))
                .hasMessage("The API key is empty or has characters that a key cannot have.");
        assertThatThrownBy(() -> chat.prompt("Hello ${")).hasMessageContaining("write ${name}, and $${ for");
        assertThatThrownBy(() -> chat.option("stop", new Object()))
                .hasMessageStartingWith("option 'stop': JSON has no Object");
        assertThatThrownBy(() -> chat.output("x", "usage", DataType.INT64)).hasMessageContaining("begins with a slash");
        assertThatThrownBy(() -> HttpModel.json("http://host/").request("{\"a\": ${b}}"))
                .hasMessageStartingWith("The request's template is no JSON: ")
                .hasMessageEndingWith("A column is named in quotes: \"${name}\".");
        assertThatThrownBy(() -> chat.concurrency(0)).hasMessage("concurrency must be 1 or more requests, not 0.");
    }

    // Many at once

    @Test
    void asManyAreOnTheirWayAsAsked() {
        CountDownLatch together = new CountDownLatch(10);
        // The first ten are answered when all of them are there.
        try (ModelServer server = new ModelServer(request -> {
            together.countDown();
            await(together);
            return ModelServer.chat(request.prompt());
        })) {
            List<Row> rows = session.range(40)
                    .mapBatches(
                            HttpModel.chat(server.address(), "m")
                                    .prompt("${id}")
                                    .concurrency(10),
                            ONE)
                    .takeAll();
            assertThat(rows).allMatch(row -> row.getString("answer").equals("" + row.getLong("id")));
            assertThat(server.mostAtOnce).hasValue(10);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void actorsShareTheLimit() {
        try (ModelServer server = new ModelServer(request -> ModelServer.chat(request.prompt()))) {
            long start = System.nanoTime();
            session.range(50, 10)
                    .mapBatches(
                            HttpModel.chat(server.address(), "m")
                                    .prompt("${id}")
                                    .requestsPerMinute(1200),
                            Compute.actors(2).cpus(0))
                    .takeAll();
            // 20 at once, and 20 in each second after that.
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1400));
        }
    }

    @Test
    void closingARunEndsItsRequests() throws Exception {
        try (ModelServer server = new ModelServer(_ -> ModelServer.chat("never").after(600_000))) {
            var rows = session.range(100)
                    .mapBatches(HttpModel.chat(server.address(), "m").prompt("${id}"), ONE)
                    .iterRows();
            Thread.ofVirtual().start(() -> {
                try {
                    boolean _ = rows.hasNext();
                } catch (RuntimeException _) {
                    // Closed meanwhile.
                }
            });
            while (server.now.get() < 8) {
                Thread.sleep(5);
            }
            rows.close();
            // Returns long before the answers come: the time limit of tests is below theirs.
            session.close();
        }
    }
}
