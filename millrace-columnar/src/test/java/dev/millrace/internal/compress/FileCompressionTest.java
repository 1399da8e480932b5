package dev.millrace.internal.compress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.storage.ByteFeed;
import dev.millrace.testing.Python;
import dev.millrace.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that Python and pyarrow compressed, whole, truncated and damaged.
class FileCompressionTest {
    @TempDir
    static Path folder;

    private static byte[] plain;

    private final Allocator allocator = Allocator.root("test", 64 << 20);

    @BeforeAll
    static void compress() throws IOException {
        Python.environment("test").run(FileCompressionTest.class, "make_compressed.py", folder.toString());
        plain = Files.readAllBytes(folder.resolve("plain.txt"));
    }

    @AfterEach
    void everyByteIsReleased() {
        assertThat(allocator.heldBytes()).isZero();
        allocator.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "one.gz",
                "members.gz",
                "named.gz",
                "one.bz2",
                "members.bz2",
                "one.xz",
                "members.xz",
                "stream.zst",
                "sized.zst",
                "frames.zst",
                "stream.lz4",
                "sized.lz4",
                "frames.lz4"
            })
    void aCompressedFileReadsAsWhatWasCompressed(String name) throws IOException {
        byte[] packed = Files.readAllBytes(folder.resolve(name));
        FileCompression kind = FileCompression.of(name);
        for (int target : new int[] {1 << 20, 1000, 70_000}) {
            for (int piece : new int[] {1 << 20, 999}) {
                assertThat(Arrays.equals(read(kind, packed, piece, target), plain))
                        .as("%s, %d bytes at a time from pieces of %d", name, target, piece)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"empty.gz", "empty.bz2", "empty.xz", "empty.zst", "empty.lz4"})
    void aCompressedFileOfNothingIsEmpty(String name) throws IOException {
        assertThat(read(FileCompression.of(name), Files.readAllBytes(folder.resolve(name)), 7, 100))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"one.gz", "one.bz2", "one.xz", "stream.zst", "sized.zst", "stream.lz4", "sized.lz4"})
    void aTruncatedFileIsADataErrorThatNamesFileAndPosition(String name) throws IOException {
        byte[] packed = Files.readAllBytes(folder.resolve(name));
        for (int cut : new int[] {0, 1, 3, 5, 9, 17, 100, packed.length / 2, packed.length - 5, packed.length - 1}) {
            assertThatThrownBy(() -> read(FileCompression.of(name), Arrays.copyOf(packed, cut), 999, 50_000))
                    .as("%s cut to %d bytes", name, cut)
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                    .hasMessageMatching("'some/file' ends in the middle of its "
                            + FileCompression.of(name).label()
                            + " data, after \\d+ decompressed bytes: the file is truncated. Write or copy it again.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"members.gz", "members.bz2", "members.xz", "frames.zst", "frames.lz4"})
    void aDamagedFileIsReadOrADataError(String name) throws IOException {
        byte[] packed = Files.readAllBytes(folder.resolve(name));
        long seed = Seeds.seed();
        Random random = new Random(seed);
        FileCompression kind = FileCompression.of(name);
        boolean checked = kind != FileCompression.ZSTD && kind != FileCompression.LZ4;
        int errors = 0;
        for (int round = 0; round < 20; round++) {
            byte[] damaged = packed.clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                int at = random.nextInt(4) == 0 ? random.nextInt(40) : random.nextInt(damaged.length);
                damaged[at] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                byte[] result = read(kind, damaged, 10_000, 100_000);
                // Frames that pyarrow writes have no checksums.
                assertThat(!checked || Arrays.equals(result, plain))
                        .as("seed %d, round %d: the right bytes", seed, round)
                        .isTrue();
            } catch (MillraceException e) {
                assertThat(e.culprit())
                        .as("seed %d, round %d: %s", seed, round, e)
                        .isIn(Culprit.DATA, Culprit.RESOURCES);
                assertThat(e).hasMessageContaining("some/file");
                errors++;
            } catch (RuntimeException | IOException e) {
                throw new AssertionError("seed " + seed + ", round " + round, e);
            }
        }
        assertThat(errors).as("errors found, seed %d", seed).isGreaterThan(checked ? 5 : -1);
    }

    @Test
    void aFrameThatNeedsMoreMemoryThanThereIsNamesTheFile() {
        byte[] frame = new byte[32];
        // The magic number, a descriptor without anything, and a window of 64 MiB and an eighth.
        System.arraycopy(new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0, (byte) (16 << 3 | 1)}, 0, frame, 0, 6);
        assertThatThrownBy(() -> read(FileCompression.ZSTD, frame, 1000, 1000))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                .hasMessageContaining("'some/file' needs much memory to be decompressed")
                .hasMessageContaining("a frame asks for a window of 72 MiB")
                .hasMessageContaining("Raise the memory limit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GZIP", "ZSTD", "LZ4", "BZIP2", "XZ"})
    void aFileThatIsNotCompressedSaysSo(FileCompression kind) {
        byte[] plain = "{\"a\": 1, \"more\": \"than a header\"}".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> read(kind, plain, 1000, 1000))
                .isInstanceOf(MillraceException.class)
                .hasMessageStartingWith(
                        "'some/file' is not valid " + kind.label() + " at byte 0 of what it decompresses to")
                .hasMessageEndingWith("or name the compression it has.");
    }

    @Test
    void whatTheStorageThrowsPassesAsItIs() {
        for (FileCompression kind : FileCompression.values()) {
            ByteFeed broken = new ByteFeed() {
                @Override
                public int read(MemorySegment target) throws IOException {
                    throw new IOException("the server is busy");
                }

                @Override
                public void close() {}
            };
            assertThatThrownBy(() -> {
                        try (ByteFeed feed = FileCompression.open(kind, "x", broken, allocator)) {
                            Buffer target = allocator.allocate(10);
                            try {
                                feed.read(target.segment());
                            } finally {
                                target.release();
                            }
                        }
                    })
                    .as(kind.label())
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessage("the server is busy");
        }
    }

    @Test
    void aWindowBeyondReasonIsADataErrorBeforeAnythingIsAllocated() {
        byte[] frame = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0, (byte) 0xF8, 0, 0, 0, 0, 0};
        assertThatThrownBy(() -> read(FileCompression.ZSTD, frame, 100, 100))
                .hasMessageContaining("a frame asks for a window of 2097152 MiB, and 128 MiB is the most that is read");
        assertThat(allocator.peakBytes()).isLessThan(1 << 20);
    }

    @Test
    void namesTellTheCompression() {
        assertThat(FileCompression.of("a.json.gz")).isEqualTo(FileCompression.GZIP);
        assertThat(FileCompression.of("a.CSV.ZST")).isEqualTo(FileCompression.ZSTD);
        assertThat(FileCompression.of("a.csv")).isEqualTo(FileCompression.NONE);
        assertThat(FileCompression.of(".gz")).isEqualTo(FileCompression.NONE);
        assertThat(FileCompression.stripEnding("a.json.gz")).isEqualTo("a.json");
        assertThat(FileCompression.stripEnding("a.json.Bz2")).isEqualTo("a.json");
        assertThat(FileCompression.stripEnding("a.json")).isEqualTo("a.json");
        assertThat(FileCompression.named("bzip2")).isEqualTo(FileCompression.BZIP2);
        assertThatThrownBy(() -> FileCompression.named("zip"))
                .hasMessage("There is no compression 'zip'."
                        + " Use \"gzip\", \"zstd\", \"lz4\", \"bzip2\", \"xz\" or \"none\".");
        assertThat(XzLibrary.missing("a.xz"))
                .hasMessage("'a.xz' is compressed with xz, and the library that reads it is not on the class path."
                        + " Add the artifact org.tukaani:xz.");
    }

    private byte[] read(FileCompression kind, byte[] packed, int piece, int targetBytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Buffer target = allocator.allocate(targetBytes);
        try (ByteFeed feed = FileCompression.open(kind, "some/file", new Pieces(packed, piece), allocator)) {
            for (int count = feed.read(target.segment()); count >= 0; count = feed.read(target.segment())) {
                assertThat(count).isPositive();
                out.write(target.segment().asSlice(0, count).toArray(JAVA_BYTE));
                assertThat(out.size()).isLessThan(100_000_000);
            }
            assertThat(feed.read(target.segment())).isNegative();
        } finally {
            target.release();
        }
        return out.toByteArray();
    }

    /// An array, so many bytes at a time.
    private static final class Pieces implements ByteFeed {
        private final byte[] bytes;
        private final int piece;
        private int at;

        Pieces(byte[] bytes, int piece) {
            this.bytes = bytes;
            this.piece = piece;
        }

        @Override
        public int read(MemorySegment target) {
            if (at == bytes.length) {
                return -1;
            }
            int count = (int) Math.min(Math.min(piece, bytes.length - at), target.byteSize());
            MemorySegment.copy(bytes, at, target, JAVA_BYTE, 0, count);
            at += count;
            return count;
        }

        @Override
        public void close() {}
    }
}
