package dev.millrace.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Seeds;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class BuddySlabTest {
    private final BuddySlab slab = new BuddySlab(BuddySlab.MAX_BYTES, true);

    @AfterEach
    void free() {
        slab.free();
    }

    @Test
    void anOrderIsTheSmallestThatHoldsTheBytes() {
        assertThat(BuddySlab.orderOf(0)).isZero();
        assertThat(BuddySlab.orderOf(1)).isZero();
        assertThat(BuddySlab.orderOf(512)).isZero();
        assertThat(BuddySlab.orderOf(513)).isEqualTo(1);
        assertThat(BuddySlab.orderOf(2 << 20)).isEqualTo(12);
        assertThat(BuddySlab.bytesOf(12)).isEqualTo(2 << 20);
    }

    @Test
    void regionsNeverOverlapAndJoinAgainWhenAllAreBack() {
        long seed = Seeds.seed();
        System.out.println("BuddySlabTest seed " + seed);
        Random random = new Random(seed);
        List<MemorySegment> taken = new ArrayList<>();
        TreeMap<Long, Long> inUse = new TreeMap<>();
        long used = 0;
        for (int step = 0; step < 20_000; step++) {
            int order = random.nextInt(13);
            if (random.nextInt(100) < 55 && slab.canHold(order)) {
                MemorySegment region = slab.take(order);
                assertThat(region.byteSize()).isEqualTo(BuddySlab.bytesOf(order));
                assertThat(region.address() % 64).isZero();
                var before = inUse.floorEntry(region.address());
                var after = inUse.ceilingEntry(region.address());
                assertThat(before == null || before.getKey() + before.getValue() <= region.address())
                        .isTrue();
                assertThat(after == null || region.address() + region.byteSize() <= after.getKey())
                        .isTrue();
                inUse.put(region.address(), region.byteSize());
                taken.add(region);
                used += region.byteSize();
            } else if (!taken.isEmpty() && random.nextInt(4) == 0) {
                int at = random.nextInt(taken.size());
                MemorySegment region = taken.get(at);
                int smaller = BuddySlab.orderOf(region.byteSize()) - 1 - random.nextInt(3);
                if (smaller >= 0) {
                    MemorySegment first = slab.trim(region, smaller);
                    assertThat(first.address()).isEqualTo(region.address());
                    assertThat(first.byteSize()).isEqualTo(BuddySlab.bytesOf(smaller));
                    taken.set(at, first);
                    inUse.put(first.address(), first.byteSize());
                    used -= region.byteSize() - first.byteSize();
                }
            } else if (!taken.isEmpty()) {
                MemorySegment region = taken.remove(random.nextInt(taken.size()));
                inUse.remove(region.address());
                slab.give(region);
                used -= region.byteSize();
            }
            assertThat(slab.isEmpty()).isEqualTo(used == 0);
        }
        taken.forEach(slab::give);
        assertThat(slab.isEmpty()).isTrue();
        assertThat(slab.largestFree()).isEqualTo(BuddySlab.classes(BuddySlab.MAX_BYTES) - 1);
    }

    @Test
    void theWholeSlabCanBeCutIntoItsSmallestRegions() {
        int regions = BuddySlab.MAX_BYTES / BuddySlab.MIN_REGION;
        for (int i = 0; i < regions; i++) {
            assertThat(slab.canHold(0)).isTrue();
            slab.take(0);
        }
        assertThat(slab.canHold(0)).isFalse();
        assertThat(slab.largestFree()).isZero();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whatLiesBetweenRegionsGoesBackToTheSystemAndTheRegionsKeepTheirBytes() {
        long seed = Seeds.seed();
        System.out.println("BuddySlabTest seed " + seed);
        Random random = new Random(seed);
        BuddySlab small = new BuddySlab(4 << 20, false);
        try {
            assertThat(small.residentBytes()).isZero();
            List<MemorySegment> taken = new ArrayList<>();
            for (int step = 0; step < 5_000; step++) {
                int order = random.nextInt(12);
                if (random.nextBoolean() && small.canHold(order)) {
                    MemorySegment region = small.take(order);
                    region.fill((byte) order);
                    taken.add(region);
                } else if (!taken.isEmpty()) {
                    small.give(taken.remove(random.nextInt(taken.size())));
                }
                if (step % 50 == 0) {
                    int before = small.residentBytes();
                    assertThat(small.forget()).isEqualTo(before - small.residentBytes());
                    // A granule stays for its smallest region, no more than that.
                    assertThat(small.residentBytes()).isEqualTo(granulesOf(taken) * SystemMemory.GRANULE);
                    for (MemorySegment region : taken) {
                        byte written = (byte) BuddySlab.orderOf(region.byteSize());
                        assertThat(region.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo(written);
                        assertThat(region.get(ValueLayout.JAVA_BYTE, region.byteSize() - 1))
                                .isEqualTo(written);
                    }
                }
            }
            taken.forEach(small::give);
            small.forget();
            assertThat(small.residentBytes()).isZero();
        } finally {
            small.free();
        }
    }

    private static int granulesOf(List<MemorySegment> regions) {
        return (int) regions.stream()
                .flatMapToLong(region -> LongStream.rangeClosed(
                        region.address() / SystemMemory.GRANULE,
                        (region.address() + region.byteSize() - 1) / SystemMemory.GRANULE))
                .distinct()
                .count();
    }
}
