package dev.millrace.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.compute.Download;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expressions;
import dev.millrace.files.FileSource;
import dev.millrace.internal.csv.CsvFormat;
import dev.millrace.internal.parquet.read.ParquetSource;
import dev.millrace.memory.Allocator;
import dev.millrace.parquet.ReadParquet;
import dev.millrace.parquet.WriteParquet;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.WriteOptions;
import dev.millrace.source.FileReads;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadCsv;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Reading formats from s3:// paths.
@Timeout(60)
class S3ReadIT {
    private static final String BUCKET = "s3://" + S3Server.BUCKET + "/";
    private static S3Server server;

    @TempDir
    static Path folder;

    private Session session;

    @BeforeAll
    static void start() throws IOException {
        server = S3Server.get();
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            session.range(120_000, 1)
                    .map(row -> {
                        Random random = new Random(row.getLong("id"));
                        Map<String, Object> values = new LinkedHashMap<>();
                        values.put("id", row.getLong("id"));
                        for (int i = 1; i < 16; i++) {
                            values.put("c" + i, random.nextDouble());
                        }
                        return Row.of(values);
                    })
                    .writeParquet(
                            folder.resolve("wide").toString(),
                            WriteOptions.defaults().names(part -> "wide." + part.extension()),
                            WriteParquet.defaults());
        }
        server.put("wide.parquet", folder.resolve("wide/wide.parquet"));
    }

    @BeforeEach
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
        server.proxy.fail(0, 0);
    }

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void aScanOfFourColumnsFetchesFourColumns() throws IOException {
        long all = Files.size(folder.resolve("wide/wide.parquet"));
        assertThat(all).isGreaterThan(12_000_000);
        var rows = session.readParquet(
                "s3://flaky@" + S3Server.BUCKET + "/wide.parquet", ReadParquet.columns("id", "c3", "c7", "c15"));
        assertThat(rows.takeAll()).hasSize(120_000);
        assertThat(server.proxy.bytesOfObjects.get()).isBetween(all / 6, all * 4 / 13);
        System.out.println("4 of 16 columns: " + server.proxy.bytesOfObjects.get() + " of " + all + " bytes in "
                + server.proxy.requests.size() + " requests");
    }

    @Test
    void aSizeThatTheListingToldIsNotAskedForAgain() {
        String flaky = "s3://flaky@" + S3Server.BUCKET + "/";
        for (String name : List.of("a", "b", "c")) {
            server.put("sized/" + name + ".parquet", folder.resolve("wide/wide.parquet"));
        }
        assertThat(session.readParquet(flaky + "sized/", ReadParquet.columns("id"))
                        .takeAll())
                .hasSize(360_000);
        assertThat(heads()).isEmpty();
        assertThat(session.readParquet(flaky + "sized/a.parquet", ReadParquet.columns("id"))
                        .takeAll())
                .hasSize(120_000);
        assertThat(heads()).as("at the call, and when the read is planned").hasSize(2);
    }

    /// Splits of one file in several parts.
    private static List<Split> parts(Source source) {
        List<Split> splits = new ArrayList<>();
        source.splits(new SplitRequest(4, false, 1, Long.MAX_VALUE)).forEachRemaining(splits::add);
        assertThat(splits).hasSizeGreaterThan(2);
        return splits;
    }

    private static long rows(Split split) throws Exception {
        try (Allocator allocator = Allocator.root("test", 1 << 28);
                SplitReader reader = split.open(new ReadContext(allocator, 1 << 16))) {
            long rows = 0;
            for (Block block = reader.next(); block != null; block = reader.next()) {
                rows += block.rows();
                block.close();
            }
            return rows;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "all.csv"})
    void partsOfTwoVersionsOfATextFileAreNotMixed(String name) throws Exception {
        byte[] bytes = "12345,abcde\n".repeat(200_000).getBytes(StandardCharsets.US_ASCII);
        server.put("versions/all.csv", bytes);
        Source source = FileSource.of(
                List.of(BUCKET + "versions/" + name), new CsvFormat(ReadCsv.defaults()), FileReads.defaults());
        List<Split> parts = parts(source);
        assertThat(rows(parts.getFirst())).isPositive();
        bytes[bytes.length - 2] = 'x';
        server.put("versions/all.csv", bytes);
        assertThatThrownBy(() -> rows(parts.getLast()))
                .isInstanceOf(IOException.class)
                .hasMessage("'" + BUCKET + "versions/all.csv' was replaced by another file while it was read. Read it"
                        + " again when it is whole, or read a copy.");
        assertThat(parts(source).stream().mapToLong(this::unchecked).sum())
                .as("another run reads the file as it is")
                .isEqualTo(200_000 - 1);
    }

    private long unchecked(Split split) {
        try {
            return rows(split);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void rowGroupsOfTwoVersionsOfAParquetFileAreNotMixed() throws Exception {
        Path[] versions = new Path[2];
        for (int i = 0; i < 2; i++) {
            Path place = folder.resolve("version-" + i);
            session.range(100_000, 1)
                    .withColumn("v", Expressions.col("id").times(i + 1))
                    .writeParquet(
                            place.toString(),
                            WriteOptions.defaults().names(part -> "v." + part.extension()),
                            WriteParquet.defaults().rowGroupRows(20_000));
            versions[i] = place.resolve("v.parquet");
        }
        server.put("versions/v.parquet", versions[0]);
        Source source = ParquetSource.of(List.of(BUCKET + "versions/v.parquet"), ReadParquet.defaults());
        List<Split> parts = parts(source);
        assertThat(rows(parts.getFirst())).isPositive();
        server.put("versions/v.parquet", versions[1]);
        assertThatThrownBy(() -> rows(parts.getLast()))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("'" + BUCKET + "versions/v.parquet' was replaced by another file while it was"
                        + " read. Read it again when it is whole, or read a copy.");
    }

    private static List<String> heads() {
        return server.proxy.requests.stream()
                .filter(request -> request.startsWith("HEAD"))
                .toList();
    }

    @Test
    void whatIsReadIsWhatWasWritten() {
        assertThat(session.readParquet(BUCKET + "wide.parquet").takeAll())
                .isEqualTo(
                        session.readParquet(folder.resolve("wide").toString()).takeAll());
    }

    @Test
    void faultsOnTheWayDoNotShow() {
        server.proxy.fail(50, 7);
        assertThat(session
                        .readParquet("s3://flaky@" + S3Server.BUCKET + "/wide.parquet", ReadParquet.columns("id"))
                        .takeAll()
                        .stream()
                        .mapToLong(row -> row.getLong("id"))
                        .sum())
                .isEqualTo(119_999L * 60_000);
        assertThat(server.proxy.faults.get()).isPositive();
    }

    @Test
    void globsFoldersAndPartitions() {
        for (String day : List.of("1", "2", "3")) {
            session.range(10, 1)
                    .writeParquet(
                            BUCKET + "days",
                            WriteOptions.defaults().names(part -> "day=" + day + "/part." + part.extension()));
        }
        assertThat(session.readParquet(BUCKET + "days").count()).isEqualTo(30);
        assertThat(session.readParquet(BUCKET + "days/").count()).isEqualTo(30);
        assertThat(session.readParquet(BUCKET + "days/day=[12]/*.parquet").takeAll().stream()
                        .map(row -> row.getLong("day")))
                .hasSize(20)
                .contains(1L, 2L)
                .doesNotContain(3L);
        assertThat(session.readParquet(BUCKET + "days/day=1/part.parquet", BUCKET + "days/day=3")
                        .count())
                .isEqualTo(20);
    }

    @Test
    void bytesOfFilesAreRead() {
        server.put("notes/b.txt", "two".getBytes(StandardCharsets.UTF_8));
        server.put("notes/a.txt", "one".getBytes(StandardCharsets.UTF_8));
        assertThat(session.readBinaryFiles(BUCKET + "notes").takeAll().stream()
                        .map(row -> new String(row.getBytes("bytes"), StandardCharsets.UTF_8)))
                .containsExactly("one", "two");
    }

    @Test
    void arrowFilesAreWrittenAndRead() {
        session.range(200_000, 3).writeArrow(BUCKET + "arrow");
        assertThat(session.readArrow(BUCKET + "arrow").count()).isEqualTo(200_000);
        assertThat(session.readArrow(BUCKET + "arrow").takeAll().stream()
                        .mapToLong(row -> row.getLong("id"))
                        .sum())
                .isEqualTo(199_999L * 100_000);
    }

    @Test
    void textFormatsAreRead() {
        StringBuilder csv = new StringBuilder("a,b\n");
        for (int i = 0; i < 200_000; i++) {
            csv.append(i).append(",text ").append(i).append('\n');
        }
        server.put("text/all.csv", csv.toString().getBytes(StandardCharsets.UTF_8));
        assertThat(session.readCsv(BUCKET + "text/*.csv").takeAll())
                .hasSize(200_000)
                .last()
                .isEqualTo(Row.of("a", 199_999L, "b", "text 199999"));
        server.put("lines.txt", "one\ntwo\n".getBytes(StandardCharsets.UTF_8));
        assertThat(session.readText(BUCKET + "lines.txt").takeAll().stream().map(row -> row.getString("text")))
                .containsExactly("one", "two");
    }

    @Test
    void aColumnOfPathsIsDownloaded() {
        server.put("photos/1.jpg", new byte[] {1});
        server.put("photos/2.jpg", new byte[] {2, 2});
        assertThat(session
                        .items(List.of(
                                Row.of("path", BUCKET + "photos/2.jpg"), Row.of("path", BUCKET + "photos/1.jpg")))
                        .download("path", Download.into("bytes").schemes("s3"))
                        .takeAll()
                        .stream()
                        .map(row -> row.getBytes("bytes").length))
                .containsExactly(2, 1);
        assertThatThrownBy(() -> session.items(List.of(Row.of("path", BUCKET + "photos/3.jpg")))
                        .download("path", Download.into("bytes").schemes("s3"))
                        .takeAll())
                .hasMessageContaining("there is no object 'photos/3.jpg' in bucket 'tests' at " + server.address + ".");
    }

    @Test
    void whatIsMissingIsAnErrorAtTheCall() {
        server.put("there/a.parquet", new byte[10]);
        assertThatThrownBy(() -> session.readParquet(BUCKET + "there/b.parquet"))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.USER))
                .hasMessageContaining(
                        "there is no '" + BUCKET + "there/b.parquet'. In '" + BUCKET + "there' there is a.parquet.");
        assertThatThrownBy(() -> session.readParquet(BUCKET + "there/*.csv"))
                .hasMessageContaining("no file matches '" + BUCKET + "there/*.csv'");
        assertThatThrownBy(() -> session.readParquet("s3://no-such-bucket/x.parquet"))
                .hasMessageContaining("there is no bucket 'no-such-bucket' at " + server.address + ".");
    }
}
