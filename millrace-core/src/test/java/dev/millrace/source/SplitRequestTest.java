package dev.millrace.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SplitRequestTest {
    private static final long MIB = 1 << 20;

    /// Splits of a read of so many MiB on four CPUs.
    private static int splits(long mebibytes, long minMebibytes, long maxMebibytes) {
        return SplitRequest.forSize(mebibytes * MIB, 4, minMebibytes * MIB, maxMebibytes * MIB)
                .parallelism();
    }

    @Test
    void aReadHas200SplitsUnlessTheyWouldBeSmallerThanTheLeastBytesOfABlock() {
        assertThat(splits(1_000, 1, 128)).isEqualTo(200);
        assertThat(splits(100, 1, 128)).isEqualTo(100);
        assertThat(splits(100, 4, 128)).isEqualTo(25);
    }

    @Test
    void noSplitIsLargerThanTheTargetOfABlockAndEveryCpuHasTwo() {
        assertThat(splits(100_000, 1, 128)).isEqualTo(782);
        assertThat(splits(100_000, 1, 64)).isEqualTo(1_563);
        assertThat(splits(1, 1, 128)).isEqualTo(8);
    }

    @Test
    void whereTasksAreShippedTheyAreLargerAsLongAsEachCpuHasFour() {
        assertThat(shipped(1_000)).isEqualTo(62);
        assertThat(shipped(100_000)).isEqualTo(782);
        assertThat(shipped(100)).isEqualTo(16);
        assertThat(shipped(1)).isEqualTo(splits(1, 1, 128));
        assertThat(new SplitRequest(500, true, MIB, MIB)
                        .forShipping(1_000 * MIB, 4)
                        .parallelism())
                .isEqualTo(500);
    }

    private static int shipped(long mebibytes) {
        return SplitRequest.forSize(mebibytes * MIB, 4, MIB, 128 * MIB)
                .forShipping(mebibytes * MIB, 4)
                .parallelism();
    }
}
