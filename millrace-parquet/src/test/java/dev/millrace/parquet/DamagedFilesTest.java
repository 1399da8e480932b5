package dev.millrace.parquet;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.arrow.IpcWriter;
import dev.millrace.block.Block;
import dev.millrace.compression.IpcCompression;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.internal.parquet.read.ParquetSource;
import dev.millrace.memory.Allocator;
import dev.millrace.source.Source;
import dev.millrace.testing.Fuzz;
import dev.millrace.testing.Python;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whatever the bytes of a file are, reading it ends in values or in a sentence that names the file.
class DamagedFilesTest {
    private static final int COMPARED = Integer.getInteger("millrace.fuzz.compared", 150);

    @TempDir
    static Path folder;

    private static List<Path> files;

    @BeforeAll
    static void write() throws IOException {
        Python.environment("test").run(DamagedFilesTest.class, "make_files.py", folder.toString(), "200");
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(".parquet"))
                    .filter(file -> !file.getFileName().toString().startsWith("wide"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void damagedFilesEndInValuesOrInADataError(@TempDir Path damaged) throws IOException {
        int read = new Fuzz(files, damaged, ".parquet").run(Fuzz.runs(2_000), (file, allocator) -> {
            Source source = ParquetFiles.source(file);
            ParquetFiles.forEachBlock(source, allocator, 100_000, Block::sizeBytes);
            Source filtered = source.filter(
                            condition(source.schema().orElseThrow().field(0)))
                    .orElseThrow()
                    .source();
            ParquetFiles.forEachBlock(filtered, allocator, 100_000, Block::sizeBytes);
            Set<String> names = Set.copyOf(source.schema().orElseThrow().names());
            ParquetFiles.forEachBlock(source.encoded(names).orElseThrow(), allocator, 100_000, Block::sizeBytes);
        });
        assertThat(read).isPositive();
    }

    private static Expression condition(Field field) {
        return switch (field.type()) {
            case DataType.Int _ -> col(field.name()).ge(5L);
            case DataType.Utf8 _ -> col(field.name()).eq("a");
            default -> col(field.name()).isNotNull();
        };
    }

    /// Where pyarrow and DuckDB both read a damaged file and agree, ours are the same values.
    @Test
    void whatCanStillBeReadIsWhatOthersRead(@TempDir Path damaged) throws IOException {
        List<Path> unchecked = files.stream()
                .filter(file -> !file.toString().contains("checksum"))
                .toList();
        int[] kept = {0};
        new Fuzz(unchecked, damaged, ".parquet")
                .run(
                        COMPARED,
                        (file, allocator) -> {
                            Source source = ParquetFiles.source(file);
                            try (IpcWriter arrow = IpcWriter.file(
                                    damaged.resolve("ours.arrow"),
                                    source.schema().orElseThrow(),
                                    IpcCompression.NONE,
                                    Allocator.collected("what was read"))) {
                                ParquetFiles.forEachBlock(source, allocator, 1 << 20, arrow::write);
                            }
                        },
                        outcome -> {
                            if (outcome.error() == null) {
                                String name = outcome.number() + "-"
                                        + outcome.original().getFileName();
                                Files.copy(outcome.damaged(), damaged.resolve(name));
                                Files.move(damaged.resolve("ours.arrow"), damaged.resolve(name + ".arrow"));
                                kept[0]++;
                            }
                        });
        String said =
                Python.environment("duckdb").run(DamagedFilesTest.class, "compare_damaged.py", damaged.toString());
        assertThat(said).as(said).contains(kept[0] + " files").doesNotContain("DIFFERENT");
    }

    @Test
    void aFileThatIsNoParquetFileIsNamedAtTheCall() throws IOException {
        Path text = Files.writeString(folder.resolve("text.parquet"), "id,name\n1,Ada Lovelace\n");
        assertThatThrownBy(() -> ParquetFiles.source(text))
                .isInstanceOf(MillraceException.class)
                .hasMessage("The Parquet file '" + text + "' cannot be read: it does not end in 'PAR1', so it is no"
                        + " Parquet file or was not written to its end. Write it again, or leave it out.");
    }

    @Test
    void aWrongChecksumNamesColumnAndRowGroup() throws IOException {
        byte[] bytes = Files.readAllBytes(folder.resolve("flat--checksum.parquet"));
        // The first page's values begin behind its header.
        bytes[60] ^= 1;
        Path damaged = Files.write(folder.resolve("checksum.parquet"), bytes);
        try (Allocator allocator = Allocator.root("reading", 1L << 30)) {
            assertThatThrownBy(() -> ParquetFiles.read(ParquetFiles.source(damaged), allocator, 1 << 20))
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                    .hasMessageContaining("row group 0, column 'bool': the checksum of a page is wrong");
            Source unchecked = ParquetSource.of(
                    List.of(damaged.toString()), ReadParquet.columns("bool").withoutChecksums());
            assertThatThrownBy(() -> ParquetFiles.read(unchecked, allocator, 1 << 20))
                    .hasMessageNotContaining("the checksum of");
        }
    }
}
