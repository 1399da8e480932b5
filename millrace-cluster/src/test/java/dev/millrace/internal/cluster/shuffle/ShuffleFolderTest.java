package dev.millrace.internal.cluster.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.internal.runtime.wire.ShardFile;
import dev.millrace.internal.runtime.wire.WireMessage;
import dev.millrace.memory.Allocator;
import dev.millrace.testing.TaskBlocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShuffleFolderTest {
    private static final int ROWS = 200_000;

    @TempDir
    Path place;

    private static ShuffleFolder folderOf(ShuffleFiles files) {
        WireMessage.KeepShuffles message = files.message();
        return ShuffleFolder.of(message.folder(), message.job(), false);
    }

    @Test
    void rowsOfASliceAreReadAndNoOthers() {
        Random random = new Random(7);
        try (Allocator account = Allocator.root("test", 8 << 20);
                ShuffleFiles files = ShuffleFiles.in(place.toString(), false)) {
            ShuffleFolder folder = folderOf(files);
            ShardFile file;
            try (Block block = TaskBlocks.range(account, 0, ROWS)) {
                file = folder.write("worker1-1.arrow", block, account);
            }
            assertThat(file.ends()).hasSize(7);
            for (int i = 0; i < 20; i++) {
                int from = random.nextInt(ROWS);
                int rows = random.nextInt(Math.min(ROWS - from, 70_000) + 1);
                assertThat(TaskBlocks.take(folder.read(file, from, rows, account)))
                        .isEqualTo(LongStream.range(from, from + rows).boxed().toList());
            }
            assertThat(account.heldBytes()).isZero();
            try (Block few = folder.read(file, ROWS - 5, 5, account)) {
                assertThat(few.rows()).isEqualTo(5);
                assertThat(account.heldBytes()).isLessThan(600 << 10);
            }
        }
    }

    @Test
    void filesThatAreNotNeededAreRemovedAndThoseOfALostWorkerToo() throws Exception {
        try (Allocator account = Allocator.root("test", 8 << 20);
                ShuffleFiles files = ShuffleFiles.in(place.toString(), true)) {
            ShuffleFolder folder = folderOf(files);
            try (Block block = TaskBlocks.range(account, 0, 1000)) {
                for (String name : List.of("worker1-1.arrow", "worker1-2.arrow", "worker2-1.arrow")) {
                    files.made(folder.write(name, block, account));
                }
                folder.write("worker2-2.arrow", block, account);
            }
            files.remove(new ShardFile("worker1-1.arrow", 1, List.of(1L)));
            files.lost(2);
            long end = System.nanoTime() + 30_000_000_000L;
            while (names().size() > 2 && System.nanoTime() < end) {
                Thread.sleep(5);
            }
            assertThat(names()).containsExactly("worker1-2.arrow", "worker2-1.arrow");
        }
        assertThat(place).isEmptyDirectory();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.walk(place)) {
            return all.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".arrow"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aFileThatIsGoneIsNamed() throws IOException {
        try (Allocator account = Allocator.root("test", 8 << 20);
                ShuffleFiles files = ShuffleFiles.in(place.toString(), false)) {
            ShuffleFolder folder = folderOf(files);
            assertThatThrownBy(() -> folder.read(new ShardFile("worker1-1.arrow", 10, List.of(500L)), 0, 10, account))
                    .hasMessageContaining("Shuffle data could not be read from '")
                    .hasMessageContaining("worker1-1.arrow'")
                    .hasMessageContaining("Nobody else may remove files there while a session runs.");
            assertThat(account.heldBytes()).isZero();
        }
    }
}
