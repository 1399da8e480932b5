package dev.millrace.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.compression.IpcCompression;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.testing.Python;
import dev.millrace.type.Schema;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every type, both formats, every compression, both directions; interop.py holds the cases.
@TestInstance(Lifecycle.PER_CLASS)
class PyarrowInteropTest {
    @TempDir
    static Path given;

    @TempDir
    static Path written;

    private Allocator allocator;

    @BeforeAll
    void pyarrowWritesItsFiles() {
        Python.environment("test").run(PyarrowInteropTest.class, "interop.py", "write", given.toString());
    }

    @BeforeEach
    void open() {
        allocator = Allocator.root("interop", 1L << 30);
    }

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    Stream<String> cases() throws IOException {
        try (Stream<Path> files = Files.list(given)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".expect"))
                    .map(name -> name.substring(0, name.indexOf('.')))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    private List<Path> files(String name, String kind) throws IOException {
        try (Stream<Path> files = Files.list(given)) {
            return files.filter(file -> file.getFileName().toString().startsWith(name + ".")
                            && file.getFileName().toString().endsWith("." + kind))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyTypeThatPyarrowWritesReadsAsItIs(String name) throws IOException {
        List<String> expected = Files.readAllLines(given.resolve(name + ".expect"));
        for (Path stream : files(name, "stream")) {
            try (IpcReader reader = IpcReader.of(Files.newInputStream(stream), allocator)) {
                assertThat(values(reader)).as(stream + " from a stream").isEqualTo(expected);
            }
            Buffer bytes = load(stream);
            try (IpcReader reader = IpcReader.of(bytes, allocator)) {
                assertThat(values(reader)).as(stream + " in memory").isEqualTo(expected);
            }
            bytes.release();
        }
        for (Path file : files(name, "file")) {
            try (IpcFile opened = IpcFile.open(file, allocator)) {
                assertThat(values(opened)).as(file + " opened").isEqualTo(expected);
            }
            try (IpcFile mapped = IpcFile.map(file, allocator)) {
                assertThat(values(mapped)).as(file + " mapped").isEqualTo(expected);
            }
        }
    }

    private Buffer load(Path path) throws IOException {
        byte[] bytes = Files.readAllBytes(path);
        Buffer buffer = allocator.allocate(bytes.length);
        buffer.segment().copyFrom(MemorySegment.ofArray(bytes));
        return buffer;
    }

    private static List<String> values(IpcReader reader) {
        List<String> lines = new ArrayList<>(List.of(reader.schema().type("c").toString()));
        for (Block block = reader.next(); block != null; block = reader.next()) {
            try (Block held = block) {
                lines.add(CanonicalValues.of(held.column("c")));
            }
        }
        return lines;
    }

    private static List<String> values(IpcFile file) {
        List<String> lines = new ArrayList<>(List.of(file.schema().type("c").toString()));
        for (int i = 0; i < file.batches(); i++) {
            try (Block block = file.read(i)) {
                assertThat(file.rows(i)).isEqualTo(block.rows());
                lines.add(CanonicalValues.of(block.column("c")));
            }
        }
        return lines;
    }

    @Test
    void pyarrowReadsEveryTypeThatWeWrite() throws IOException {
        for (String name : cases().filter(name -> !name.equals("delta")).toList()) {
            Path source = files(name, "stream").getFirst();
            for (IpcCompression compression : IpcCompression.values()) {
                for (String kind : List.of("stream", "file")) {
                    rewrite(source, name, "whole", compression, kind);
                    rewrite(source, name, "sliced", compression, kind);
                }
            }
        }
        String said =
                Python.environment("test").run(PyarrowInteropTest.class, "interop.py", "check", written.toString());
        assertThat(said).matches("\\d{3,} files checked\\s*");
    }

    private void rewrite(Path source, String name, String what, IpcCompression compression, String kind)
            throws IOException {
        Path target = written.resolve(name + "." + what + "." + compression + "." + kind);
        try (IpcReader reader = IpcReader.of(FileChannel.open(source), allocator);
                IpcWriter writer = writer(target, reader.schema(), compression, kind)) {
            for (Block block = reader.next(); block != null; block = reader.next()) {
                try (Block held = block;
                        Block part = what.equals("whole")
                                ? held.retain()
                                : held.slice(Math.min(1, held.rows()), Math.max(0, held.rows() - 2))) {
                    writer.write(part);
                }
            }
        }
    }

    private IpcWriter writer(Path path, Schema schema, IpcCompression compression, String kind) throws IOException {
        return kind.equals("file")
                ? IpcWriter.file(path, schema, compression, allocator)
                : IpcWriter.stream(Files.newOutputStream(path), schema, compression, allocator);
    }

    @ParameterizedTest
    @ValueSource(strings = {"union", "run_end", "interval", "decimal256", "list_view"})
    void aTypeWithoutColumnsIsADataErrorThatNamesTheField(String name) throws IOException {
        Buffer bytes = load(given.resolve(name + ".unsupported"));
        assertThatThrownBy(() -> IpcReader.of(bytes, allocator))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                .hasMessageContaining("field 'outer.inner'");
        bytes.release();
    }

    /// No memory is asked for before the view is found to lie in its data.
    @Test
    void aViewThatClaimsMoreBytesThanThereAreIsADataErrorAndNotALackOfMemory() throws IOException {
        for (Path stream : files("utf8_view", "stream")) {
            byte[] bytes = Files.readAllBytes(stream);
            int view = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(")\0\0\0a st");
            if (view < 0) {
                continue; // compressed
            }
            bytes[view + 3] = 0x70;
            assertThatThrownBy(() -> {
                        try (IpcReader reader = IpcReader.of(new ByteArrayInputStream(bytes), allocator)) {
                            values(reader);
                        }
                    })
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                    .hasMessageContaining("points outside its data");
            return;
        }
        throw new AssertionError("no file has its views uncompressed");
    }
}
