package dev.millrace.internal.spill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.arrow.CanonicalValues;
import dev.millrace.arrow.IpcFile;
import dev.millrace.block.Block;
import dev.millrace.column.Columns;
import dev.millrace.compression.IpcCompression;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.SpillSettings;
import dev.millrace.testing.LeakCheck;
import dev.millrace.testing.Python;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What spill files look like: Arrow files that others read, in which no changed bit goes unnoticed.
class SpillFormatTest {
    private static final int ROWS = 150_000;

    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    @TempDir
    Path folder;

    private SpillStore store(IpcCompression compression) {
        SpillSettings settings = SpillSettings.DEFAULT.withCompression(compression);
        return new SpillStore(settings.withDirectories(folder.toString()), memory.allocator());
    }

    /// Columns of several pieces each, of which some shrink and some do not.
    private Block block(int rows) {
        Random random = new Random(1);
        long[] count = new long[rows];
        List<Object> text = new ArrayList<>();
        List<Object> flags = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            count[i] = i;
            text.add(i % 7 == 0 ? null : "value " + random.nextInt(1000));
            flags.add(i % 5 == 0 ? null : random.nextInt(3) == 0);
        }
        Schema schema = Schema.of(
                new Field("count", DataType.INT64),
                new Field("random", DataType.INT64),
                new Field("text", DataType.UTF8),
                new Field("flag", DataType.BOOL));
        return Block.of(
                schema,
                List.of(
                        Columns.ofLongs(memory.allocator(), count),
                        Columns.ofLongs(
                                memory.allocator(),
                                random.longs(rows, 0, 1L << 40).toArray()),
                        Columns.of(memory.allocator(), DataType.UTF8, text),
                        Columns.of(memory.allocator(), DataType.BOOL, flags)),
                rows);
    }

    @Test
    void pyarrowReadsWhatWasSpilled() {
        List<String> expected = new ArrayList<>();
        List<String> paths = new ArrayList<>();
        List<SpillStore> stores = new ArrayList<>();
        try (Block whole = block(ROWS);
                Block shifted = whole.slice(3, ROWS - 10)) {
            for (IpcCompression compression : IpcCompression.values()) {
                SpillStore store = store(compression);
                stores.add(store);
                for (Block block : List.of(whole, shifted)) {
                    paths.add(store.write(block).path().toString());
                    expected.add(summary(block));
                }
            }
            String read = Python.environment("test")
                    .run(SpillFormatTest.class, "read_spill_files.py", paths.toArray(String[]::new));
            assertThat(read.lines().toList()).isEqualTo(expected);
        } finally {
            stores.forEach(SpillStore::close);
        }
    }

    private static String summary(Block block) {
        long count = 0;
        long random = 0;
        StringBuilder flags = new StringBuilder();
        List<String> text = new ArrayList<>();
        for (long i = 0; i < block.rows(); i++) {
            count += (Long) block.column(0).value(i);
            random += (Long) block.column(1).value(i);
            Object string = block.column(2).value(i);
            text.add(string == null ? "" : string.toString());
            Object flag = block.column(3).value(i);
            flags.append(flag == null ? '-' : (Boolean) flag ? '1' : '0');
        }
        return block.rows() + " " + count + " " + random + " " + crc(String.join("\n", text)) + " "
                + crc(flags.toString());
    }

    private static long crc(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    @ParameterizedTest
    @EnumSource(IpcCompression.class)
    void ourOwnReaderOfArrowFilesReadsItToo(IpcCompression compression) {
        try (SpillStore store = store(compression);
                Block whole = block(ROWS);
                Block block = whole.slice(5, ROWS - 20)) {
            SpillFile file = store.write(block);
            try (IpcFile read = IpcFile.open(file.path(), memory.allocator());
                    Block back = read.read(0)) {
                assertThat(read.batches()).isEqualTo(1);
                assertThat(values(back)).isEqualTo(values(block));
            }
        }
    }

    private static List<String> values(Block block) {
        return block.columns().stream().map(CanonicalValues::of).toList();
    }

    @Test
    void whatShrinksIsCompressedAndWhatDoesNotIsMapped() {
        try (SpillStore store = store(IpcCompression.LZ4);
                Block whole = block(ROWS)) {
            SpillFile file = store.write(whole);
            try (Block read = store.read(file)) {
                assertThat(isMapped(read, "count")).isFalse();
                assertThat(isMapped(read, "text")).isFalse();
            }
            Random random = new Random(3);
            try (Block noise = Block.of(
                    Schema.of(new Field("noise", DataType.INT64)),
                    List.of(Columns.ofLongs(
                            memory.allocator(), random.longs(ROWS).toArray())),
                    ROWS)) {
                SpillFile plain = store.write(noise);
                assertThat(plain.fileBytes()).isBetween(ROWS * 8L, ROWS * 8L + 2000);
                try (Block read = store.read(plain)) {
                    assertThat(isMapped(read, "noise")).isTrue();
                    assertThat(values(read)).isEqualTo(values(noise));
                }
            }
        }
    }

    private static boolean isMapped(Block block, String name) {
        boolean[] mapped = {true};
        block.columns()
                .get(block.schema().require(name, "look"))
                .forEachBuffer(buffer -> mapped[0] &= buffer.segment().isMapped());
        return mapped[0];
    }

    @ParameterizedTest
    @EnumSource(IpcCompression.class)
    void aFlippedBitIsAnErrorThatNamesTheFileUnlessNothingDependsOnIt(IpcCompression compression) throws IOException {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        try (SpillStore store = store(compression);
                Block block = block(50_000)) {
            SpillFile file = store.write(block);
            byte[] right = Files.readAllBytes(file.path());
            List<String> expected = values(block);
            int noticed = 0;
            for (int round = 0; round < 60; round++) {
                byte[] wrong = Arrays.copyOf(right, right.length);
                int at = random.nextInt(right.length);
                wrong[at] ^= (byte) (1 << random.nextInt(8));
                Files.write(file.path(), wrong);
                try (Block read = store.read(file)) {
                    assertThat(values(read)).as("byte %s, seed %s", at, seed).isEqualTo(expected);
                } catch (MillraceException e) {
                    noticed++;
                    assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES);
                    assertThat(e)
                            .hasMessageStartingWith("The spill file " + file.path())
                            .hasMessageContaining("are not those that were written");
                }
            }
            // Padding and the schema, which stands in the file twice, are a small part.
            assertThat(noticed).as("seed %s", seed).isGreaterThan(50);
            Files.write(file.path(), right);
            try (Block read = store.read(file)) {
                assertThat(values(read)).isEqualTo(values(block));
            }
        }
    }
}
