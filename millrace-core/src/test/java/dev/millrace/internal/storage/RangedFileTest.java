package dev.millrace.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.memory.Allocator;
import dev.millrace.storage.RandomFile.Range;
import dev.millrace.storage.StoredFile;
import dev.millrace.testing.Seeds;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RangedFileTest {
    /// The bytes of every file, which repeat themselves: see [#byteAt].
    private static final byte[] PERIOD = new byte[2 << 20];

    static {
        for (int i = 0; i < PERIOD.length; i++) {
            PERIOD[i] = byteAt(i);
        }
    }

    private static final int MIB = 1 << 20;

    private final Allocator root = Allocator.root("test", 256L * MIB);
    private final ConcurrentLinkedQueue<Range> asked = new ConcurrentLinkedQueue<>();
    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private volatile long delay;
    private final AtomicInteger failures = new AtomicInteger();

    @AfterEach
    void nothingIsHeld() {
        assertThat(root.heldBytes()).isZero();
        root.close();
    }

    private static byte byteAt(long position) {
        return (byte) (position * 31 + (position >> 13));
    }

    private RangedFile open(long size) {
        return new RangedFile(new StoredFile("far://file", size), size, this::fetch, root);
    }

    private void fetch(long position, MemorySegment target) throws IOException {
        asked.add(new Range(position, position + target.byteSize()));
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        try {
            if (delay > 0) {
                Thread.sleep(delay);
            }
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IOException("busy");
            }
            for (long at = 0; at < target.byteSize(); ) {
                int from = (int) ((position + at) % PERIOD.length);
                int bytes = (int) Math.min(PERIOD.length - from, target.byteSize() - at);
                MemorySegment.copy(PERIOD, from, target, ValueLayout.JAVA_BYTE, at, bytes);
                at += bytes;
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        } finally {
            now.decrementAndGet();
        }
    }

    private static void check(RangedFile file, long position, int bytes) throws IOException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment target = arena.allocate(bytes);
            file.readFully(position, target);
            for (int i = 0; i < bytes; i += 97) {
                assertThat(target.get(ValueLayout.JAVA_BYTE, i)).isEqualTo(byteAt(position + i));
            }
        }
    }

    private long fetched() {
        return asked.stream().mapToLong(range -> range.to() - range.from()).sum();
    }

    @Test
    void nearRangesAreOneRequestAndFarOnesAreNot() throws IOException {
        try (RangedFile file = open(100 * MIB)) {
            file.willRead(
                    List.of(new Range(1000, 2000), new Range(3000, 50_000), new Range(40L * MIB, 40L * MIB + 100_000)));
            check(file, 1000, 1000);
            check(file, 3000, 47_000);
            check(file, 40L * MIB, 100_000);
            check(file, 1000, 1000);
        }
        assertThat(asked).containsExactlyInAnyOrder(new Range(1000, 50_000), new Range(40L * MIB, 40L * MIB + 100_000));
    }

    @Test
    void aGapIsReadOnlyWhereItIsSmallBesideWhatIsNeeded() throws IOException {
        try (RangedFile file = open(100 * MIB)) {
            file.willRead(List.of(
                    new Range(0, 10_000),
                    new Range(500_000, 510_000),
                    new Range(20L * MIB, 22L * MIB),
                    new Range(22L * MIB + 500_000, 24L * MIB)));
            check(file, 0, 10_000);
        }
        assertThat(asked)
                .containsExactlyInAnyOrder(
                        new Range(0, 10_000), new Range(500_000, 510_000), new Range(20L * MIB, 24L * MIB));
    }

    @Test
    void aLongStretchIsReadOnceAheadOfItsReaderWithinTheWindow() throws IOException {
        delay = 20;
        try (RangedFile file = open(90 * MIB)) {
            file.willRead(List.of(new Range(MIB, 81 * MIB)));
            for (long at = MIB; at < 81 * MIB; at += 512 << 10) {
                check(file, at, 512 << 10);
                assertThat(root.heldBytes()).isLessThanOrEqualTo(RangedFile.WINDOW + 17L * MIB);
            }
        }
        assertThat(fetched()).isEqualTo(80L * MIB);
        assertThat(asked).hasSize(10);
        assertThat(most.get()).isBetween(2, 6);
    }

    @Test
    void manyColumnsAreReadAlternately() throws IOException {
        // 16 stretches of 10 MiB with gaps of 2: far more than the window.
        try (RangedFile file = open(200 * MIB)) {
            List<Range> columns = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                columns.add(new Range(i * 12L * MIB, (i * 12L + 10) * MIB));
            }
            file.willRead(columns);
            for (int at = 0; at < 10 * MIB; at += 400_000) {
                // A reader's window begins somewhat before the end of its last one.
                int from = Math.max(0, at - 100_000);
                for (Range column : columns) {
                    check(file, column.from() + from, Math.min(500_000, 10 * MIB - from));
                }
                assertThat(root.heldBytes()).isLessThan(2 * RangedFile.WINDOW);
            }
        }
        assertThat(fetched()).isBetween(160L * MIB, 168L * MIB);
        assertThat(asked.size()).isLessThan(180);
    }

    @Test
    void whatNobodyToldOfIsReadInGrowingParts() throws IOException {
        try (RangedFile file = open(20 * MIB)) {
            for (long at = 0; at < 20 * MIB; at += 16 << 10) {
                check(file, at, 16 << 10);
            }
        }
        assertThat(fetched()).isEqualTo(20L * MIB);
        assertThat(asked.size()).isLessThan(12);
    }

    @Test
    void theEndOfAFileIsReadOnce() throws IOException {
        try (RangedFile file = open(20 * MIB)) {
            check(file, 20L * MIB - 8, 8);
            check(file, 20L * MIB - 5000, 4992);
        }
        assertThat(asked).containsExactly(new Range(20L * MIB - (64 << 10), 20L * MIB));
    }

    @Test
    void largeReadsGoStraightIntoTheReadersMemoryAtOnce() throws IOException {
        delay = 20;
        try (RangedFile file = open(64 * MIB)) {
            check(file, MIB, 60 * MIB);
            assertThat(root.peakBytes()).isZero();
        }
        assertThat(fetched()).isEqualTo(60L * MIB);
        assertThat(most.get()).isBetween(2, 6);
    }

    @Test
    void aFailureComesToTheReaderAndTheNextTryAsksAgain() throws IOException {
        failures.set(1);
        delay = 100;
        try (RangedFile file = open(MIB)) {
            file.willRead(List.of(new Range(0, 1000)));
            assertThatThrownBy(() -> check(file, 0, 1000))
                    .isInstanceOf(IOException.class)
                    .hasMessage("busy");
            check(file, 0, 1000);
        }
        assertThat(asked).hasSize(2);
    }

    @Test
    void closingEndsWhatIsOnItsWay() throws IOException {
        delay = 30_000;
        RangedFile file = open(100 * MIB);
        file.willRead(List.of(new Range(0, 100 * MIB)));
        assertThat(root.heldBytes()).isPositive();
        // Told anew: the old ones end too.
        file.willRead(List.of(new Range(90 * MIB, 91 * MIB)));
        file.close();
        assertThat(root.heldBytes()).isZero();
        assertThatThrownBy(() -> check(file, 0, 10)).hasMessage("'far://file' is closed");
    }

    @Test
    void withoutMemoryReadsStillWork() throws IOException {
        var hog = root.allocate(220L * MIB);
        assertThat(root.isTight()).isTrue();
        try (RangedFile file = open(50 * MIB)) {
            file.willRead(List.of(new Range(0, 50 * MIB)));
            for (long at = 0; at < 10 * MIB; at += MIB) {
                check(file, at, MIB);
            }
        } finally {
            hog.release();
        }
        assertThat(fetched()).isEqualTo(10L * MIB);
    }

    @Test
    void randomReadsAreRight() throws IOException {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        for (int round = 0; round < 40; round++) {
            int size = 1 + random.nextInt(20 * MIB);
            try (RangedFile file = open(size)) {
                for (int i = 0; i < 30; i++) {
                    if (random.nextInt(5) == 0) {
                        List<Range> ranges = new ArrayList<>();
                        for (int k = random.nextInt(6); k >= 0; k--) {
                            long from = random.nextInt(size);
                            ranges.add(new Range(from, from + random.nextInt(3 * MIB)));
                        }
                        file.willRead(ranges);
                    }
                    int from = random.nextInt(size);
                    check(file, from, random.nextInt(Math.min(size - from, MIB) + 1));
                }
                assertThat(file.read(size, MemorySegment.ofArray(new byte[3]))).isEqualTo(-1);
            } catch (Throwable e) {
                throw new AssertionError("seed " + seed, e);
            }
            assertThat(root.heldBytes()).isZero();
        }
    }
}
