package dev.millrace.column;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Seeds;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BitsTest {
    @Test
    void copyCountAndFillAgreeWithBitByBit() {
        long seed = Seeds.seed();
        System.out.println("BitsTest seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            byte[] bytes = new byte[64];
            random.nextBytes(bytes);
            MemorySegment source = MemorySegment.ofArray(bytes);
            MemorySegment target = MemorySegment.ofArray(new byte[64]);
            int from = random.nextInt(200);
            int to = random.nextInt(200);
            int count = random.nextInt(512 - Math.max(from, to) + 1);
            Bits.copy(source, from, target, to, count);
            int set = 0;
            for (int i = 0; i < 512; i++) {
                boolean inside = i >= to && i < to + count;
                boolean expected = inside && Bits.get(source, from + i - to);
                assertThat(Bits.get(target, i)).isEqualTo(expected);
                set += expected ? 1 : 0;
            }
            assertThat(Bits.count(source, from, count)).isEqualTo(set);
            Bits.fill(target, to, count, true);
            assertThat(Bits.count(target, 0, 512)).isEqualTo(count);
        }
    }
}
