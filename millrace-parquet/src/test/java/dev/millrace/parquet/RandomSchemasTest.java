package dev.millrace.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.memory.Allocator;
import dev.millrace.testing.Python;
import dev.millrace.testing.Seeds;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RandomSchemasTest {
    private static final int FILES = Integer.getInteger("millrace.files", 120);

    @TempDir
    static Path folder;

    @Test
    void filesOfAnySchemaReadBackAsTheyWereWritten() {
        long seed = Seeds.seed();
        Python.environment("test")
                .run(RandomSchemasTest.class, "random_files.py", folder.toString(), "" + seed, "" + FILES);
        Random random = new Random(seed);
        for (int i = 0; i < FILES; i++) {
            try (Allocator allocator = Allocator.root("reading", 1L << 30)) {
                Map<String, List<Object>> wanted =
                        ParquetFiles.readArrow(folder.resolve(i + ".arrow"), Allocator.collected("expected"));
                assertThat(ParquetFiles.read(
                                ParquetFiles.source(folder.resolve(i + ".parquet")),
                                allocator,
                                1 + random.nextInt(100_000)))
                        .as("seed " + seed + ", file " + i)
                        .isEqualTo(wanted);
            }
        }
    }
}
