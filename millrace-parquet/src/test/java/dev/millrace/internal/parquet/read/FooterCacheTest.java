package dev.millrace.internal.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.internal.parquet.format.FileMetadata;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.storage.StoredFile;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FooterCacheTest {
    private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

    @TempDir
    Path folder;

    private final FooterCache cache = new FooterCache(100);
    private final List<String> read = new ArrayList<>();

    private Path write(String name, String text, Instant changed) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        Files.setLastModifiedTime(file, FileTime.from(changed));
        return file;
    }

    private FileFooter get(Path file) {
        return cache.get(new StoredFile(file.toString(), 4), () -> {
            read.add(file.getFileName().toString());
            return new FileFooter(
                    new FileMetadata(List.of(), 0, List.of(), Map.of(), ""),
                    new FileSchema(List.of(), Schema.empty(), 1));
        });
    }

    @Test
    void aFileThatDidNotChangeIsReadOnce() throws IOException {
        Path file = write("a", "1234", LONG_AGO);
        assertThat(get(file)).isSameAs(get(file));
        assertThat(read).containsExactly("a");
    }

    @Test
    void aFileThatWasWrittenAgainIsReadAgain() throws IOException {
        Path file = write("a", "1234", LONG_AGO);
        get(file);
        write("a", "4321", LONG_AGO.plusNanos(1_000_000));
        get(file);
        assertThat(read).containsExactly("a", "a");
        write("a", "12345", LONG_AGO.plusNanos(1_000_000));
        get(file);
        assertThat(read).hasSize(3);
    }

    @Test
    void aFileThatTookAnothersPlaceIsReadAgain() throws IOException {
        Path file = write("a", "1234", LONG_AGO);
        get(file);
        Path other = write("b", "4321", LONG_AGO);
        Files.delete(file);
        Files.move(other, file);
        get(file);
        assertThat(read).containsExactly("a", "a");
    }

    @Test
    void aFileThatWasChangedAMomentAgoMayChangeAgain() throws IOException {
        Path file = write("a", "1234", Instant.now());
        get(file);
        get(file);
        assertThat(read).containsExactly("a", "a");
    }

    @Test
    void theFootersUsedLastAreKept() throws IOException {
        // A footer without row groups counts as one chunk.
        FooterCache two = new FooterCache(2);
        List<Path> files = List.of(write("a", "1", LONG_AGO), write("b", "1", LONG_AGO), write("c", "1", LONG_AGO));
        for (int i : new int[] {0, 1, 0, 2, 0, 1}) {
            Path file = files.get(i);
            two.get(new StoredFile(file.toString(), 1), () -> {
                read.add(file.getFileName().toString());
                return new FileFooter(
                        new FileMetadata(List.of(), 0, List.of(), Map.of(), ""),
                        new FileSchema(List.of(), Schema.empty(), 1));
            });
        }
        assertThat(read).containsExactly("a", "b", "c", "b");
    }

    @Test
    void aFileThatIsNotThereIsForTheReaderToReport() {
        get(folder.resolve("none"));
        assertThat(read).containsExactly("none");
    }
}
