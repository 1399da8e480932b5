package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.testing.Seeds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HybridReaderTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 8, 9, 11, 12, 15, 16, 17, 24, 31, 32})
    void runsAndGroupsOfAnyWidthComeBackWhereverTheyAreCut(int width) {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        for (int round = 0; round < 30; round++) {
            Encoded encoded = encode(random, width);
            int[] values = encoded.values;
            HybridReader reader = new HybridReader();
            reader.reset(encoded.data, 0, encoded.length, width);
            int[] read = new int[values.length];
            for (int done = 0; done < read.length; ) {
                int n = Math.min(read.length - done, 1 + random.nextInt(40));
                if (random.nextInt(4) == 0) {
                    reader.skip(n);
                    System.arraycopy(values, done, read, done, n);
                } else {
                    reader.read(read, done, n);
                }
                done += n;
            }
            assertThat(read).as("seed " + seed).isEqualTo(values);
        }
    }

    @Test
    void aRunThatEndsTooEarlyIsMalformed() {
        Encoded encoded = encode(new Random(1), 7);
        HybridReader reader = new HybridReader();
        reader.reset(encoded.data, 0, encoded.length, 7);
        assertThatThrownBy(() -> reader.skip(encoded.values.length + 1))
                .isInstanceOf(MalformedParquet.class)
                .hasMessage("a run of values ends too early");
    }

    private record Encoded(MemorySegment data, long length, int[] values) {}

    private static Encoded encode(Random random, int width) {
        MemorySegment data = Arena.ofAuto().allocate(40_000);
        int[] values = new int[4_000];
        int count = 0;
        long at = 0;
        for (int run = 0; run < 12; run++) {
            if (random.nextBoolean()) {
                int length = 1 + random.nextInt(200);
                int value = random.nextInt() & (width == 32 ? -1 : (1 << width) - 1);
                at = varint(data, at, length << 1);
                for (int b = 0; b < (width + 7) / 8; b++) {
                    data.set(JAVA_BYTE, at++, (byte) (value >>> 8 * b));
                }
                Arrays.fill(values, count, count += length, value);
            } else {
                int groups = 1 + random.nextInt(20);
                at = varint(data, at, groups << 1 | 1);
                for (int i = 0; i < groups * 8; i++) {
                    int value = random.nextInt() & (width == 32 ? -1 : (1 << width) - 1);
                    values[count++] = value;
                    for (int b = 0; b < width; b++) {
                        long bit = at * 8 + (long) i * width + b;
                        byte old = data.get(JAVA_BYTE, bit >>> 3);
                        data.set(JAVA_BYTE, bit >>> 3, (byte) (old | (value >>> b & 1) << (bit & 7)));
                    }
                }
                at += (long) groups * width;
            }
        }
        return new Encoded(data, at, Arrays.copyOf(values, count));
    }

    private static long varint(MemorySegment data, long at, int value) {
        long to = at;
        int rest = value;
        while (rest >= 128) {
            data.set(JAVA_BYTE, to++, (byte) (rest | 128));
            rest >>>= 7;
        }
        data.set(JAVA_BYTE, to++, (byte) rest);
        return to;
    }
}
