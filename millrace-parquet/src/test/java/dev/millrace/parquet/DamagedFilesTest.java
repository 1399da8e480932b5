package dev.millrace.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.testing.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whatever the bytes of a file are, reading it ends in values or in a sentence that names the file.
class DamagedFilesTest {
    private static final int TRIES = Integer.getInteger("millrace.fuzz", 2_000);

    @TempDir
    static Path folder;

    private static List<Path> files;

    @BeforeAll
    static void write() throws IOException {
        Python.environment("test").run(DamagedFilesTest.class, "make_files.py", folder.toString(), "200");
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(".parquet"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void changedBytesEndInValuesOrInADataError() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int failed = 0;
        Path damaged = folder.resolve("damaged.parquet");
        for (int i = 0; i < TRIES; i++) {
            Path original = files.get(random.nextInt(files.size()));
            byte[] bytes = damage(Files.readAllBytes(original), random);
            Files.write(damaged, bytes);
            String what = "seed " + seed + ", try " + i + ", " + original.getFileName();
            try (Allocator allocator = Allocator.root(what, 512L << 20)) {
                try {
                    ParquetFiles.forEachBlock(ParquetFiles.source(damaged), allocator, 100_000, Block::sizeBytes);
                } catch (MillraceException e) {
                    failed++;
                    assertThat(e.culprit()).as(what + ": " + e.getMessage()).isEqualTo(Culprit.DATA);
                    assertThat(e.getMessage()).as(what).contains(damaged.toString());
                } catch (RuntimeException | Error e) {
                    throw new AssertionError(what + ": " + e, e);
                }
            }
        }
        assertThat(failed).isGreaterThan(TRIES / 10);
    }

    private static byte[] damage(byte[] bytes, Random random) {
        int footer = footerLength(bytes);
        switch (random.nextInt(4)) {
            case 0 -> {
                // Somewhere in the pages and their headers.
                for (int k = random.nextInt(4); k >= 0; k--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
            }
            case 1 -> {
                for (int k = random.nextInt(3); k >= 0; k--) {
                    bytes[bytes.length - 9 - random.nextInt(footer)] = (byte) random.nextInt();
                }
            }
            case 2 -> bytes[4 + random.nextInt(Math.min(60, bytes.length - 4))] ^= (byte) (1 << random.nextInt(8));
            default -> {
                return Arrays.copyOf(bytes, random.nextInt(bytes.length));
            }
        }
        return bytes;
    }

    private static int footerLength(byte[] bytes) {
        int at = bytes.length - 8;
        return bytes[at] & 0xFF | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF) << 16;
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
                    .hasMessageContaining("row group 0, column 'bool'");
        }
    }
}
