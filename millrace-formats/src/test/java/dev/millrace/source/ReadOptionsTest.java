package dev.millrace.source;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.MaterializedDataset;
import dev.millrace.Session;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Options that every read of files takes, in every format: blocks, what tasks take, and which files are read.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadOptionsTest {
    private static final int FILES = 8;
    private static final int ROWS = 800;

    @TempDir
    Path folder;

    private Session session;

    @BeforeAll
    void open() {
        session = Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withSlots(2))
                .open();
    }

    @AfterAll
    void close() {
        assertThat(session.resources().freeBlockBytes())
                .isEqualTo(session.resources().blockBytes());
        session.close();
    }

    /// @param rowPerFile a file is a row: there are no more blocks than files
    record Format(
            String name,
            BiConsumer<Dataset, String> write,
            BiFunction<Session, String, Dataset> read,
            boolean rowPerFile) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final int BLOCKS = 64;

    private static Stream<Format> formats() {
        return Stream.of(
                format("csv", Dataset::writeCsv, (s, path) -> s.readCsv(path, with(ReadCsv.defaults()))),
                format("json", Dataset::writeJson, (s, path) -> s.readJson(path, with(ReadJson.defaults()))),
                format("text", ReadOptionsTest::writeText, (s, path) -> s.readText(path, with(ReadText.defaults()))),
                format("avro", Dataset::writeAvro, (s, path) -> s.readAvro(path, with(ReadAvro.defaults()))),
                format("arrow", Dataset::writeArrow, (s, path) -> s.readArrow(path, with(ReadArrow.defaults()))),
                format(
                        "npy",
                        (rows, path) -> rows.writeNumpy(path, "data"),
                        (s, path) -> s.readNumpy(path, with(FileReads.defaults()))),
                format(
                        "tfrecord",
                        Dataset::writeTfRecords,
                        (s, path) -> s.readTfRecords(path, with(ReadTfRecords.defaults()))),
                format(
                        "tar",
                        Dataset::writeWebDataset,
                        (s, path) -> s.readWebDataset(path, with(ReadWebDataset.defaults()))),
                new Format(
                        "bytes",
                        ReadOptionsTest::writeText,
                        (s, path) -> s.readBinaryFiles(path, with(FileReads.defaults())),
                        true));
    }

    private static void writeText(Dataset rows, String path) {
        rows.writeText(path, "text");
    }

    private static Format format(
            String name, BiConsumer<Dataset, String> write, BiFunction<Session, String, Dataset> read) {
        return new Format(name, write, read, false);
    }

    private static <O extends FileReadOptions<O>> O with(O options) {
        return options.blocks(BLOCKS)
                .cpus(0.25)
                .concurrency(3)
                .memory(1 << 20)
                .exclude("skipped")
                .partitionFilter(col("part").eq(1));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void everyFormatTakesThem(Format format) throws IOException {
        Path all = folder.resolve(format.name());
        Dataset rows = session.range(ROWS, FILES);
        Dataset written = switch (format.name()) {
            case "text", "bytes" ->
                rows.map(row -> row.with("text", "t" + row.getLong("id"))).select("text");
            case "npy" -> rows.rename(Map.of("id", "data"));
            case "tar" ->
                rows.map(row -> row.with("__key__", "%04d".formatted(row.getLong("id")))
                                .with("cls", row.getLong("id")))
                        .select("__key__", "cls");
            default -> rows;
        };
        format.write().accept(written, all.resolve("part=1").toString());
        for (String other : List.of("part=2", "part=1/skipped")) {
            Path damaged = Files.createDirectories(all.resolve(other));
            try (Stream<Path> files = Files.list(all.resolve("part=1"))) {
                String name = files.filter(Files::isRegularFile)
                        .findFirst()
                        .orElseThrow()
                        .getFileName()
                        .toString();
                Files.writeString(damaged.resolve(name), "not to be opened");
            }
        }

        Dataset read = format.read().apply(session, all.toString());

        assertThat(read.explain()).contains("64 blocks, at most 3 at once, 0.25 CPU, 1 MiB each");
        try (MaterializedDataset blocks = read.materialize()) {
            assertThat(blocks.numBlocks()).isEqualTo(format.rowPerFile() ? FILES : BLOCKS);
            assertThat(blocks.count()).isEqualTo(format.rowPerFile() ? FILES : ROWS);
        }
    }

    @Test
    void packedFilesAndLargeOnesMakeTheNumberOfBlocksToo() throws IOException {
        Path packed = Files.createDirectory(folder.resolve("packed"));
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed.resolve("a.csv.gz")))) {
            out.write(numbers(100_000));
        }
        Files.write(packed.resolve("b.csv"), numbers(300_000));
        for (int blocks : new int[] {1, 2, 5, 8, 31}) {
            try (MaterializedDataset read = session.readCsv(
                            packed.toString(), ReadCsv.defaults().blocks(blocks))
                    .materialize()) {
                assertThat(read.numBlocks()).as("of %d", blocks).isEqualTo(blocks);
                assertThat(read.count()).isEqualTo(400_000);
            }
        }
    }

    private static byte[] numbers(int count) {
        StringBuilder text = new StringBuilder("n\n");
        for (int i = 0; i < count; i++) {
            text.append(i).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
