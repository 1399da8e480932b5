package dev.millrace.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.memory.Allocator;
import dev.millrace.testing.LeakCheck;
import dev.millrace.testing.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Files that pyarrow wrote, compared value by value with the same tables as Arrow.
class PyarrowFilesTest {
    private static final AtomicLong DICTIONARIES = new AtomicLong();

    @TempDir
    static Path folder;

    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    @BeforeAll
    static void write() {
        Python.environment("test").run(PyarrowFilesTest.class, "make_files.py", folder.toString());
    }

    @TestFactory
    Stream<DynamicTest> everyFileReadsBackAsItWasWritten() throws IOException {
        Map<String, Map<String, List<Object>>> expected = new HashMap<>();
        Allocator scratch = Allocator.collected("expected");
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(".parquet"))
                    .sorted()
                    .toList();
        }
        assertThat(files).hasSizeGreaterThan(90);
        return files.stream().map(file -> {
            String name = file.getFileName().toString();
            String table = name.substring(0, name.indexOf("--"));
            return DynamicTest.dynamicTest(name, () -> {
                Map<String, List<Object>> wanted = expected.computeIfAbsent(
                        table, key -> ParquetFiles.readArrow(folder.resolve(key + ".arrow"), scratch));
                check(file, wanted, 1 << 20);
                check(file, wanted, 3_000);
                checkEncoded(file, wanted);
            });
        });
    }

    @AfterAll
    static void someColumnsCameAsDictionaries() {
        assertThat(DICTIONARIES).hasValueGreaterThan(100);
    }

    private static void checkEncoded(Path file, Map<String, List<Object>> wanted) {
        try (Allocator allocator = Allocator.root("reading", 1L << 30)) {
            assertThat(ParquetFiles.readEncoded(ParquetFiles.source(file), allocator, 3_000, DICTIONARIES))
                    .isEqualTo(wanted);
        }
    }

    private void check(Path file, Map<String, List<Object>> wanted, long chunkBytes) {
        Allocator allocator = Allocator.root("reading", 1L << 30);
        try (allocator) {
            Map<String, List<Object>> there = ParquetFiles.read(ParquetFiles.source(file), allocator, chunkBytes);
            assertThat(there.keySet()).isEqualTo(wanted.keySet());
            wanted.forEach(
                    (column, values) -> assertThat(there.get(column)).as(column).isEqualTo(values));
        }
    }
}
