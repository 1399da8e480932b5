package dev.millrace.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.testing.LeakCheck;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

class PresentRowsTest {
    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    @RepeatedTest(60)
    void theyAreTheRowsThatAreNotNull(RepetitionInfo repetition) {
        long seed = Seeds.seed() + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        int rows = random.nextInt(400);
        int nulls = random.nextInt(12);
        Object[] values = IntStream.range(0, rows)
                .mapToObj(i -> random.nextInt(10) < nulls - 1 ? null : (Object) (long) i)
                .toArray();
        Column all = Columns.of(memory.allocator(), DataType.INT64, Arrays.asList(values));
        try {
            int begin = random.nextInt(rows + 1);
            Column column = all.slice(begin, rows - begin);
            int from = random.nextInt(rows - begin + 1);
            int length = random.nextInt(rows - begin - from + 1);
            int[] positions = new int[length];

            int found = PresentRows.find(column, from, length, positions);

            assertThat(Arrays.copyOf(positions, found))
                    .as("seed %d", seed)
                    .isEqualTo(IntStream.range(0, length)
                            .filter(i -> !column.isNull(from + i))
                            .toArray());
        } finally {
            all.release();
        }
    }
}
