package dev.millrace.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.source.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files whose parts do not fit each other: what can be read for sure is read, else a sentence says what does not fit.
class ContradictoryFilesTest {
    private static final long MAP = 1;

    @TempDir
    Path folder;

    private Path lists;

    @BeforeEach
    void write() {
        lists = DuckDbFiles.write(
                folder.resolve("lists.parquet"),
                "SELECT unnest([[1, 2], [3], [4, 5]]) AS l",
                "COMPRESSION uncompressed",
                "DICTIONARY_SIZE_LIMIT 1");
    }

    private static Map<String, List<Object>> read(Path file) {
        try (Allocator allocator = Allocator.root("reading", 1L << 28)) {
            return ParquetFiles.read(ParquetFiles.source(file), allocator, 1 << 20);
        }
    }

    @Test
    void aFooterOfNoRowsIsReadByItsRowGroups() throws IOException {
        EditedFile file = new EditedFile(Files.readAllBytes(lists));
        file.footer().number(3, 0);
        Source source = ParquetFiles.source(file.write(folder.resolve("none.parquet")));
        assertThat(source.rows()).hasValue(3);
        assertThat(read(folder.resolve("none.parquet")))
                .isEqualTo(Map.of("l", List.of(List.of(1, 2), List.of(3), List.of(4, 5))));
    }

    @Test
    void aFooterOfOtherRowsThanItsRowGroupsIsRefused() throws IOException {
        EditedFile file = new EditedFile(Files.readAllBytes(lists));
        file.footer().number(3, 2);
        Path other = file.write(folder.resolve("other.parquet"));
        assertThatThrownBy(() -> read(other))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("its footer speaks of 2 rows, its row groups of 3");
    }

    @Test
    void aColumnThatDoesNotBeginWithARowIsRefused() throws IOException {
        byte[] bytes = Files.readAllBytes(lists);
        int levels = repetitionLevels(bytes);
        // 0, 1, 0, 0, 1 become 1, 1, 0, 0, 1.
        bytes[levels] |= 1;
        Path damaged = Files.write(folder.resolve("levels.parquet"), bytes);
        assertThatThrownBy(() -> read(damaged))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining(
                        "row group 0, column 'l': its first entry has a repetition level of 1, so it is not"
                                + " the beginning of a row");
    }

    /// The place of the byte with the levels 0, 1, 0, 0, 1, the first of 32 times eight that are packed.
    private static int repetitionLevels(byte[] bytes) {
        for (int i = 1; i < bytes.length; i++) {
            if (bytes[i - 1] == (32 << 1 | 1) && bytes[i] == 0b10010) {
                return i;
            }
        }
        throw new AssertionError("no such levels");
    }

    @Test
    void aMapWithoutValuesIsAListOfItsKeys() throws IOException {
        EditedFile file = new EditedFile(Files.readAllBytes(lists));
        ThriftTree.Struct list = file.footer().list(2).struct(1);
        list.number(6, MAP).remove(10);
        assertThat(read(file.write(folder.resolve("keys.parquet"))))
                .isEqualTo(Map.of("l", List.of(List.of(1, 2), List.of(3), List.of(4, 5))));
    }
}
