package dev.millrace.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.arrow.IpcFile;
import dev.millrace.block.Block;
import dev.millrace.internal.parquet.write.ParquetFileFormat;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.FileFormat;
import dev.millrace.testing.Python;
import dev.millrace.testing.Seeds;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tables of random schemas that pyarrow made, written by us in random ways: our reader, pyarrow, DuckDB and Polars
/// must find in the files what was in the tables.
class WrittenFilesTest {
    private static final int FILES = Integer.getInteger("millrace.files", 120);

    @TempDir
    static Path folder;

    @Test
    void tablesOfAnySchemaAreReadBackByUsAndByOthers() throws Exception {
        long seed = Seeds.seed();
        Python python = Python.environment("test");
        python.run(WrittenFilesTest.class, "random_files.py", folder.toString(), "" + seed, "" + FILES);
        Random random = new Random(seed);
        for (int i = 0; i < FILES; i++) {
            Path arrow = folder.resolve(i + ".arrow");
            Path file = folder.resolve(i + ".parquet");
            WriteParquet options = options(random);
            String what = "seed " + seed + ", file " + i + ", " + options;
            try (Allocator allocator = Allocator.root("writing", 1L << 30)) {
                write(arrow, file, options, allocator, random);
                Map<String, List<Object>> wanted = ParquetFiles.readArrow(arrow, Allocator.collected("expected"));
                assertThat(ParquetFiles.read(ParquetFiles.source(file), allocator, 1 + random.nextInt(100_000)))
                        .as(what)
                        .isEqualTo(wanted);
                assertThat(allocator.heldBytes()).as(what).isZero();
            }
        }
        String told = python.run(WrittenFilesTest.class, "check_files.py", folder.toString(), "" + FILES);
        assertThat(told.strip()).as("seed " + seed).isEqualTo(FILES + " files are equal");
    }

    private static WriteParquet options(Random random) {
        WriteParquet options = WriteParquet.defaults()
                .compression(ParquetCompression.values()[random.nextInt(5)])
                .rowGroupRows(random.nextBoolean() ? 1 << 20 : 1 + random.nextInt(700))
                .rowGroupBytes(random.nextInt(5) > 0 ? 64 << 20 : 1 + random.nextInt(100_000))
                .pageRows(random.nextBoolean() ? 20_000 : 1 + random.nextInt(300))
                .pageBytes(random.nextBoolean() ? 1 << 20 : 1 + random.nextInt(5_000))
                .dictionaryBytes(List.of(0, 50, 1 << 20).get(random.nextInt(3)));
        options = random.nextBoolean() ? options : options.dataPagesV2();
        return random.nextInt(3) > 0 ? options : options.checksums();
    }

    private static void write(Path arrow, Path file, WriteParquet options, Allocator allocator, Random random)
            throws Exception {
        try (IpcFile from = IpcFile.open(arrow, Allocator.collected("tables"))) {
            FileChannel out = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            try (FileFormat.Writer writer = new ParquetFileFormat(options).open(out, from.schema(), allocator)) {
                for (int i = 0; i < from.batches(); i++) {
                    try (Block block = from.read(i)) {
                        for (long at = 0; at < block.rows(); ) {
                            long rows = Math.min(block.rows() - at, 1 + random.nextInt(900));
                            try (Block part = block.slice(at, rows)) {
                                writer.write(part);
                            }
                            at += rows;
                        }
                    }
                }
            }
        }
    }
}
