package dev.millrace.models.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleBiFunction;
import org.junit.jupiter.api.Test;

class TuningSearchTest {
    /// A machine of the imagination: rows per second and bytes by batch size and actors.
    private record Machine(
            ToDoubleBiFunction<Integer, Integer> rate, ToDoubleBiFunction<Integer, Integer> bytes, double memory) {
        List<TuningPoint> search(int largest, Integer... actors) {
            TuningSearch.Space space = new TuningSearch.Space(largest, List.of(actors));
            List<TuningPoint> points = new ArrayList<>();
            for (Optional<TuningSearch.Candidate> next = TuningSearch.next(space, points);
                    next.isPresent();
                    next = TuningSearch.next(space, points)) {
                int batch = next.get().batchSize();
                int count = next.get().actors();
                assertThat(points)
                        .as("measured twice")
                        .noneMatch(point -> point.batchSize() == batch && point.actors() == count);
                assertThat(batch).isBetween(1, largest);
                double used = bytes.applyAsDouble(batch, count);
                points.add(
                        used > memory
                                ? new TuningPoint(batch, count, 1, 0, (long) used, "no memory")
                                : new TuningPoint(
                                        batch, count, 1, rate.applyAsDouble(batch, count), (long) used, null));
                assertThat(points).as("goes on and on").hasSizeLessThan(200);
            }
            return points;
        }
    }

    private static String sizes(List<TuningPoint> points) {
        StringBuilder text = new StringBuilder();
        points.forEach(point -> text.append(text.isEmpty() ? "" : " ")
                .append(point.batchSize())
                .append(point.actors() == 1 ? "" : "x" + point.actors())
                .append(point.worked() ? "" : "!"));
        return text.toString();
    }

    /// Each batch has a price of its own; memory grows with batches and actors.
    private static Machine machine(double fixed, double perRow, double memory) {
        return new Machine(
                (batch, actors) -> actors * batch / (fixed + batch * perRow),
                (batch, actors) -> actors * (100 + batch),
                memory);
    }

    @Test
    void pointsPrintAsSentences() {
        assertThat(new TuningPoint(8, 2, 1, 41, 310 << 20, null))
                .hasToString("batches of 8, 2 actors: 41.0 rows/s, 310 MiB");
        assertThat(new TuningPoint(64, 1, 2, 0, 0, "no memory")).hasToString("batches of 64, 1 actor: no memory");
    }

    @Test
    void batchesAreDoubledAsLongAsThatPays() {
        // 1: 1/11, 2: 2/12, ... the gain of doubling falls below 2 % from 512 on.
        assertThat(sizes(machine(10, 1, 1e9).search(100_000, 1))).isEqualTo("1 2 4 8 16 32 64 128 256 512 1024 2048");
    }

    @Test
    void theSearchEndsTwoSizesAfterTheBest() {
        Machine cache = new Machine((batch, _) -> batch <= 8 ? batch : 8 - batch / 100.0, (batch, _) -> batch, 1e9);
        assertThat(sizes(cache.search(1024, 1))).isEqualTo("1 2 4 8 16 32");
        assertThat(TuningSearch.decide(cache.search(1024, 1)).best().batchSize())
                .isEqualTo(8);
    }

    @Test
    void oneSlowPointDoesNotEndIt() {
        Machine dip = new Machine((batch, _) -> batch == 8 ? 1 : batch, (batch, _) -> batch, 1e9);
        assertThat(sizes(dip.search(64, 1))).isEqualTo("1 2 4 8 16 32 64");
    }

    @Test
    void theLargestBatchIsTriedAlsoIfItIsNoPowerOfTwo() {
        assertThat(sizes(machine(100, 1, 1e9).search(100, 1))).isEqualTo("1 2 4 8 16 32 64 82");
        assertThat(sizes(machine(100, 1, 1e9).search(1, 1))).isEqualTo("1");
    }

    @Test
    void aSizeWithoutMemoryIsRememberedAndWhatLiesBelowIsTried() {
        // 100 + batch bytes in 200: up to 100 rows.
        assertThat(sizes(machine(1000, 1, 200).search(4096, 1))).isEqualTo("1 2 4 8 16 32 64 128! 96 112!");
    }

    @Test
    void moreActorsBeginWithTheBestSizeAndNeverTryWhatFailedWithFewer() {
        // Two actors of 100 + batch bytes in 290: up to 45 rows each; one: up to 190.
        List<TuningPoint> points = machine(1000, 1, 290).search(4096, 1, 2);
        assertThat(sizes(points)).isEqualTo("1 2 4 8 16 32 64 128 256! 192! 160 160x2! 80x2! 40x2 60x2! 50x2! 20x2");
        assertThat(TuningSearch.decide(points).best())
                .extracting(TuningPoint::batchSize, TuningPoint::actors)
                .containsExactly(160, 1);
    }

    @Test
    void moreActorsMayWantSmallerBatches() {
        Machine shared = new Machine(
                (batch, actors) -> {
                    double total = batch * actors;
                    return total <= 8 ? total * (1 + actors / 10.0) : 8 - total / 100;
                },
                (batch, actors) -> batch * actors,
                1e9);
        List<TuningPoint> points = shared.search(64, 1, 2);
        assertThat(sizes(points)).isEqualTo("1 2 4 8 16 32 8x2 16x2 32x2 4x2 2x2");
        assertThat(TuningSearch.decide(points).best())
                .extracting(TuningPoint::batchSize, TuningPoint::actors)
                .containsExactly(4, 2);
    }

    @Test
    void whereNothingWorksTheReasonIsTold() {
        List<TuningPoint> points = machine(1, 1, 50).search(64, 1, 2);
        assertThat(sizes(points)).isEqualTo("1!");
        assertThat(TuningSearch.decide(points))
                .isEqualTo(new TuningSearch.Decision(
                        null, "No batch size works, not even the smallest that was tried: no memory"));
    }

    @Test
    void ofEqualSpeedsTheOneWithLessMemoryIsChosen() {
        List<TuningPoint> points = List.of(
                new TuningPoint(8, 1, 2, 20, 100, null),
                new TuningPoint(16, 1, 2, 25.6, 200, null),
                new TuningPoint(32, 1, 2, 26, 400, null));
        TuningSearch.Decision decision = TuningSearch.decide(points);
        assertThat(decision.best().batchSize()).isEqualTo(16);
        assertThat(decision.reason())
                .isEqualTo("within 1.5 % of the fastest (batches of 32, 1 actor: 26.0 rows/s), with less memory");
        assertThat(TuningSearch.decide(points.subList(0, 2)).reason()).isEqualTo("the fastest of 2 that were tried");
    }

    /// Whatever the machine: it ends, nothing is measured twice, and the choice is as good as all that was seen.
    @Test
    void everySearchEndsWithAChoiceThatIsAmongTheBest() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            double[] noise = random.doubles(5000, 0.7, 1.3).toArray();
            Machine any = new Machine(
                    (batch, actors) -> noise[(batch * 7 + actors) % 5000] * actors * batch / (50.0 + batch),
                    (batch, actors) -> noise[(batch * 3 + actors) % 5000] * batch * actors,
                    1 + random.nextInt(3000));
            List<TuningPoint> points = any.search(1 + random.nextInt(2000), 1, 2, 4);
            TuningSearch.Decision decision = TuningSearch.decide(points);
            double fastest = points.stream()
                    .mapToDouble(TuningPoint::rowsPerSecond)
                    .max()
                    .orElseThrow();
            if (fastest > 0) {
                assertThat(decision.best().rowsPerSecond()).as("seed " + seed).isGreaterThanOrEqualTo(0.97 * fastest);
            } else {
                assertThat(decision.best()).as("seed " + seed).isNull();
            }
        }
    }
}
