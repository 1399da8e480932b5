package dev.millrace.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.block.Block;
import dev.millrace.compression.IpcCompression;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A file without columns may claim any number of rows at no cost: a reader would hand them out for years.
class RowsWithoutValuesTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void veryManyRowsWithoutValuesAreADataError(boolean isFile) throws IOException {
        Path path = folder.resolve("empty.arrow");
        Path few = folder.resolve("few.arrow");
        try (Allocator allocator = Allocator.root("test", 1 << 20)) {
            write(path, isFile, 1L << 56, allocator);
            write(few, isFile, 1_000, allocator);
        }
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            assertThat(session.readArrow(few.toString()).takeAll()).hasSize(1_000);
            assertThatThrownBy(() -> session.readArrow(path.toString()).takeAll())
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                    .hasMessageContaining(
                            "Arrow file " + path + " is corrupt: a record batch claims to have " + (1L << 56)
                                    + " rows, and there are no values in it. At most 16777216 such rows are read.");
        }
    }

    private static void write(Path path, boolean isFile, long rows, Allocator allocator) throws IOException {
        try (IpcWriter writer = isFile
                        ? IpcWriter.file(path, Schema.empty(), IpcCompression.NONE, allocator)
                        : IpcWriter.stream(
                                Files.newOutputStream(path), Schema.empty(), IpcCompression.NONE, allocator);
                Block block = Block.of(Schema.empty(), List.of(), rows)) {
            writer.write(block);
        }
    }
}
