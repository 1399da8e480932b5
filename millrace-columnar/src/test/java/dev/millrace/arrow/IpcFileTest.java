package dev.millrace.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.compression.IpcCompression;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IpcFileTest {
    private static final Schema SCHEMA = Schema.of(
            new Field("id", DataType.INT64), new Field("name", DataType.UTF8), new Field("ok", DataType.BOOL));

    @TempDir
    Path folder;

    private Allocator allocator;

    @BeforeEach
    void open() {
        allocator = Allocator.root("file", 1L << 28);
    }

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    private Block block(long first, int rows) {
        long[] ids = LongStream.range(first, first + rows).toArray();
        String[] names = LongStream.of(ids).mapToObj(id -> "name " + id).toArray(String[]::new);
        boolean[] oks = new boolean[rows];
        return Block.of(
                SCHEMA,
                List.of(
                        Columns.ofLongs(allocator, ids),
                        Columns.ofStrings(allocator, names),
                        Columns.ofBooleans(allocator, oks)),
                rows);
    }

    private Path file(IpcCompression compression, int... rows) {
        Path path = folder.resolve("test.arrow");
        try (IpcWriter writer = IpcWriter.file(path, SCHEMA, compression, allocator)) {
            long first = 0;
            for (int count : rows) {
                try (Block block = block(first, count)) {
                    writer.write(block);
                }
                first += count;
            }
        }
        return path;
    }

    @Test
    void batchesAreReadInAnyOrderAndWithSomeColumns() {
        Path path = file(IpcCompression.LZ4, 1_000, 500, 200);
        try (IpcFile file = IpcFile.open(path, allocator)) {
            assertThat(file.batches()).isEqualTo(3);
            assertThat(file.rows(1)).isEqualTo(500);
            try (Block last = file.read(2, List.of("name"));
                    Block first = file.read(0, List.of("ok", "id"))) {
                assertThat(last.schema()).isEqualTo(Schema.of("name", DataType.UTF8));
                assertThat(last.column("name").value(0)).isEqualTo("name 1500");
                assertThat(first.schema().names()).containsExactly("id", "ok");
                assertThat(first.column("id").value(999)).isEqualTo(999L);
            }
            assertThatThrownBy(() -> file.read(0, List.of("nam"))).hasMessageContaining("there is no column 'nam'");
        }
    }

    @Test
    void aMappedFileIsReadWithoutACopyAndLivesAsLongAsItsBlocks() {
        Path path = file(IpcCompression.NONE, 1_000);
        Block block;
        try (IpcFile file = IpcFile.map(path, allocator)) {
            block = file.read(0);
        }
        assertThat(allocator.heldBytes()).isZero();
        LongColumn ids = (LongColumn) block.column("id");
        assertThat(ids.values().address() % 64).isZero();
        assertThat(ids.get(999)).isEqualTo(999);
        block.close();
    }

    @Test
    void memoryAtAnOddAddressIsCopied() throws IOException {
        byte[] bytes = Files.readAllBytes(file(IpcCompression.NONE, 100));
        Buffer memory = allocator.allocate(bytes.length + 1);
        memory.segment().asSlice(1).copyFrom(java.lang.foreign.MemorySegment.ofArray(bytes));
        try (IpcFile file = IpcFile.of(Buffer.unowned(memory.segment().asSlice(1)), allocator);
                Block block = file.read(0)) {
            assertThat(block.column("name").value(99)).isEqualTo("name 99");
        }
        memory.release();
    }

    @Test
    void anUnfinishedFileSaysSoAndReadsAsAStream() throws IOException {
        Path path = file(IpcCompression.NONE, 100, 100);
        byte[] bytes = Files.readAllBytes(path);
        Files.write(path, Arrays.copyOf(bytes, bytes.length - 20));
        assertThatThrownBy(() -> IpcFile.open(path, allocator))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                .hasMessage("Arrow file " + path + " is no Arrow file, or was not finished: it does not end with"
                        + " ARROW1. Read it as a stream to get the batches that are there.");
        try (IpcReader reader = IpcReader.of(Files.newInputStream(path), allocator)) {
            reader.next().close();
            reader.next().close();
            assertThat(reader.next()).isNull();
        }
    }

    @Test
    void tooLittleMemoryIsAResourcesErrorThatLeavesNothingBehind() {
        Path path = file(IpcCompression.ZSTD, 100_000);
        try (Allocator small = allocator.child("small", 1 << 20);
                IpcFile file = IpcFile.open(path, small)) {
            assertThatThrownBy(() -> file.read(0))
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES));
            assertThat(small.heldBytes()).isZero();
        }
    }

    @Test
    void dictionariesOfAFileAreUnitedAndThoseOfAStreamReplaced() throws IOException {
        Schema schema = Schema.of("word", new DataType.Dictionary(DataType.INT8, DataType.UTF8, false));
        List<List<String>> words =
                List.of(Arrays.asList("a", "b", null, "a"), List.of("c", "b"), List.of("b", "a", "c"));
        Path file = folder.resolve("words.arrow");
        Path stream = folder.resolve("words.stream");
        try (IpcWriter toFile = IpcWriter.file(file, schema, IpcCompression.NONE, allocator);
                IpcWriter toStream =
                        IpcWriter.stream(Files.newOutputStream(stream), schema, IpcCompression.NONE, allocator)) {
            for (List<String> batch : words) {
                Column column = Columns.of(allocator, schema.type("word"), batch);
                try (Block block = Block.of(schema, List.of(column), batch.size())) {
                    toFile.write(block);
                    toStream.write(block);
                }
            }
        }
        try (IpcFile read = IpcFile.open(file, allocator);
                IpcReader reader = IpcReader.of(Files.newInputStream(stream), allocator)) {
            for (int i = 0; i < words.size(); i++) {
                try (Block united = read.read(i);
                        Block replaced = reader.next()) {
                    assertThat(CanonicalValues.of(united.column(0))).isEqualTo(CanonicalValues.of(replaced.column(0)));
                    for (int row = 0; row < words.get(i).size(); row++) {
                        assertThat(united.column(0).value(row))
                                .isEqualTo(words.get(i).get(row));
                    }
                    assertThat(((DictionaryColumn) united.column(0))
                                    .dictionary()
                                    .length())
                            .isEqualTo(3);
                }
            }
        }
    }

    @Test
    void moreDistinctValuesThanTheIndicesOfAFileHoldAreAnError() {
        Schema schema = Schema.of("word", new DataType.Dictionary(DataType.INT8, DataType.UTF8, false));
        try (IpcWriter writer = IpcWriter.file(folder.resolve("many"), schema, IpcCompression.NONE, allocator)) {
            for (int from = 0; from < 200; from += 100) {
                List<String> words = LongStream.range(from, from + 100)
                        .mapToObj(String::valueOf)
                        .toList();
                Column column = Columns.of(allocator, schema.type("word"), words);
                try (Block block = Block.of(schema, List.of(column), 100)) {
                    if (from == 0) {
                        writer.write(block);
                    } else {
                        assertThatThrownBy(() -> writer.write(block))
                                .hasMessage("Column 'word' has 200 distinct values in this file, more than its int8"
                                        + " indices can hold. Cast it to utf8 before writing, or write a stream.");
                    }
                }
            }
        }
    }
}
