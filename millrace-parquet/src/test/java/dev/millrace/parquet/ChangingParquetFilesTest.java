package dev.millrace.parquet;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.parquet.read.ParquetSource;
import dev.millrace.memory.Allocator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.WriteOptions;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import dev.millrace.testing.WebServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The footer that a read was planned with and the row groups that its tasks read are of one version of the file.
@Timeout(60)
class ChangingParquetFilesTest {
    private static final int ROWS = 200_000;
    private static final WebServer SERVER = new WebServer();

    @TempDir
    static Path folder;

    private static Path first;
    private static Path second;

    @BeforeAll
    static void write() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            first = written(session, 1);
            second = written(session, 2);
        }
    }

    /// As many bytes whatever the factor is.
    private static Path written(Session session, long factor) {
        Path place = folder.resolve("times-" + factor);
        session.range(ROWS, 1)
                .withColumn("v", col("id").times(factor))
                .writeParquet(
                        place.toString(),
                        WriteOptions.defaults().names(part -> "all." + part.extension()),
                        WriteParquet.defaults()
                                .rowGroupRows(ROWS / 4)
                                .withoutDictionaries()
                                .compression(ParquetCompression.NONE));
        return place.resolve("all.parquet");
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static List<Split> splits(String path) {
        ParquetSource source = ParquetSource.of(List.of(path), ReadParquet.defaults());
        List<Split> splits = new ArrayList<>();
        source.splits(new SplitRequest(4, false, 1, Long.MAX_VALUE)).forEachRemaining(splits::add);
        return splits;
    }

    private interface Change {
        void apply() throws IOException;
    }

    /// Reads to the end, and does something behind the first block.
    private static long read(Split split, Change change) throws Exception {
        try (Allocator allocator = Allocator.root("test", 1 << 28)) {
            long rows = 0;
            try (SplitReader reader = split.open(new ReadContext(allocator, 1 << 16))) {
                Block block = reader.next();
                change.apply();
                for (; block != null; block = reader.next()) {
                    rows += block.rows();
                    block.close();
                }
            }
            assertThat(allocator.heldBytes()).isZero();
            return rows;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ranges", "plain", "dated"})
    void aRemoteFileThatIsReplacedBetweenTwoOfItsPartsIsAnError(String way) throws Exception {
        SERVER.put("all.parquet", Files.readAllBytes(first));
        String address = SERVER.address(way, "all.parquet");
        List<Split> parts = splits(address);
        assertThat(parts).hasSize(4);
        assertThat(read(parts.getFirst(), () -> {})).isEqualTo(ROWS / 4);
        SERVER.put("all.parquet", Files.readAllBytes(second));
        for (Split part : parts.subList(1, 4)) {
            assertThatThrownBy(() -> read(part, () -> {}))
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                    .hasMessageContaining("'" + address + "' was replaced by another file while it was read. Read it"
                            + " again when it is whole, or read a copy.");
        }
    }

    @Test
    void aLocalFileThatIsReplacedBetweenTwoOfItsPartsIsAnErrorAlsoWhereItsFooterIsKnown() throws Exception {
        Path file = copy();
        assertThat(splits(file.toString()))
                .as("the footer is known from now on")
                .hasSize(4);
        List<Split> parts = splits(file.toString());
        assertThat(read(parts.getFirst(), () -> {})).isEqualTo(ROWS / 4);
        Files.move(Files.copy(second, folder.resolve("next")), file, StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> read(parts.getLast(), () -> {}))
                .hasMessageContaining("'" + file + "' was replaced by another file while it was read.");
    }

    @Test
    void aLocalFileThatIsWrittenToWhileItIsReadIsAnError() throws Exception {
        Path file = copy();
        Split part = splits(file.toString()).getLast();
        assertThatThrownBy(() -> read(part, () -> Files.write(file, Files.readAllBytes(second))))
                .hasMessageContaining("'" + file + "' was written to while it was read.");
    }

    private static Path copy() throws IOException {
        Path copy = Files.createTempFile(folder, "copy-", ".parquet");
        Files.copy(first, copy, StandardCopyOption.REPLACE_EXISTING);
        // Changed some time ago, so that each change shows.
        Files.setLastModifiedTime(copy, FileTime.fromMillis(System.currentTimeMillis() - 60_000));
        return copy;
    }
}
