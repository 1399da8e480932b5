package dev.millrace.internal.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BudgetAllocatorTest {
    private static long[] budgets(long limit, double reserved, long[] tasks, long[] outputs, long[] wanted) {
        long[] budget = new long[tasks.length];
        BudgetAllocator.allocate(limit, reserved, tasks.length, tasks, outputs, wanted, budget);
        return budget;
    }

    @Test
    void halfIsReservedEvenlyAndHalfOfThatIsForOutput() {
        assertThat(budgets(800, 0.5, new long[2], new long[2], new long[2])).containsExactly(100, 100);
    }

    @Test
    void theRestIsLentFromTheLastOperatorUpwards() {
        assertThat(budgets(800, 0.5, new long[2], new long[2], new long[] {400, 400}))
                .containsExactly(100, 400);
        assertThat(budgets(800, 0.5, new long[2], new long[2], new long[] {200, 300}))
                .containsExactly(200, 300);
    }

    @Test
    void outputBeyondItsReservationCountsAgainstTasks() {
        assertThat(budgets(800, 0.5, new long[2], new long[] {130, 100}, new long[2]))
                .containsExactly(70, 100);
    }

    @Test
    void aTaskThatCannotBeLentAllOfItLeavesTheRestToOthers() {
        assertThat(budgets(800, 0.5, new long[2], new long[2], new long[] {150, 900}))
                .containsExactly(150, 100);
    }

    @Test
    void whatIsUsedAndBudgetedNeverExceedsTheLimit() {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            int n = 1 + random.nextInt(20);
            long limit = 1 + random.nextLong(1L << (5 + random.nextInt(40)));
            double reserved = random.nextInt(5) / 4.0;
            long[] tasks = random.longs(n, 0, 1 + 2 * limit / n).toArray();
            long[] outputs = random.longs(n, 0, 1 + 2 * limit / n).toArray();
            long[] wanted = random.longs(n, 0, 1 + limit).toArray();
            long[] budget = budgets(limit, reserved, tasks, outputs, wanted);
            long used = Arrays.stream(tasks).sum() + Arrays.stream(outputs).sum();
            long promised = Arrays.stream(budget).sum();
            long share = (long) (limit * reserved) / n;
            for (int i = 0; i < n; i++) {
                assertThat(budget[i]).as("seed %d", seed).isNotNegative();
                if (outputs[i] <= share / 2 && tasks[i] < share - share / 2) {
                    assertThat(budget[i])
                            .as("seed %d: a reservation holds", seed)
                            .isPositive();
                }
            }
            if (promised > 0 && withinReservations(limit, share, tasks, outputs)) {
                assertThat(used + promised).as("seed %d", seed).isLessThanOrEqualTo(limit);
            }
        }
    }

    /// What is used beyond the reservations fits in what is shared.
    private static boolean withinReservations(long limit, long share, long[] tasks, long[] outputs) {
        long beyond = 0;
        for (int i = 0; i < tasks.length; i++) {
            beyond += Math.max(0, tasks[i] + Math.max(0, outputs[i] - share / 2) - (share - share / 2));
        }
        return beyond <= limit - share * tasks.length;
    }
}
