package dev.millrace.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.files.FileSource;
import dev.millrace.internal.source.ArrowReadFormat;
import dev.millrace.source.FileReads;
import dev.millrace.testing.Fuzz;
import dev.millrace.testing.Python;
import dev.millrace.testing.Reads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whatever the bytes of an Arrow file are, reading it ends in rows or in a sentence that names the file.
class DamagedArrowFilesTest {
    @TempDir
    static Path given;

    @BeforeAll
    static void write() {
        Python.environment("test").run(PyarrowInteropTest.class, "interop.py", "write", given.toString());
    }

    @Test
    void damagedFilesEndInRowsOrInADataError(@TempDir Path damaged) throws IOException {
        List<Path> files = Reads.smallFiles(given, ".arrow", ".arrows", ".feather", ".file", ".stream");
        int read = new Fuzz(files, damaged, ".arrow")
                .run(
                        Fuzz.runs(500),
                        (file, allocator) -> Reads.drain(
                                FileSource.of(List.of(file.toString()), new ArrowReadFormat(), FileReads.defaults()),
                                allocator));
        assertThat(read).isPositive();
    }
}
