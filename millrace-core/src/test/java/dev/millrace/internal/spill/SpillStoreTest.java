package dev.millrace.internal.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.arrow.CanonicalValues;
import dev.millrace.block.Block;
import dev.millrace.compression.IpcCompression;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.SpillSettings;
import dev.millrace.testing.LeakCheck;
import dev.millrace.testing.LongBlocks;
import dev.millrace.testing.RandomBlocks;
import dev.millrace.testing.Seeds;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SpillStoreTest {
    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    @TempDir
    Path folder;

    private SpillStore store(SpillSettings settings) {
        return new SpillStore(settings.withDirectories(folder.toString()), memory.allocator());
    }

    private SpillStore store() {
        return store(SpillSettings.DEFAULT);
    }

    @ParameterizedTest
    @EnumSource(IpcCompression.class)
    void everyTypeComesBackAsItWas(IpcCompression compression) {
        long seed = Seeds.seed();
        try (SpillStore store = store(SpillSettings.DEFAULT.withCompression(compression))) {
            for (int round = 0; round < 60; round++) {
                RandomBlocks random = new RandomBlocks(seed + round);
                Schema schema = random.schema();
                int rows = new Random(seed + round).nextInt(300);
                try (Block whole = random.block(schema, rows, memory.allocator());
                        Block block = whole.slice(rows / 3, rows / 2)) {
                    SpillFile file = store.write(block);
                    try (Block read = store.read(file)) {
                        assertThat(read.schema()).isEqualTo(schema);
                        assertThat(values(read)).as("seed %s", seed + round).isEqualTo(values(block));
                    }
                    store.delete(file);
                }
            }
            assertThat(store.stats().files()).isZero();
            assertThat(store.stats().diskBytes()).isZero();
        }
    }

    private static List<String> values(Block block) {
        return block.columns().stream().map(CanonicalValues::of).toList();
    }

    @Test
    void aLargeUncompressedBlockIsAViewOfItsFileThatIsCountedAndOutlivesIt() {
        try (SpillStore store = store(SpillSettings.DEFAULT.withCompression(IpcCompression.NONE));
                Block block = LongBlocks.range(memory.allocator(), 5, 200_000)) {
            long before = memory.allocator().heldBytes();
            SpillFile file = store.write(block);
            Block read = store.read(file);
            assertThat(memory.allocator().heldBytes()).isEqualTo(before + 1_600_000);
            read.columns()
                    .forEach(column -> column.forEachBuffer(
                            buffer -> assertThat(buffer.segment().isMapped()).isTrue()));
            store.delete(file);
            assertThat(LongBlocks.take(read)).startsWith(5L, 6L).hasSize(200_000);
        }
    }

    @Test
    void writingTakesNothingOfTheSessionsMemory() {
        try (SpillStore store = store();
                Block block = LongBlocks.range(memory.allocator(), 0, 100_000)) {
            long peak = memory.allocator().peakBytes();
            store.write(block);
            assertThat(memory.allocator().peakBytes()).isEqualTo(peak);
        }
    }

    @Test
    void nothingIsMadeBeforeTheFirstSpillAndNothingIsLeftAfterClose() {
        try (SpillStore store = store();
                Block block = LongBlocks.range(memory.allocator(), 0, 100)) {
            assertThat(SpillFolder.everything(folder)).isEmpty();
            store.write(block);
            assertThat(SpillFolder.blocks(folder)).hasSize(1);
            assertThat(store.paths().getFirst().getFileName().toString())
                    .startsWith("millrace-spill-" + ProcessHandle.current().pid() + "-");
        }
        assertThat(SpillFolder.everything(folder)).isEmpty();
    }

    @Test
    void directoriesAreUsedInTurn() {
        Path one = folder.resolve("one");
        Path two = folder.resolve("two");
        SpillSettings settings = SpillSettings.DEFAULT.withDirectories(one.toString(), two.toString());
        try (SpillStore store = new SpillStore(settings, memory.allocator());
                Block block = LongBlocks.range(memory.allocator(), 0, 100)) {
            for (int i = 0; i < 6; i++) {
                store.write(block);
            }
            assertThat(SpillFolder.blocks(one)).hasSize(3);
            assertThat(SpillFolder.blocks(two)).hasSize(3);
        }
    }

    @Test
    void aReachedCapNamesDirectoryNeedAndCap() {
        try (SpillStore store = store(SpillSettings.DEFAULT.withCapBytes(20_000));
                Block block = LongBlocks.range(memory.allocator(), 0, 1000)) {
            SpillFile first = store.write(block);
            assertThatThrownBy(() -> store.write(block))
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                    .hasMessage("A block of 16192 bytes cannot be spilled to "
                            + store.paths().getFirst() + ": "
                            + first.fileBytes() + " of at most 20000 bytes are spilled."
                            + " Raise the cap in SpillSettings, or the memory limit.");
            store.delete(first);
            store.write(block);
        }
    }

    /// A file system that takes its time over each file.
    @Test
    void deletingAFileKeepsNobodyWaitingButThoseThatNeedItsRoom() throws Exception {
        SpillSettings settings =
                SpillSettings.DEFAULT.withDirectories(folder.toString()).withCapBytes(20_000L);
        CountDownLatch slow = new CountDownLatch(1);
        Set<String> deleters = ConcurrentHashMap.newKeySet();
        try (ExecutorService other = Executors.newSingleThreadExecutor();
                SpillStore store = new SpillStore(settings, memory.allocator(), path -> {
                    deleters.add(Thread.currentThread().getName());
                    awaitQuietly(slow);
                    path.toFile().delete();
                });
                Block block = LongBlocks.range(memory.allocator(), 0, 1000)) {
            SpillFile first = store.write(block);
            store.delete(first);
            assertThat(first.path()).exists();
            assertThat(store.stats().files()).isZero();
            assertThat(store.stats().diskBytes()).isZero();
            Future<SpillFile> second = other.submit(() -> store.write(block));
            assertThatThrownBy(() -> second.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            slow.countDown();
            assertThat(second.get(30, TimeUnit.SECONDS).path()).exists();
            assertThat(first.path()).doesNotExist();
            store.delete(second.get());
        }
        assertThat(deleters).containsExactly("millrace-spill-delete");
        assertThat(folder).isEmptyDirectory();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aDirectoryThatCannotBeMadeIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "no folder");
        SpillSettings settings = SpillSettings.DEFAULT.withDirectories(file.toString());
        try (SpillStore store = new SpillStore(settings, memory.allocator());
                Block block = LongBlocks.range(memory.allocator(), 0, 10)) {
            assertThatThrownBy(() -> store.write(block))
                    .hasMessageStartingWith("The spill directory " + file + " cannot be used: ")
                    .hasMessageEndingWith("Choose another one in SpillSettings.");
        }
    }

    @Test
    void aDiskThatFailsIsNamedAndNothingIsCounted() throws IOException {
        try (SpillStore store = store();
                Block block = LongBlocks.range(memory.allocator(), 0, 10)) {
            store.delete(store.write(block));
            store.awaitDeleted();
            Files.delete(store.paths().getFirst());
            assertThatThrownBy(() -> store.write(block))
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                    .hasMessageContaining(
                            "cannot be spilled to " + store.paths().getFirst());
            assertThat(store.stats().diskBytes()).isZero();
        }
    }

    @Test
    void aRemovedOrChangedFileIsAClearError() throws IOException {
        try (SpillStore store = store();
                Block block = LongBlocks.range(memory.allocator(), 0, 10_000)) {
            SpillFile removed = store.write(block);
            Files.delete(removed.path());
            assertUnreadable(store, removed, "NoSuchFileException");
            SpillFile cut = store.write(block);
            Files.write(cut.path(), new byte[100]);
            assertUnreadable(store, cut, "it has 100 bytes and had " + cut.fileBytes());
            SpillFile garbage = store.write(block);
            Files.write(garbage.path(), new byte[(int) garbage.fileBytes()], StandardOpenOption.WRITE);
            assertUnreadable(store, garbage, "are not those that were written");
            SpillFile scrambled = store.write(block);
            byte[] bytes = Files.readAllBytes(scrambled.path());
            for (int i = bytes.length / 4; i < bytes.length / 2; i++) {
                bytes[i] = (byte) 0xFF;
            }
            Files.write(scrambled.path(), bytes);
            assertUnreadable(store, scrambled, "are not those that were written");
        }
    }

    private static void assertUnreadable(SpillStore store, SpillFile file, String reason) {
        assertThatThrownBy(() -> store.read(file))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                .hasMessageStartingWith(
                        "The spill file " + file.path() + " with 10000 rows of a materialised dataset cannot be read: ")
                .hasMessageContaining(reason)
                .hasMessageEndingWith("Something removed or changed it. Materialise the dataset again.");
    }

    @Test
    void anInterruptedThreadSpillsAndReadsAllTheSame() {
        try (SpillStore store = store();
                Block block = LongBlocks.range(memory.allocator(), 0, 1000)) {
            Thread.currentThread().interrupt();
            SpillFile file = store.write(block);
            Block read = store.read(file);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(LongBlocks.take(read)).hasSize(1000);
        }
    }

    @Test
    void theFolderOfADeadProcessIsRemovedAndThatOfALivingOneIsNot() throws Exception {
        SpillFolder.Other other = SpillFolder.Other.in(folder);
        try (Block block = LongBlocks.range(memory.allocator(), 0, 10)) {
            try (SpillStore store = store();
                    SpillStore second = store()) {
                store.write(block);
                second.write(block);
                assertThat(other.directory()).exists();
                assertThat(SpillFolder.blocks(folder)).hasSize(3);
            }
            other.kill();
            assertThat(other.directory()).exists();
            try (SpillStore store = store()) {
                store.write(block);
                assertThat(other.directory()).doesNotExist();
                assertThat(SpillFolder.blocks(folder)).hasSize(1);
            }
            assertThat(SpillFolder.everything(folder)).isEmpty();
        } finally {
            other.kill();
        }
    }
}
