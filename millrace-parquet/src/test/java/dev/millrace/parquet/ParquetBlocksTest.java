package dev.millrace.parquet;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.MaterializedDataset;
import dev.millrace.Session;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How many blocks a read makes of Parquet files, and what its tasks take.
class ParquetBlocksTest {
    private static final int ROWS = 80_000;

    @TempDir
    Path folder;

    private Session session;

    @BeforeEach
    void open() {
        session = Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withSlots(2))
                .open();
    }

    @AfterEach
    void close() {
        assertThat(session.resources().freeBlockBytes())
                .isEqualTo(session.resources().blockBytes());
        session.close();
    }

    private String files(int rowsOfGroup) {
        String files = folder.resolve("files-" + rowsOfGroup).toString();
        session.range(ROWS, 8).writeParquet(files, WriteParquet.defaults().rowGroupRows(rowsOfGroup));
        return files;
    }

    private static List<Long> rowsOfBlocks(Dataset dataset) {
        try (MaterializedDataset blocks = dataset.materialize()) {
            return blocks.blockReferences().stream().map(BlockSlice::rows).toList();
        }
    }

    @Test
    void eightFilesOfOneRowGroupBecomeAsManyBlocksAsAskedFor() {
        String files = files(1 << 20);
        for (int blocks : new int[] {1, 3, 8, 13, 64}) {
            assertThat(rowsOfBlocks(
                            session.readParquet(files, ReadParquet.defaults().blocks(blocks))))
                    .as("of %d", blocks)
                    .hasSize(blocks);
        }
        assertThat(rowsOfBlocks(
                        session.readParquet(files, ReadParquet.defaults().blocks(64))))
                .containsOnly(1_250L);
        assertThat(session.readParquet(files, ReadParquet.defaults().blocks(64)).takeAll())
                .extracting(row -> row.get("id"))
                .containsExactlyElementsOf(LongStream.range(0, ROWS).boxed().toList());
    }

    @Test
    void rowGroupsAreReadByTasksOfTheirOwnBeforeRowsAreCut() {
        String files = files(1_000);
        AtomicInteger calls = new AtomicInteger();
        Dataset read = session.readParquet(files, ReadParquet.columns("id").blocks(64));
        assertThat(rowsOfBlocks(read)).hasSize(64);
        assertThat(read.mapBatches(batch -> {
                            calls.incrementAndGet();
                            return batch;
                        })
                        .takeAll())
                .hasSize(ROWS);
        assertThat(calls).hasValue(64);
        assertThat(rowsOfBlocks(read.filter(col("id").lt(40_000))))
                .filteredOn(rows -> rows > 0)
                .as("of the files that a filter leaves")
                .hasSizeGreaterThanOrEqualTo(32);
    }

    @Test
    void tasksTakeWhatTheReadSaysAndWritesMakeAFileForEachBlock() throws IOException {
        String files = files(1 << 20);
        Dataset read = session.readParquet(
                files,
                ReadParquet.defaults().blocks(16).cpus(0.5).concurrency(2).memory(2 << 20));
        assertThat(read.explain()).contains("16 blocks, at most 2 at once, 0.5 CPU, 2 MiB each");
        Path out = folder.resolve("out");
        read.writeParquet(out.toString());
        try (Stream<Path> written = Files.list(out)) {
            assertThat(written.filter(file -> file.toString().endsWith(".parquet")))
                    .hasSize(16);
        }
    }
}
