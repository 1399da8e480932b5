package dev.millrace.internal.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.settings.SpillSettings;
import dev.millrace.testing.LongBlocks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockSpillerTest {
    private static final int KIB = 1 << 10;

    @TempDir
    Path folder;

    private Allocator memory;
    private BlockSpiller spiller;
    private final List<StoredBlock> all = new ArrayList<>();

    private void open(long limit, SpillSettings settings) {
        memory = Allocator.root("session", limit);
        spiller = new BlockSpiller(settings.withDirectories(folder.toString()), memory);
        memory.relief(spiller);
    }

    private void open(long limit) {
        open(limit, SpillSettings.DEFAULT);
    }

    @AfterEach
    void nothingIsLeft() {
        all.forEach(StoredBlock::free);
        spiller.store().awaitDeleted();
        assertThat(SpillFolder.blocks(folder)).isEmpty();
        spiller.close();
        memory.close();
        assertThat(SpillFolder.everything(folder)).isEmpty();
    }

    /// A block of so many KiB that was offered.
    private StoredBlock kept(long from, int kib) {
        StoredBlock block = new StoredBlock(LongBlocks.range(memory, from, kib * KIB / 8));
        all.add(block);
        block.offerTo(spiller);
        return block;
    }

    private long first(StoredBlock block) {
        try (Block one = block.rows(0, 1)) {
            return LongBlocks.values(one).getFirst();
        }
    }

    private boolean isInMemory(StoredBlock block) {
        return block.asVictim(0) != null;
    }

    @Test
    void theLargestAndLeastRecentlyNeededLeavesFirst() {
        open(32 * KIB);
        StoredBlock small = kept(0, 4);
        StoredBlock large = kept(1000, 8);
        StoredBlock old = kept(2000, 4);
        StoredBlock recent = kept(3000, 4);
        assertThat(first(recent)).isEqualTo(3000);
        memory.allocate(8 * KIB).release();
        assertThat(spiller.stats().spilledBlocks()).as("while there is room").isZero();
        memory.allocate(16 * KIB).release();
        assertThat(List.of(isInMemory(small), isInMemory(large), isInMemory(old), isInMemory(recent)))
                .containsExactly(true, false, true, true);
        Buffer more = memory.allocate(16 * KIB);
        memory.allocate(8 * KIB).release();
        assertThat(List.of(isInMemory(small), isInMemory(large), isInMemory(old), isInMemory(recent)))
                .containsExactly(false, false, true, true);
        more.release();
        assertThat(first(large)).isEqualTo(1000);
    }

    @Test
    void whatIsOnDiskAlreadyLeavesAgainBeforeAnythingIsWritten() {
        open(32 * KIB);
        StoredBlock one = kept(0, 16);
        StoredBlock two = kept(1000, 16);
        StoredBlock three = kept(2000, 8);
        assertThat(spiller.stats().spilledBlocks()).isEqualTo(1);
        assertThat(isInMemory(one)).isFalse();
        three.free();
        assertThat(first(one)).isZero();
        assertThat(isInMemory(one)).isTrue();
        memory.allocate(16 * KIB).release();
        assertThat(isInMemory(one)).isFalse();
        assertThat(isInMemory(two)).isTrue();
        assertThat(spiller.stats().spilledBlocks()).isEqualTo(1);
        assertThat(spiller.stats().readBlocks()).isEqualTo(1);
    }

    @Test
    void aBlockInUseStaysWhileAnotherOneCanLeave() {
        open(32 * KIB);
        StoredBlock used = kept(0, 16);
        try (Block inUse = used.rows(0, 5)) {
            StoredBlock idle = kept(1000, 8);
            memory.allocate(16 * KIB).release();
            assertThat(isInMemory(used)).isTrue();
            assertThat(isInMemory(idle)).isFalse();
            assertThat(LongBlocks.values(inUse)).containsExactly(0L, 1L, 2L, 3L, 4L);
        }
    }

    @Test
    void blocksThatWereNotOfferedNeverLeave() {
        open(32 * KIB);
        all.add(new StoredBlock(LongBlocks.range(memory, 0, 2 * KIB)));
        Allocator run = memory.child("run-1");
        Buffer held = run.allocate(8 * KIB);
        assertThatThrownBy(() -> run.allocate(16 * KIB))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                .hasMessage("'session' holds 24576 of 32768 bytes of block memory (itself: 16384, run-1: 8192); run-1"
                        + " needs 16384 more. No materialised block is left to spill. Raise the memory limit, or use"
                        + " smaller batches or blocks.");
        assertThat(SpillFolder.everything(folder)).isEmpty();
        held.release();
        run.close();
    }

    @Test
    void theErrorTellsWhatIsSpilledOrWhyNothingCouldBe() {
        open(32 * KIB, SpillSettings.DEFAULT.withCapBytes(20 * KIB));
        StoredBlock one = kept(0, 8);
        kept(1000, 16);
        first(one);
        memory.allocate(16 * KIB).release();
        assertThat(isInMemory(one)).as("the larger one is above the cap").isFalse();
        assertThatThrownBy(() -> memory.allocate(64 * KIB)).hasMessageContaining("A block of 24576 bytes cannot be");
        assertThatThrownBy(() -> memory.allocate(30 * KIB))
                .hasMessageContaining("A block of 24576 bytes cannot be spilled to " + folder)
                .hasMessageContaining("of at most 20480 bytes are spilled. Raise the cap");
        assertThat(first(one)).isZero();
    }

    @Test
    void theErrorTellsHowMuchIsSpilledAlready() {
        open(32 * KIB);
        kept(0, 8);
        memory.allocate(32 * KIB).release();
        assertThatThrownBy(() -> memory.allocate(64 * KIB))
                .hasMessageMatching(".*1 block on disk \\(\\d+ bytes in \\[.*millrace-spill-.*]\\);"
                        + " no materialised block is left to spill\\. Raise the memory limit.*");
    }

    @Test
    void withSpillingOffAFullMemoryIsAnErrorAtOnce() {
        open(32 * KIB, SpillSettings.OFF);
        kept(0, 24);
        assertThatThrownBy(() -> memory.allocate(16 * KIB)).hasMessageContaining("Spilling is off.");
    }

    @Test
    void aFreedBlockDeletesItsFile() {
        open(32 * KIB);
        StoredBlock block = kept(0, 24);
        memory.allocate(16 * KIB).release();
        assertThat(SpillFolder.blocks(folder)).hasSize(1);
        block.free();
        assertThat(spiller.stats().diskBytes()).isZero();
        spiller.store().awaitDeleted();
        assertThat(SpillFolder.blocks(folder)).isEmpty();
    }

    @Test
    void blocksThatShareMemoryLeaveTogether() {
        open(32 * KIB);
        List<StoredBlock> parts = new ArrayList<>();
        try (Block whole = LongBlocks.range(memory, 0, 2 * KIB)) {
            for (int i = 0; i < 4; i++) {
                StoredBlock part = new StoredBlock(whole.slice(i * 512L, 512));
                part.offerTo(spiller);
                parts.add(part);
                all.add(part);
            }
        }
        memory.allocate(24 * KIB).release();
        assertThat(parts).noneMatch(this::isInMemory);
        assertThat(first(parts.get(3))).isEqualTo(1536);
    }

    @RepeatedTest(20)
    void manyThreadsReadSpillAndFreeAtOnce() throws Exception {
        open(2 << 20);
        int threads = 8;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<StoredBlock> shared = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                shared.add(kept(i * 10_000L, 64));
            }
            List<Future<?>> done = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int seed = t;
                done.add(pool.submit(() -> useAtRandom(new Random(seed), shared)));
            }
            for (Future<?> one : done) {
                one.get();
            }
        }
        assertThat(memory.peakBytes()).isLessThanOrEqualTo(memory.limit());
        assertThat(spiller.stats().readBlocks()).isPositive();
    }

    @SuppressWarnings("ThreadPriorityCheck") // makes it likelier that the block is spilled; nothing relies on it
    private Void useAtRandom(Random random, List<StoredBlock> shared) {
        for (int i = 0; i < 400; i++) {
            int pick = random.nextInt(shared.size());
            int from = random.nextInt(4000);
            switch (random.nextInt(4)) {
                case 0 -> memory.allocate(1 + random.nextInt(64 * KIB)).release();
                case 1 -> {
                    StoredBlock own = new StoredBlock(LongBlocks.range(memory, i, 4 * KIB));
                    own.offerTo(spiller);
                    Thread.yield();
                    assertThat(first(own)).isEqualTo(i);
                    own.free();
                }
                default -> {
                    try (Block rows = shared.get(pick).rows(from, 96)) {
                        assertThat(LongBlocks.values(rows).getFirst()).isEqualTo(pick * 10_000L + from);
                        assertThat(LongBlocks.values(rows).getLast()).isEqualTo(pick * 10_000L + from + 95);
                    }
                }
            }
        }
        return null;
    }
}
