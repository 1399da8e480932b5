package dev.millrace.parquet;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.source.Source;
import dev.millrace.testing.OpenFiles;
import dev.millrace.testing.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Files that DuckDB, Polars and Spark (parquet-java) wrote, compared value by value with what pyarrow reads from them.
class ForeignFilesTest {
    private static final List<String> PROGRAMS = List.of("duckdb", "polars", "spark");

    private static Path folder;

    /// In a fresh clone Spark and others are installed for it.
    @BeforeAll
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    static void write() throws IOException {
        OpenFiles.assume(1024, "Spark opens all its jars");
        folder = MadeFiles.folder("parquet-foreign", ForeignFilesTest.class, target -> {
            for (String program : PROGRAMS) {
                Path own = Files.createDirectories(target.resolve(program));
                Python.environment(program).run(ForeignFilesTest.class, program + "_files.py", own.toString());
            }
            Python.environment("test").run(ForeignFilesTest.class, "to_arrow.py", target.toString());
        });
    }

    @TestFactory
    Stream<DynamicTest> everyFileReadsAsPyarrowReadsIt() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(file -> file.toString().endsWith(".parquet"))
                    .filter(file -> !file.getFileName().toString().startsWith("refused"))
                    .sorted()
                    .toList();
        }
        assertThat(files).hasSizeGreaterThan(30);
        return files.stream()
                .map(file -> DynamicTest.dynamicTest(folder.relativize(file).toString(), () -> {
                    Map<String, List<Object>> wanted =
                            ParquetFiles.readArrow(Path.of(file + ".arrow"), Allocator.collected("expected"));
                    try (Allocator allocator = Allocator.root("reading", 1L << 30)) {
                        Source source = ParquetFiles.source(file);
                        Map<String, List<Object>> there = ParquetFiles.read(source, allocator, 20_000);
                        // Folders that Spark partitioned add their key.
                        assertThat(there.keySet()).containsAll(wanted.keySet());
                        wanted.forEach((column, values) ->
                                assertThat(there.get(column)).as(column).isEqualTo(values));
                    }
                }));
    }

    @Test
    void foldersThatSparkPartitionedHaveTheKeyAsAColumn() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            Dataset dataset = session.readParquet(folder.resolve("spark/hive").toString());
            assertThat(dataset.schema().names()).containsExactly("id", "string", "date", "third");
            assertThat(dataset.filter(col("third").eq(1L)).count()).isEqualTo(33);
            assertThat(dataset.filter(col("third").ne(col("id").mod(3L))).count())
                    .isZero();
        }
    }

    @Test
    void aBloomFilterOfSparkRulesOutWhatIsNotThere() throws IOException {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open();
                Stream<Path> files = Files.list(folder.resolve("spark/bloom"))) {
            Path file = files.filter(one -> one.toString().endsWith(".parquet"))
                    .findFirst()
                    .orElseThrow();
            Dataset dataset = session.readParquet(file.toString());
            assertThat(dataset.filter(col("string").eq("word 3")).count()).isPositive();
            assertThat(dataset.filter(col("string").eq("word 33")).count()).isZero();
            assertThat(dataset.filter(col("id").isIn(7L, 700L, 70_000L)).count())
                    .isEqualTo(2);
        }
    }

    @Test
    void whatIsNotSupportedIsSaid(@TempDir Path own) {
        Path brotli = folder.resolve("duckdb/refused-brotli.parquet");
        try (Allocator allocator = Allocator.root("reading", 1L << 30)) {
            assertThatThrownBy(() -> ParquetFiles.read(ParquetFiles.source(brotli), allocator, 1 << 20))
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContaining("'" + brotli + "' cannot be read: row group 0, column 'i': its compression"
                            + " BROTLI is not supported; write it with ZSTD or SNAPPY");
            Python.environment("test").run(ForeignFilesTest.class, "encrypted_files.py", own.toString());
            for (String name : List.of("footer.parquet", "columns.parquet")) {
                Path file = own.resolve(name);
                assertThatThrownBy(() -> ParquetFiles.read(ParquetFiles.source(file), allocator, 1 << 20))
                        .isInstanceOf(MillraceException.class)
                        .hasMessageContaining("'" + file + "' cannot be read: ")
                        .hasMessageContaining("encrypted, which is not supported");
            }
            Source open = ParquetFiles.source(own.resolve("columns.parquet"))
                    .project(List.of("open"))
                    .orElseThrow();
            assertThat(ParquetFiles.read(open, allocator, 1 << 20)).isEqualTo(Map.of("open", List.of(1L, 2L, 3L)));
        }
    }
}
