package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.relation.MixStop;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MixTest {
    private final long seed = Seeds.seed();
    private final Session session =
            Session.builder().progress(ProgressSettings.OFF).open();

    @AfterEach
    void close() {
        session.close();
    }

    private Dataset rows(int input, long count, int blocks) {
        List<Row> rows = LongStream.range(0, count)
                .mapToObj(i -> Row.of("input", (long) input, "row", i))
                .toList();
        return session.items(rows, blocks);
    }

    private static List<Long> inputs(List<Row> rows) {
        return rows.stream().map(row -> row.getLong("input")).toList();
    }

    @Test
    void rowsComeInTurn() {
        Dataset mixed = rows(0, 3, 2).mix(rows(1, 3, 1), rows(2, 1, 1));
        assertThat(inputs(mixed.takeAll())).containsExactly(0L, 1L, 2L, 0L, 1L, 0L, 1L);
        assertThat(mixed.count()).isEqualTo(7);
    }

    @Test
    void weightsAreSharesAndTheFirstThatIsMissedEndsTheMix() {
        Dataset three = rows(0, 100, 7);
        Dataset one = rows(1, 5, 2);
        List<Row> mixed = three.mix(List.of(one), List.of(3.0, 1.0), MixStop.FIRST_EXHAUSTED)
                .takeAll();
        assertThat(inputs(mixed).subList(0, 8)).containsExactly(0L, 0L, 1L, 0L, 0L, 0L, 1L, 0L);
        assertThat(mixed.stream().filter(row -> row.getLong("input") == 1)).hasSize(5);
        // The sixth row of the second would stand behind 16.5 rows of the first.
        assertThat(mixed).hasSize(5 + 17);
        assertThat(three.mix(List.of(one), List.of(3.0, 1.0), MixStop.ALL_EXHAUSTED)
                        .takeAll())
                .hasSize(105);
    }

    @Test
    void theMixDependsOnRowsAndWeightsAloneAndSharesHoldAtEveryPlace() {
        for (int number = 0; number < 150; number++) {
            Random random = new Random(seed + number);
            int count = 2 + random.nextInt(3);
            List<Double> weights = new ArrayList<>();
            List<Long> sizes = new ArrayList<>();
            double all = 0;
            for (int i = 0; i < count; i++) {
                weights.add(random.nextInt(3) == 0 ? 1 : 0.05 + random.nextDouble());
                all += weights.getLast();
                sizes.add(random.nextInt(4) == 0 ? random.nextInt(4) : (long) random.nextInt(300));
            }
            MixStop stop = random.nextBoolean() ? MixStop.FIRST_EXHAUSTED : MixStop.ALL_EXHAUSTED;
            List<Row> once = mixed(random, sizes, weights, stop);
            String which = "seed " + seed + ", case " + number + ", " + sizes + " by " + weights;
            assertThat(mixed(random, sizes, weights, stop)).as(which).isEqualTo(once);
            long[] seen = new long[count];
            boolean full = true;
            for (int place = 0; place < once.size(); place++) {
                int input = (int) once.get(place).getLong("input");
                assertThat(once.get(place).getLong("row")).as(which).isEqualTo(seen[input]++);
                for (int i = 0; i < count && full; i++) {
                    assertThat(Math.abs(seen[i] - (place + 1) * weights.get(i) / all))
                            .as(which)
                            .isLessThan(count);
                }
                for (int i = 0; i < count; i++) {
                    full &= seen[i] < sizes.get(i);
                }
            }
            if (stop == MixStop.ALL_EXHAUSTED) {
                assertThat(once).as(which).hasSize((int)
                        sizes.stream().mapToLong(size -> size).sum());
            } else {
                boolean missed = false;
                for (int i = 0; i < count; i++) {
                    missed |= seen[i] == sizes.get(i);
                }
                assertThat(missed).as(which).isTrue();
            }
        }
        assertThat(session.allocator().heldBytes()).isZero();
    }

    private List<Row> mixed(Random random, List<Long> sizes, List<Double> weights, MixStop stop) {
        List<Dataset> inputs = new ArrayList<>();
        for (int i = 0; i < sizes.size(); i++) {
            inputs.add(rows(i, sizes.get(i), 1 + random.nextInt(9)));
        }
        Dataset first = inputs.removeFirst();
        return first.mix(inputs, weights, stop).takeAll();
    }

    @Test
    void aLimitNeedsNoMoreThanItsRows() {
        Dataset mixed = session.range(1_000_000_000L)
                .mix(List.of(session.range(1_000_000_000L)), List.of(1.0, 1.0), MixStop.ALL_EXHAUSTED);
        assertThat(mixed.take(6)).extracting(row -> row.getLong("id")).containsExactly(0L, 0L, 1L, 1L, 2L, 2L);
    }

    @Test
    void columnsAreThoseOfAUnion() {
        Dataset mixed = session.items(Row.of("a", 1L)).mix(session.items(Row.of("a", 2.5, "b", "x")));
        assertThat(mixed.takeAll()).extracting(Row::toString).containsExactly("{a: 1.0, b: null}", "{a: 2.5, b: x}");
    }

    @Test
    void mistakesAreToldAtTheCall() {
        Dataset a = session.range(3);
        assertThatThrownBy(() -> a.mix(List.of(a), List.of(1.0), MixStop.ALL_EXHAUSTED))
                .isInstanceOf(MillraceException.class)
                .hasMessage("mix: there are 2 datasets, this one first, but 1 weights. Give each dataset one.");
        assertThatThrownBy(() -> a.mix(List.of(a), List.of(1.0, 0.0), MixStop.ALL_EXHAUSTED))
                .hasMessageContaining("mix: a weight is a number above zero, not 0.0");
        assertThatThrownBy(() -> a.mix(session.items(Row.of("id", "text"))))
                .hasMessageContaining("mix: input 2 does not fit those before it.");
    }
}
