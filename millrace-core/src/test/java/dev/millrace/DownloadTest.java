package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Row;
import dev.millrace.compute.Download;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.compute.Resources;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.testing.OpenFiles;
import dev.millrace.testing.WebServer;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DownloadTest {
    private final WebServer server = new WebServer();
    private final Session session =
            Session.builder().progress(ProgressSettings.OFF).open();

    /// Throws if a byte is held.
    @AfterEach
    void stop() {
        server.close();
        session.close();
    }

    private Dataset addresses(String... all) {
        return session.items(Arrays.stream(all).map(url -> Row.of("url", url)).toList(), 1);
    }

    private static String text(Row row) {
        return row.getBytes("bytes") == null ? null : new String(row.getBytes("bytes"), StandardCharsets.UTF_8);
    }

    @Test
    void filesOfAllKindsComeInTheOrderOfTheirRows(@TempDir Path folder) throws IOException {
        Path local = Files.writeString(folder.resolve("a b.txt"), "local");
        server.put("x", "web".getBytes(StandardCharsets.UTF_8));
        Dataset all = addresses(
                server.address("slow", "x"),
                local.toString(),
                null,
                local.toUri().toString(),
                server.address("moved", "x"),
                server.address("busy", "x"),
                server.address("reset", "x"),
                server.address("half", "x"),
                server.address("chunked", "x"));
        Download withLocal = Download.into("bytes").schemes("http", "FILE");
        assertThat(all.download("url", withLocal).takeAll().stream().map(DownloadTest::text))
                .containsExactly("web", "local", null, "local", "web", "web", "web", "web", "web");
        assertThat(all.download("url").schema().field(1).type()).isEqualTo(DataType.BINARY);
    }

    @Test
    void aFileThatIsTooLargeObeysTheErrorPolicyWhetherItsSizeIsToldOrNot() {
        server.put("x", "web".getBytes(StandardCharsets.UTF_8));
        server.put("large", new byte[100_001]);
        server.put("full", new byte[100_000]);
        Download small = Download.into("bytes").maxBytes(100_000);
        for (String way : List.of("plain", "chunked", "endless")) {
            String large = server.address(way, "large");
            Dataset files = addresses(server.address("plain", "x"), large, server.address("chunked", "full"));
            assertThatThrownBy(() -> files.download("url", small).takeAll())
                    .hasMessageContaining("'" + large + "' has " + (way.equals("plain") ? "100001" : "more than 100000")
                            + " bytes, and download takes files of up to 100000. Raise it with Download.maxBytes if"
                            + " they may be larger.");
            assertThat(files.download("url", small.onError(ErrorPolicy.nulls())).takeAll())
                    .extracting(row -> row.getBytes("bytes") == null ? -1 : row.getBytes("bytes").length)
                    .containsExactly(3, -1, 100_000);
        }
    }

    @Test
    void aFileThatIsTooLargeForTheSessionObeysTheErrorPolicyToo() {
        server.put("x", "web".getBytes(StandardCharsets.UTF_8));
        server.put("large", new byte[1 << 20]);
        try (Session tight = Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withMemory(16 << 20))
                .open()) {
            Dataset files = tight.items(
                    List.of(
                            Row.of("url", server.address("endless", "large")),
                            Row.of("url", server.address("plain", "x"))),
                    1);
            assertThat(files.download("url", Download.into("bytes").onError(ErrorPolicy.skip()))
                            .takeAll())
                    .extracting(DownloadTest::text)
                    .containsExactly("web");
            assertThatThrownBy(() -> files.download("url").takeAll())
                    .hasMessageContaining("/endless/large' is too large for the memory of this session: ");
        }
    }

    @Test
    void aFileThatTakesTooLongIsGivenUp() {
        server.put("x", "web".getBytes(StandardCharsets.UTF_8));
        String slow = server.address("trickle", "x");
        Dataset files = addresses(server.address("plain", "x"), slow, server.address("plain", "x"));
        Download hasty = Download.into("bytes").timeout(Duration.ofMillis(300));
        assertThat(files.download("url", hasty.onError(ErrorPolicy.skip())).takeAll())
                .extracting(DownloadTest::text)
                .containsExactly("web", "web");
        assertThatThrownBy(() -> files.download("url", hasty).takeAll())
                .hasMessageContaining("'" + slow + "' was not there after 300 ms, the time that a file has, and was"
                        + " given up. Raise it with Download.timeout if it may take longer.");
    }

    @Test
    void sizesAndTimesAreChecked() {
        assertThatThrownBy(() -> Download.into("bytes").maxBytes(0))
                .hasMessage("download: the largest file must have 1 byte or more, not 0.");
        assertThatThrownBy(() -> Download.into("bytes").timeout(Duration.ZERO))
                .hasMessage("download: the time for a file must be more than 0, not PT0S.");
    }

    @Test
    void addressesOfOtherSchemesThanTheWebAreRefusedUnlessAllowed(@TempDir Path folder) throws IOException {
        Path local = Files.writeString(folder.resolve("secret"), "secret");
        server.put("x", "web".getBytes(StandardCharsets.UTF_8));
        for (String path : List.of(
                local.toString(), local.toUri().toString(), "file://" + local, "FILE:" + local, "../x", "s3://b/x")) {
            Dataset column = addresses(server.address("plain", "x"), path);
            assertThatThrownBy(() -> column.download("url").takeAll())
                    .hasMessageContaining("row 1: '" + path + "' is ")
                    .hasMessageContaining(", and download follows http, https only. If the column can be trusted, allow"
                            + " it: Download.into(\"bytes\").schemes(\"http\", \"https\", \""
                            + (path.startsWith("s3") ? "s3" : "file") + "\").");
            assertThat(column.download("url", Download.into("bytes").onError(ErrorPolicy.nulls())).takeAll().stream()
                            .map(DownloadTest::text))
                    .containsExactly("web", null);
        }
        assertThatThrownBy(() -> addresses(server.address("plain", "x"))
                        .download("url", Download.into("bytes").schemes("https"))
                        .takeAll())
                .hasMessageContaining("is of the scheme http, and download follows https only");
        assertThatThrownBy(() -> addresses(server.address("lured", "x"))
                        .download("url", Download.into("bytes").schemes("http", "file"))
                        .takeAll())
                .hasMessageContaining("sends on to 'file:///etc/hostname' (302), which is not followed");
        assertThatThrownBy(() -> Download.into("x").schemes("s3://"))
                .hasMessageContaining("download: 's3://' is no scheme of addresses");
    }

    /// Each connection is two open files of this process.
    private static void assumeManyFilesMayBeOpen() {
        OpenFiles.assume(256, "the server is in this process too");
    }

    @Test
    void manyAreFetchedAtOnceAndNoMoreThanAllowed() {
        assumeManyFilesMayBeOpen();
        List<String> urls = IntStream.range(0, 400)
                .mapToObj(i -> {
                    server.put("f" + i, ("file " + i).getBytes(StandardCharsets.UTF_8));
                    return server.address("slow", "f" + i);
                })
                .toList();
        List<Row> rows = session.items(
                        urls.stream().map(url -> Row.of("url", url)).toList())
                .download("url", Download.into("bytes").concurrency(40))
                .takeAll();
        assertThat(rows.stream().map(DownloadTest::text))
                .containsExactlyElementsOf(
                        IntStream.range(0, 400).mapToObj(i -> "file " + i).toList());
        assertThat(server.mostAtOnce.get()).isGreaterThan(10);
    }

    @Test
    void aTaskKeepsToItsConcurrency() {
        server.put("f", new byte[10]);
        List<Row> urls = IntStream.range(0, 30)
                .mapToObj(_ -> Row.of("url", server.address("slow", "f")))
                .toList();
        try (Session one = Session.builder()
                .progress(ProgressSettings.OFF)
                .runtime(_ -> new EmbeddedRuntime(new Resources(1, 0, 1L << 30, Map.of())))
                .open()) {
            one.items(urls).download("url", Download.into("b").concurrency(5)).count();
            assertThat(one.items(urls)
                            .download("url", Download.into("b").concurrency(5))
                            .takeAll())
                    .hasSize(30);
        }
        assertThat(server.mostAtOnce.get()).isBetween(2, 5);
    }

    @Test
    void largeFilesDoNotFillTheMemory() {
        assumeManyFilesMayBeOpen();
        byte[] large = new byte[6 << 20];
        Arrays.fill(large, (byte) 7);
        server.put("large", large);
        List<Row> urls = IntStream.range(0, 60)
                .mapToObj(_ -> Row.of("url", server.address("ranges", "large")))
                .toList();
        try (Session small = Session.builder()
                .progress(ProgressSettings.OFF)
                .runtime(_ -> new EmbeddedRuntime(new Resources(2, 0, 200L << 20, Map.of())))
                .open()) {
            long bytes = small
                    .items(urls)
                    .download("url")
                    .map(row -> Row.of("size", (long) row.getBytes("bytes").length))
                    .takeAll()
                    .stream()
                    .mapToLong(row -> row.getLong("size"))
                    .sum();
            assertThat(bytes).isEqualTo(60L * large.length);
        }
    }

    @Test
    void policiesForFilesThatCannotBeHad() {
        server.put("x", "web".getBytes(StandardCharsets.UTF_8));
        Dataset some = addresses(
                server.address("plain", "x"),
                server.address("plain", "missing"),
                server.address("denied", "x"),
                "nowhere://x",
                server.address("plain", "x"));
        assertThatThrownBy(() -> some.download("url").takeAll())
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                .hasMessageContaining("download(url) failed on ")
                .hasMessageContaining("row 1: there is nothing at '" + server.address("plain", "missing") + "' (404).");
        List<Row> nulls = some.download("url", Download.into("bytes").onError(ErrorPolicy.nulls()))
                .takeAll();
        assertThat(nulls.stream().map(DownloadTest::text)).containsExactly("web", null, null, null, "web");
        assertThat(nulls.get(1).getString("url")).endsWith("missing");
        assertThat(some.download("url", Download.into("bytes").onError(ErrorPolicy.skip())).takeAll().stream()
                        .map(DownloadTest::text))
                .containsExactly("web", "web");
        assertThatThrownBy(() -> some.download(
                                "url",
                                Download.into("bytes")
                                        .onError(ErrorPolicy.skip().atMost(2)))
                        .takeAll())
                .hasMessageContaining("failed on 3 rows");
        assertThat(some.download("url", Download.into("bytes").onError(ErrorPolicy.deadLetter("lost")))
                        .takeAll())
                .hasSize(2);
        try (var letters = session.deadLetters("lost")) {
            assertThat(letters.takeAll().stream().map(row -> row.getString("message")))
                    .hasSize(3)
                    .first()
                    .asString()
                    .contains("there is nothing at");
        }
    }

    @Test
    void theColumnIsCheckedAtTheCall() {
        assertThatThrownBy(() -> session.range(3).download("url")).hasMessageContaining("'url'");
        assertThatThrownBy(() -> session.range(3).download("id"))
                .hasMessage("download needs a column of addresses, but 'id' is int64.");
        assertThatThrownBy(() -> Download.into("x").concurrency(0))
                .hasMessage("download: the concurrency must be 1 or more, not 0.");
    }

    @Test
    void onlyWhatIsNeededIsReadBelowIt() {
        server.put("x", "web".getBytes(StandardCharsets.UTF_8));
        Dataset rows = session.items(List.of(Row.of("url", server.address("plain", "x"), "more", 1L, "other", 2L)));
        assertThat(rows.download("url").select("bytes", "more").takeAll())
                .singleElement()
                .satisfies(row -> assertThat(row.getLong("more")).isOne());
        assertThat(rows.download("url", Download.into("url"))
                        .takeAll()
                        .getFirst()
                        .getBytes("url"))
                .isEqualTo("web".getBytes(StandardCharsets.UTF_8));
        assertThat(rows.download("url").limit(1).explain()).contains("Download[url]");
    }

    @Test
    void aRunThatEndsEarlyEndsItsDownloads() {
        server.put("x", new byte[100]);
        List<Row> urls = IntStream.range(0, 2000)
                .mapToObj(_ -> Row.of("url", server.address("slow", "x")))
                .toList();
        assertThat(session.items(urls)
                        .download("url", Download.into("b").concurrency(4))
                        .take(3))
                .hasSize(3);
    }
}
