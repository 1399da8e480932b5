package dev.millrace.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class AllocatorTest {
    @Test
    void bytesCountOnEveryAccountAboveAndAreGoneAfterRelease() {
        try (Allocator root = Allocator.root("session", 1 << 30);
                Allocator run = root.child("run");
                Allocator operator = run.child("operator")) {
            Buffer buffer = operator.allocate(1000);
            assertThat(buffer.size()).isEqualTo(1000);
            assertThat(buffer.segment().address() % 64).isZero();
            assertThat(root.heldBytes()).isEqualTo(1024);
            assertThat(run.heldBytes()).isEqualTo(1024);
            assertThat(operator.heldBytes()).isEqualTo(1024);
            buffer.release();
            assertThat(root.heldBytes()).isZero();
            assertThat(operator.peakBytes()).isEqualTo(1024);
        }
    }

    @Test
    void theAccountThatIsFullIsNamedAndNothingIsCharged() {
        try (Allocator root = Allocator.root("session", 1 << 20);
                Allocator run = root.child("run", 4096)) {
            Buffer held = run.allocate(4096);
            assertThatThrownBy(() -> run.allocate(1))
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                    .hasMessage("'run' holds 4096 of 4096 bytes of block memory; run needs 512 more."
                            + " Raise the memory limit, or use smaller batches or blocks.");
            assertThat(root.heldBytes()).isEqualTo(4096);
            assertThatThrownBy(() -> root.allocate(64 << 20)).hasMessageContaining("'session' holds 4096");
            assertThat(root.footprint()).isLessThan(64 << 20);
            held.release();
        }
    }

    @Test
    void closingAnAccountWithBytesNamesTheHolderAndWhereItWasAllocated() {
        Allocator root = Allocator.root("session", 1 << 20);
        Allocator run = root.child("run");
        Buffer leak = run.child("map(double)").allocate(100);
        assertThatThrownBy(run::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("'run' was closed while 512 bytes are held: map(double) holds 512 bytes")
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("allocated here"));
        assertThatThrownBy(root::close).hasMessageContaining("map(double) holds 512 bytes");
        leak.release();
        assertThat(root.footprint()).isZero();
    }

    @Test
    void memoryOutlivesItsClosedAccountUntilItIsReleased() {
        Allocator root = Allocator.root("session", 64 << 20);
        Buffer small = root.allocate(100);
        Buffer large = root.allocate(3 << 20);
        assertThatThrownBy(root::close).isInstanceOf(IllegalStateException.class);
        small.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        large.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        small.release();
        large.release();
        assertThat(root.footprint()).isZero();
    }

    @Test
    void aClosedAccountGivesNoMemory() {
        Allocator root = Allocator.root("session", 1 << 20);
        root.close();
        assertThatThrownBy(() -> root.allocate(1)).hasMessage("'session' is closed: no memory can be taken from it.");
    }

    @Test
    void transferMovesTheBytesToTheOtherAccount() {
        try (Allocator root = Allocator.root("session", 1 << 20);
                Allocator kept = root.child("materialised")) {
            Allocator run = root.child("run");
            Buffer buffer = run.allocate(1 << 12);
            buffer.transferTo(kept);
            assertThat(run.heldBytes()).isZero();
            assertThat(kept.heldBytes()).isEqualTo(1 << 12);
            assertThat(root.heldBytes()).isEqualTo(1 << 12);
            run.close();
            buffer.release();
            assertThat(kept.heldBytes()).isZero();
        }
    }

    @Test
    void aTrimmedBufferKeepsItsFirstBytesAndGivesTheRestBack() {
        try (Allocator root = Allocator.root("session", 1 << 30);
                Allocator run = root.child("run")) {
            Buffer buffer = run.allocate(30_000);
            buffer.segment().set(ValueLayout.JAVA_BYTE, 6999, (byte) 7);
            assertThat(buffer.trim(7000)).isSameAs(buffer);
            assertThat(buffer.segment().get(ValueLayout.JAVA_BYTE, 6999)).isEqualTo((byte) 7);
            assertThat(buffer.heldBytes()).isEqualTo(8192);
            assertThat(root.heldBytes()).isEqualTo(8192);
            Buffer neighbour = run.allocate(16 << 10);
            neighbour.segment().fill((byte) 1);
            assertThat(buffer.segment().get(ValueLayout.JAVA_BYTE, 6999)).isEqualTo((byte) 7);
            neighbour.release();
            buffer.release();
            assertThat(root.heldBytes()).isZero();
        }
    }

    @Test
    void aFullTreeAsksForReliefBeforeItRefuses() {
        try (Allocator root = Allocator.root("session", 4096);
                Allocator run = root.child("run")) {
            Buffer idle = root.allocate(4096);
            List<Long> asked = new ArrayList<>();
            root.relief(new MemoryRelief() {
                @Override
                public boolean relieve(long bytes, long most) {
                    asked.add(bytes);
                    if (idle.isAlive()) {
                        idle.release();
                        return true;
                    }
                    return false;
                }

                @Override
                public String state() {
                    return "All is gone.";
                }
            });
            Buffer granted = run.allocate(2048);
            assertThatThrownBy(() -> run.allocate(4096))
                    .hasMessage("'session' holds 2048 of 4096 bytes of block memory (run: 2048); run needs 4096 more."
                            + " All is gone. Raise the memory limit, or use smaller batches or blocks.");
            assertThat(asked).containsExactly(2048L, 4096L);
            assertThat(root.peakBytes()).isEqualTo(4096);
            granted.release();
            assertThatThrownBy(() -> run.relief(null)).hasMessageContaining("not the root");
        }
    }

    @Test
    void theLimitOfAnAccountIsTheLowestAbove() {
        try (Allocator root = Allocator.root("session", 4096);
                Allocator run = root.child("run");
                Allocator small = run.child("small", 1024)) {
            assertThat(run.limit()).isEqualTo(4096);
            assertThat(small.limit()).isEqualTo(1024);
        }
    }

    @Test
    void anIdleRegionThatIsTooLargeForTheRoomIsNotUsed() {
        try (Allocator root = Allocator.root("session", 20L << 20)) {
            Buffer large = root.allocate(5L << 20);
            Buffer rest = root.allocate(15L << 20);
            large.release();
            rest.release();
            Buffer most = root.allocate(14L << 20);
            Buffer more = root.allocate(9L << 19);
            assertThat(root.peakBytes()).isLessThanOrEqualTo(root.limit());
            most.release();
            more.release();
        }
    }

    @Test
    void releasingTwiceOrRetainingAfterwardsIsAnError() {
        try (Allocator root = Allocator.root("session", 1 << 20)) {
            Buffer buffer = root.allocate(1);
            buffer.retain().release();
            buffer.release();
            assertThat(buffer.isAlive()).isFalse();
            assertThatThrownBy(buffer::retain).hasMessageContaining("released already");
            assertThat(buffer.isAlive()).isFalse();
            assertThatThrownBy(buffer::segment).hasMessageContaining("was released");
            assertThatThrownBy(buffer::release).hasMessageContaining("more often than retained");
        }
    }

    @Test
    void aLargeRegionIsUsedAgain() {
        try (Allocator root = Allocator.root("session", 1L << 30)) {
            Buffer first = root.allocate(5 << 20);
            long address = first.segment().address();
            first.release();
            Buffer second = root.allocate((5 << 20) - 1000);
            assertThat(second.segment().address()).isEqualTo(address);
            second.release();
            assertThat(root.footprint()).isLessThan(6 << 20);
        }
    }

    @Test
    void idleMemoryStaysBelowItsCap() {
        try (Allocator root = Allocator.root("session", 256 << 20)) {
            List<Buffer> buffers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                buffers.add(root.allocate(8 << 20));
            }
            buffers.forEach(Buffer::release);
            assertThat(root.footprint()).isLessThanOrEqualTo(64 << 20);
        }
    }

    /// Of many small buffers every fourth stays, so that no slab gets empty; then large ones want what was freed.
    @Test
    @EnabledOnOs(OS.LINUX)
    void slabsThatAreHalfEmptyDoNotCarryTheProcessBeyondTheLimit() {
        try (Allocator root = Allocator.root("session", 64 << 20)) {
            List<Buffer> small = new ArrayList<>();
            for (int i = 0; i < 480; i++) {
                small.add(root.allocate(128 << 10));
            }
            List<Buffer> kept = new ArrayList<>();
            for (int i = 0; i < small.size(); i++) {
                if (i % 4 == 0) {
                    kept.add(small.get(i));
                } else {
                    small.get(i).release();
                }
            }
            for (int i = 0; i < 13; i++) {
                kept.add(root.allocate(3 << 20));
            }
            assertThat(root.footprint()).isLessThanOrEqualTo(64 << 20);
            kept.forEach(Buffer::release);
        }
    }

    @Test
    void aForeignRegionRunsItsActionAtTheLastRelease() {
        int[] freed = {0};
        Buffer buffer = Buffer.foreign(java.lang.foreign.MemorySegment.ofArray(new byte[8]), () -> freed[0]++);
        buffer.retain().release();
        assertThat(freed[0]).isZero();
        buffer.release();
        assertThat(freed[0]).isEqualTo(1);
    }

    @Test
    void manyThreadsAtOnceNeverShareARegionAndEndAtZero() throws Exception {
        try (Allocator root = Allocator.root("session", 1L << 30);
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                int mark = t + 1;
                all.add(threads.submit(() -> allocateAndCheck(root, mark)));
            }
            for (Future<?> one : all) {
                one.get();
            }
            assertThat(root.heldBytes()).isZero();
        }
    }

    private static Void allocateAndCheck(Allocator root, int mark) {
        Random random = new Random(mark);
        List<Buffer> mine = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            if (mine.size() < 8 && random.nextBoolean()) {
                Buffer buffer = root.allocate(1 + random.nextInt(random.nextInt(50) == 0 ? 3 << 20 : 20_000));
                buffer.segment().fill((byte) mark);
                mine.add(buffer);
            } else if (!mine.isEmpty()) {
                Buffer buffer = mine.remove(random.nextInt(mine.size()));
                assertThat(buffer.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) mark);
                assertThat(buffer.segment().get(ValueLayout.JAVA_BYTE, buffer.size() - 1))
                        .isEqualTo((byte) mark);
                buffer.release();
            }
        }
        mine.forEach(Buffer::release);
        return null;
    }

    @Test
    void collectedMemoryThatTheJvmRefusesIsASentence() {
        assertThatThrownBy(() -> Allocator.collected("a copy of a batch").allocate(1L << 50))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                .hasMessageStartingWith("a copy of a batch needs 1125899906842624 bytes of the JVM's direct memory,"
                        + " beside the session's memory, and there are not as many: ")
                .hasMessageEndingWith("Keep fewer batches, or raise -XX:MaxDirectMemorySize (by default the largest"
                        + " heap, -Xmx).");
    }
}
