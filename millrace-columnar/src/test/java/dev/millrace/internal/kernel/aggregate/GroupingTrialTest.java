package dev.millrace.internal.kernel.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupingTrialTest {
    @ParameterizedTest
    @ValueSource(ints = {1_000, 50_000, 100_000, 300_000, 2_000_000})
    void theGroupsOfAllRowsFollowFromThoseOfTheFirst(int different) {
        Random random = new Random(different);
        BitSet seen = new BitSet();
        int first = 0;
        for (int i = 0; i < 400_000; i++) {
            seen.set(random.nextInt(different));
            first = i == GroupingTrial.ROWS - 1 ? seen.cardinality() : first;
        }

        double expected = GroupingTrial.expected(GroupingTrial.ROWS, first, 400_000);

        assertThat(expected / seen.cardinality()).isCloseTo(1, within(0.03));
    }

    @Test
    void rowsThatAreAllDifferentAreTakenToStaySo() {
        assertThat(GroupingTrial.expected(100, 100, 1000)).isEqualTo(1000);
        assertThat(GroupingTrial.isVain(100, 100, 1000)).isTrue();
        assertThat(GroupingTrial.isVain(100, 1, 1000)).isFalse();
    }
}
