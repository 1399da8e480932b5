package dev.millrace.internal.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.compute.Compute;
import dev.millrace.internal.stats.HintRules.Figures;
import dev.millrace.runtime.FunctionUse;
import dev.millrace.runtime.FunctionUse.Built;
import dev.millrace.runtime.FunctionUse.Cost;
import dev.millrace.stats.Hint;
import java.util.List;
import org.junit.jupiter.api.Test;

class HintRulesTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final String NAME = "mapBatches(classify)";

    private static FunctionUse use(int batchSize, long calls, long rows, long nanos, Cost... costs) {
        return new FunctionUse(NAME, batchSize, calls, rows, nanos, 0, List.of(costs));
    }

    private static PoolUse pool(int min, int max, double idleCpus, long busy, long ready) {
        return new PoolUse(min, max, 0, max, 1, false, idleCpus, busy, ready);
    }

    private static List<String> hints(FunctionUse use, PoolUse pool) {
        return HintRules.of(new Figures(NAME, use == null ? List.of() : List.of(use), pool, false)).stream()
                .map(Hint::sentence)
                .toList();
    }

    @Test
    void aModelThatIsLoadedInEachCallIsPointedOut() {
        Cost loads = new Cost(true, "OnnxModel", 12, 600 * MILLI);
        assertThat(hints(use(32, 12, 384, SECOND, loads), null))
                .containsExactly(
                        "OnnxModel is built for each batch (12 times in 12 calls of mapBatches(classify), 600 ms or 60"
                                + " % of its time): use Compute.actors with a factory, which builds it once per actor.");
        assertThat(hints(use(32, 12, 384, SECOND, loads), pool(1, 2, 0, SECOND, 2 * SECOND)))
                .containsExactly(
                        "OnnxModel is built for each batch (12 times in 12 calls of mapBatches(classify), 600 ms or 60"
                                + " % of its time): build it in the factory or the constructor, which runs once per"
                                + " actor.");
        assertThat(hints(use(FunctionUse.ROWS, 12, 12, SECOND, loads), null))
                .singleElement()
                .asString()
                .startsWith("OnnxModel is built for each row (12 times in 12 calls of mapBatches(classify)");
    }

    private static FunctionUse looked(long looks, Built... built) {
        return new FunctionUse(NAME, 32, 100, 3200, SECOND, 0, List.of(), looks, List.of(built));
    }

    @Test
    void aClassThatMostLooksSeeInItsConstructorIsPointedOut() {
        assertThat(hints(looked(20, new Built("Encoder", 18, 9)), null))
                .containsExactly("mapBatches(classify) was building Encoder in 18 of 20 looks into its calls, about"
                        + " 900 ms or 90 % of its time: unless it depends on the rows, use Compute.actors with a"
                        + " factory, which builds it once per actor.");
        assertThat(hints(looked(20, new Built("Encoder", 18, 9)), pool(1, 2, 0, SECOND, 2 * SECOND)))
                .singleElement()
                .asString()
                .endsWith("build it in the factory or the constructor, which runs once per actor.");
    }

    @Test
    void aClassThatIsBuiltNowAndThenOrInOneLongCallIsNot() {
        assertThat(hints(looked(20, new Built("Encoder", 8, 8)), null)).isEmpty();
        assertThat(hints(looked(20, new Built("Encoder", 20, 1)), null)).isEmpty();
        assertThat(hints(looked(5, new Built("Encoder", 5, 5)), null)).isEmpty();
        // Each of the four actors builds it at its first calls.
        assertThat(hints(looked(20, new Built("Encoder", 18, 7)), pool(1, 4, 0, SECOND, 2 * SECOND)))
                .isEmpty();
    }

    @Test
    void loadsThatAreSeldomAreNotPointedOut() {
        assertThat(hints(use(32, 1, 32, SECOND, new Cost(true, "OnnxModel", 1, MILLI)), null))
                .isEmpty();
        assertThat(hints(use(32, 100, 3200, SECOND, new Cost(true, "OnnxModel", 8, MILLI)), null))
                .isEmpty();
        // Each of the two actors loads at its first call.
        assertThat(hints(
                        use(32, 2, 64, SECOND, new Cost(true, "OnnxModel", 2, MILLI)),
                        pool(2, 2, 0, SECOND, 2 * SECOND)))
                .isEmpty();
    }

    @Test
    void batchesOfOneRowInActorsArePointedOut() {
        assertThat(hints(use(1, 1000, 1000, 2 * SECOND), pool(1, 1, 0, SECOND, 2 * SECOND)))
                .containsExactly("Batches of 1 row in 1,000 calls of mapBatches(classify), 2 ms each:"
                        + " use Compute.batchSize(32), so that one call does many rows.");
        assertThat(hints(use(Compute.WHOLE_BLOCK, 100, 150, 2 * SECOND), pool(1, 1, 0, SECOND, 2 * SECOND)))
                .singleElement()
                .asString()
                .startsWith("Batches of 1.5 rows in 100 calls of mapBatches(classify), 20 ms each");
    }

    @Test
    void batchesThatAreLargeOrRareOrLongOrSmallForWantOfMemoryAreNot() {
        PoolUse pool = pool(1, 1, 0, SECOND, 2 * SECOND);
        assertThat(hints(use(32, 1000, 32_000, 2 * SECOND), pool)).isEmpty();
        assertThat(hints(use(1, 10, 10, 2 * SECOND), pool)).isEmpty();
        assertThat(hints(use(1, 1000, 1000, 20 * MILLI), pool)).isEmpty();
        assertThat(hints(use(1, 16, 16, 32 * SECOND), pool)).isEmpty();
        assertThat(HintRules.of(new Figures(NAME, List.of(use(1, 1000, 1000, 2 * SECOND)), pool, true)))
                .isEmpty();
    }

    @Test
    void inTasksSmallBatchesMatterWhereMakingThemTakesTheTime() {
        FunctionUse quick = new FunctionUse(NAME, 1, 100_000, 100_000, 200 * MILLI, 300 * MILLI, List.of());
        assertThat(hints(quick, null))
                .containsExactly(
                        "Batches of 1 row in 100,000 calls of mapBatches(classify): making the batches took 300 ms,"
                                + " the function 200 ms. Use Compute.batchSize(1024), or none.");
        FunctionUse slow = new FunctionUse(NAME, 1, 100_000, 100_000, 20 * SECOND, 300 * MILLI, List.of());
        assertThat(hints(slow, null)).isEmpty();
    }

    @Test
    void decodingOnTheModelsThreadIsPointedOutWhereOthersCouldDoIt() {
        FunctionUse use = use(32, 100, 3200, 10 * SECOND, new Cost(false, "decoding images", 3200, 4 * SECOND));
        assertThat(hints(use, pool(1, 1, 1, SECOND, 2 * SECOND)))
                .containsExactly("Decoding images takes 40 % of the time of the actors of mapBatches(classify):"
                        + " do it in a mapBatches of its own before, which other CPUs can run.");
        assertThat(hints(use, pool(1, 1, 0.2, SECOND, 2 * SECOND))).isEmpty();
        assertThat(hints(use, null)).isEmpty();
    }

    @Test
    void aPoolThatIsTooSmallOrTooLargeIsPointedOut() {
        assertThat(hints(null, pool(1, 1, 1.02, 99 * SECOND, 100 * SECOND)))
                .containsExactly("1 actor was busy 99 % of the time while 1 CPU was idle: use Compute.actors(1, 2).");
        assertThat(hints(null, pool(2, 4, 3, 396 * SECOND, 400 * SECOND)))
                .containsExactly(
                        "4 actors were busy 99 % of the time while 3 CPUs were idle: use Compute.actors(2, 7).");
        assertThat(hints(null, pool(1, 1, 0.76, 99 * SECOND, 100 * SECOND)))
                .containsExactly(
                        "1 actor was busy 99 % of the time while 0.8 CPUs were idle: use Compute.actors(1, 2).");
        assertThat(hints(null, pool(4, 4, 3, 40 * SECOND, 400 * SECOND)))
                .containsExactly("4 actors were busy 10 % of the time: 1 would do. Use Compute.actors(1, 4),"
                        + " which adds actors when work waits.");
    }

    @Test
    void aPoolThatFitsIsNot() {
        assertThat(hints(null, pool(1, 2, 0.3, 199 * SECOND, 200 * SECOND))).isEmpty();
        assertThat(hints(null, pool(1, 1, 1, 80 * SECOND, 100 * SECOND))).isEmpty();
        assertThat(hints(null, pool(1, 1, 1, SECOND / 2, SECOND / 2))).isEmpty();
        assertThat(hints(null, pool(2, 2, 1, 120 * SECOND, 200 * SECOND))).isEmpty();
    }
}
