package dev.millrace.parquet;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.stats.RunStats;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a user sees of reading Parquet; the files are DuckDB's. Closing the session checks that no byte is held.
class ReadParquetTest {
    @TempDir
    Path folder;

    private Session session;

    @BeforeEach
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
    }

    @AfterEach
    void close() {
        session.close();
    }

    private Path write(String name, String query, String... options) {
        return DuckDbFiles.write(folder.resolve(name), query, options);
    }

    @Test
    void filesAreCountedOnceHoweverTheyAreCutAlsoWithoutTheirFirstRows() {
        write("a.parquet", "SELECT range AS id, random() AS x FROM range(500000)", "ROW_GROUP_SIZE 20480");
        write("b.parquet", "SELECT range + 500000 AS id, random() AS x FROM range(100000)", "ROW_GROUP_SIZE 20480");
        Dataset some = session.readParquet(
                        folder.toString(), ReadParquet.defaults().blocks(8))
                .filter(col("id").ge(250_000L));
        try (var kept = some.materialize()) {
            assertThat(kept.count()).isEqualTo(350_000);
            RunStats run = kept.lastRun().orElseThrow();
            assertThat(run.operators().getFirst().tasksFinished()).isGreaterThan(2);
            assertThat(run.read().files()).isEqualTo(2);
            assertThat(run.read().bytes()).isBetween(350_000L * 4, 600_000L * 17);
        }
    }

    @Test
    void rowsComeInTheOrderOfFilesAndRowGroups() {
        write("b.parquet", "SELECT range + 500000 AS id FROM range(500000)", "ROW_GROUP_SIZE 10000");
        write("a.parquet", "SELECT range AS id FROM range(500000)", "ROW_GROUP_SIZE 100000", "COMPRESSION zstd");
        Dataset dataset = session.readParquet(folder.toString());
        assertThat(dataset.count()).isEqualTo(1_000_000);
        assertThat(dataset.schema().toString()).isEqualTo("id: int64");
        long[] next = {0};
        try (var batches = dataset.iterBatches(10_000)) {
            while (batches.hasNext()) {
                for (long id : batches.next().longs("id").toArray()) {
                    assertThat(id).isEqualTo(next[0]++);
                }
            }
        }
        assertThat(next[0]).isEqualTo(1_000_000);
        assertThat(dataset.limit(3).takeAll()).hasSize(3);
        assertThat(dataset.filter(col("id").ge(999_998L)).takeAll()).hasSize(2);
        assertThat(dataset.filter(col("id").mod(100_000L).eq(7L)).count()).isEqualTo(10);
    }

    @Test
    void ofStructsOnlyTheFieldsThatAreUsedAreRead() throws IOException {
        Path file = write(
                "a.parquet",
                "SELECT {'x': range, 'y': 'secret ' || range, 'z': {'u': range * 2, 'v': 3}} AS p FROM range(1000)",
                "COMPRESSION uncompressed");
        byte[] bytes = Files.readAllBytes(file);
        byte[] place = "secret 0".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        int at = 0;
        while (!java.util.Arrays.equals(bytes, at, at + place.length, place, 0, place.length)) {
            at++;
        }
        // The dictionary of `y` has values that lead beyond its end.
        bytes[at - 1] = 0x7F;
        Files.write(file, bytes);
        Dataset dataset = session.readParquet(file.toString());
        assertThatThrownBy(dataset::takeAll).hasMessageContaining("column 'p'");
        Dataset narrow = dataset.filter(col("p").field("x").lt(500L))
                .select(
                        col("p").field("z").field("u").as("u"),
                        col("p").field("x").as("x"));
        assertThat(narrow.explain()).contains("p: struct<x: int64, z: struct<u: int64>>");
        assertThat(DuckDbFiles.rows(narrow)).hasSize(500).last().isEqualTo(Map.of("u", 998L, "x", 499L));
    }

    @Test
    void foldersNamedKeyAndValueAreColumnsThatComeLast() {
        for (int year = 2020; year < 2023; year++) {
            for (String day : List.of("2024-01-01", "2024-02-29")) {
                write(
                        "year=" + year + "/day=" + day + "/zone=" + (year == 2020 ? "a%2Fb" : "c") + "/x.parquet",
                        "SELECT " + year + "::INTEGER AS v FROM range(2)");
            }
        }
        Dataset dataset = session.readParquet(folder.toString());
        assertThat(dataset.schema().toString()).isEqualTo("v: int32, year: int64, day: date, zone: utf8");
        assertThat(DuckDbFiles.rows(
                        dataset.filter(col("year").eq(2020L).and(col("day").gt(LocalDate.of(2024, 1, 1))))))
                .hasSize(2)
                .allMatch(row ->
                        row.equals(Map.of("v", 2020, "year", 2020L, "day", LocalDate.of(2024, 2, 29), "zone", "a/b")));
        Dataset typed =
                session.readParquet(folder.toString(), ReadParquet.defaults().partition("year", DataType.UTF8));
        assertThat(typed.schema().type("year")).isEqualTo(DataType.UTF8);
        assertThat(typed.filter(col("year").eq("2021")).count()).isEqualTo(4);
        assertThat(session.readParquet(folder.toString(), ReadParquet.defaults().withoutPartitions())
                        .schema()
                        .names())
                .containsExactly("v");
    }

    @Test
    void filesOfOtherFoldersThanThoseTheFilterWantsAreNotOpened() throws IOException {
        write("year=2020/x.parquet", "SELECT 1 AS v");
        Files.createDirectories(folder.resolve("year=2021"));
        Files.writeString(folder.resolve("year=2021/x.parquet"), "this is no Parquet file");
        Dataset dataset = session.readParquet(folder.toString());
        assertThat(dataset.filter(col("year").eq(2020L)).count()).isEqualTo(1);
        assertThatThrownBy(dataset::takeAll).hasMessageContaining("it does not end in 'PAR1'");
    }

    @Test
    void pathsAreAColumnWhenAskedFor() {
        Path file = write("a.parquet", "SELECT 1 AS v, 2 AS w");
        assertThat(DuckDbFiles.rows(session.readParquet(
                        file.toString(), ReadParquet.columns("v").includePaths())))
                .containsExactly(Map.of("v", 1, "path", file.toString()));
        assertThat(session.readParquet(
                                file.toString(),
                                ReadParquet.columns("path", "w").includePaths())
                        .schema()
                        .names())
                .containsExactly("path", "w");
        assertThat(DuckDbFiles.rows(session.readParquet(
                                file.toString(), ReadParquet.defaults().includePaths())
                        .select("path", "w")))
                .containsExactly(Map.of("path", file.toString(), "w", 2));
    }

    @Test
    void mistakesAreToldAtTheCall() {
        write("a.parquet", "SELECT 1 AS v, 2 AS w");
        assertThatThrownBy(() -> session.readParquet(folder + "/none.parquet"))
                .hasMessage("readParquet: there is no '" + folder + "/none.parquet'. In '" + folder
                        + "' there is a.parquet.");
        assertThatThrownBy(() -> session.readParquet(folder + "/*.csv"))
                .hasMessageContaining("no file matches '" + folder + "/*.csv'");
        assertThatThrownBy(() -> session.readParquet(folder.toString(), ReadParquet.columns("x")))
                .hasMessage("readParquet: there is no column 'x'. The columns are [v, w].");
        assertThatThrownBy(() -> session.read("orc", List.of("x"), null))
                .hasMessageStartingWith("There is no format 'orc'. The formats on the class path are [")
                .hasMessageContaining("parquet");
    }

    @Test
    void manySmallFilesAreReadSeveralToATask() throws IOException {
        Path one = write("first.parquet", "SELECT range AS id, range::VARCHAR AS s FROM range(100)");
        Path many = Files.createDirectories(folder.resolve("many"));
        for (int i = 0; i < 3_000; i++) {
            Files.copy(one, many.resolve("%05d.parquet".formatted(i)));
        }
        Dataset dataset = session.readParquet(many.toString());
        assertThat(dataset.count()).isEqualTo(300_000);
        assertThat(dataset.sum("id")).isEqualTo(3_000L * 4_950);
        assertThat(dataset.take(250)).hasSize(250);
    }
}
