package dev.millrace.internal.plan.physical;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.compute.Compute;
import dev.millrace.compute.ReadTasks;
import dev.millrace.compute.Resources;
import dev.millrace.internal.plan.ExplainText;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.optimize.FakeSource;
import dev.millrace.internal.source.RangeSource;
import dev.millrace.internal.transform.BatchOperation;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.internal.transform.ConformStep;
import dev.millrace.internal.transform.RowOperation;
import dev.millrace.internal.transform.VerbSite;
import dev.millrace.settings.Settings;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Which steps share a task, and exactly what keeps them apart.
class PhysicalPlannerTest {
    private static final Schema AB = Schema.of("a", DataType.INT64, "b", DataType.INT64);
    private static final Resources FOUR_CPUS = new Resources(4, 1, 8L << 30, Map.of());

    @Test
    void aReadAndTheMapsAboveItAreOneOperator() {
        PhysicalPlan plan = plan(filter(map(map(read(), Compute.defaults()), Compute.defaults())));
        assertThat(plan).isInstanceOf(PhysicalPlan.Read.class);
        assertThat(plan.name()).isEqualTo("Fake -> map(f) -> map(f) -> filter(a > 5)");
    }

    @Test
    void neighbouringRowFunctionsAreOneStep() {
        PhysicalPlan.Read plan = (PhysicalPlan.Read) plan(map(map(read(), Compute.defaults()), Compute.defaults()));
        assertThat(plan.chain().steps()).hasSize(1);
    }

    @Test
    void aConcurrencyCapBreaksFusion() {
        PhysicalPlan plan = plan(map(read(), Compute.tasks(2)));
        assertThat(plan).isInstanceOfSatisfying(PhysicalPlan.Map.class, map -> {
            assertThat(map.strategy()).isEqualTo(new Compute.Tasks(2));
            assertThat(map.input()).isInstanceOf(PhysicalPlan.Read.class);
        });
    }

    @Test
    void equalCapsFuseAndDifferentOnesDoNot() {
        assertThat(depth(plan(map(map(read(), Compute.tasks(2)), Compute.tasks(2)))))
                .isEqualTo(2);
        assertThat(depth(plan(map(map(read(), Compute.tasks(2)), Compute.tasks(3)))))
                .isEqualTo(3);
    }

    @Test
    void differentResourcesBreakFusion() {
        assertThat(depth(plan(map(read(), Compute.defaults().cpus(2))))).isEqualTo(2);
        assertThat(depth(plan(map(read(), Compute.defaults().resource("licence", 1)))))
                .isEqualTo(2);
    }

    @Test
    void readsForActorsMakeBlocksOfWholeBatches() {
        assertThat(request(actors(read(), Compute.actors(1).batchSize(8))).rows())
                .isEqualTo(8);
        assertThat(request(actors(read(), Compute.actors(1))).rows()).isZero();
        LogicalPlan few = new LogicalPlan.Read(FakeSource.of(AB).withRows(50), ReadTasks.defaults());
        assertThat(request(actors(few, Compute.actors(1).batchSize(16))).rows())
                .as("two splits for each of four CPUs")
                .isEqualTo(4);
        assertThat(request(map(read(), Compute.defaults())).rows()).isZero();
    }

    @Test
    void readsForAConsumerWithBatchesMakeBlocksOfWholeBatchesIfEachRowPasses() {
        assertThat(consumed(read(), 8)).isEqualTo(8);
        assertThat(consumed(read(), 0)).isZero();
        assertThat(consumed(map(read(), Compute.defaults()), 8)).isEqualTo(8);
        assertThat(consumed(filter(read()), 8)).isZero();
        assertThat(consumed(new LogicalPlan.Limit(read(), 0, 1_000_000), 8)).isEqualTo(8);
    }

    private static long consumed(LogicalPlan plan, long batchRows) {
        PhysicalPlan first = PhysicalPlanner.plan(
                plan, Settings.DEFAULT, FOUR_CPUS, FOUR_CPUS.memory(), FOUR_CPUS.memory(), 0, batchRows, false);
        while (!first.inputs().isEmpty()) {
            first = first.inputs().getFirst();
        }
        return ((PhysicalPlan.Read) first).request().rows();
    }

    @Test
    void readsThatAreShippedHaveFewerSplitsWhereMemoryLeavesBlocksTheirSize() {
        LogicalPlan read = new LogicalPlan.Read(RangeSource.ids(4_194_304), ReadTasks.defaults());
        assertThat(splits(read, 8L << 30, false)).isEqualTo(32);
        assertThat(splits(read, 8L << 30, true)).isEqualTo(16);
        assertThat(splits(read, 64L << 20, true)).isEqualTo(32);
    }

    private static int splits(LogicalPlan plan, long memory, boolean ships) {
        PhysicalPlan read = PhysicalPlanner.plan(plan, Settings.DEFAULT, FOUR_CPUS, memory, memory, 0, 0, ships);
        return ((PhysicalPlan.Read) read).request().parallelism();
    }

    @Test
    void readsBelowALimitForActorsMakeBlocksForTheRowsThatPass() {
        LogicalPlan many = new LogicalPlan.Read(FakeSource.of(AB).withRows(1_000_000), ReadTasks.defaults());
        PhysicalPlan.Map model = (PhysicalPlan.Map) plan(
                actors(new LogicalPlan.Limit(many, 0, 50), Compute.actors(1).batchSize(16)));
        PhysicalPlan.Limit limit = (PhysicalPlan.Limit) model.input();
        assertThat(((PhysicalPlan.Read) limit.input()).request().rows())
                .as("two splits for each of four CPUs")
                .isEqualTo(4);
    }

    @Test
    void actorsStandAloneAndExpressionsAfterThemJoinThem() {
        PhysicalPlan plan = plan(filter(
                actors(map(read(), Compute.defaults()), Compute.actors(1, 4).batchSize(8))));
        assertThat(plan).isInstanceOfSatisfying(PhysicalPlan.Map.class, pool -> {
            assertThat(pool.name()).isEqualTo("model -> filter(a > 5)");
            assertThat(pool.bundleRows()).isEqualTo(8);
            assertThat(pool.strategy()).isEqualTo(new Compute.Actors(1, 4, 1, 1));
        });
        assertThat(depth(plan)).isEqualTo(2);
    }

    @Test
    void aFunctionAfterActorsHasTasksOfItsOwn() {
        PhysicalPlan plan = plan(map(actors(read(), Compute.actors(2)), Compute.defaults()));
        assertThat(depth(plan)).isEqualTo(3);
    }

    @Test
    void aClassWithoutAPoolGetsOneThatGrowsToTheCapacity() {
        PhysicalPlan.Map pool = (PhysicalPlan.Map) plan(actors(read(), Compute.defaults()));
        assertThat(pool.strategy()).isEqualTo(new Compute.Actors(1, 4, 1, 1));
        PhysicalPlan.Map onGpu = (PhysicalPlan.Map)
                plan(actors(read(), Compute.defaults().gpus(0.5).batchSize(4)));
        assertThat(onGpu.strategy()).isEqualTo(new Compute.Actors(1, 2, 1, 1));
    }

    @Test
    void aBatchSizeJoinsAReadOnlyIfItsSplitsAreLargeEnough() {
        Compute batches = Compute.defaults().batchSize(100);
        LogicalPlan unknown = new LogicalPlan.TransformBatches(read(), "f", identity(), batches);
        assertThat(plan(unknown))
                .isInstanceOfSatisfying(
                        PhysicalPlan.Map.class,
                        map -> assertThat(map.bundleRows()).isEqualTo(100));
        LogicalPlan large = new LogicalPlan.Read(
                FakeSource.of(AB).withRows(1_000_000), ReadTasks.defaults().blocks(10));
        assertThat(plan(new LogicalPlan.TransformBatches(large, "f", identity(), batches)))
                .isInstanceOf(PhysicalPlan.Read.class);
        LogicalPlan small = new LogicalPlan.Read(
                FakeSource.of(AB).withRows(500), ReadTasks.defaults().blocks(10));
        assertThat(plan(new LogicalPlan.TransformBatches(small, "f", identity(), batches)))
                .isInstanceOf(PhysicalPlan.Map.class);
    }

    @Test
    void aLimitEndsAChainAndBoundsTheTasksBelowIt() {
        PhysicalPlan plan = plan(map(new LogicalPlan.Limit(read(), 0, 3), Compute.defaults()));
        assertThat(plan).isInstanceOf(PhysicalPlan.Map.class);
        assertThat(plan.inputs().getFirst()).isInstanceOf(PhysicalPlan.Limit.class);
        PhysicalPlan.Read read =
                (PhysicalPlan.Read) plan.inputs().getFirst().inputs().getFirst();
        assertThat(read.chain().steps()).hasSize(1);
    }

    @Test
    void theInputsOfAUnionAreBroughtToItsSchema() {
        Schema wide = Schema.of("a", DataType.FLOAT64, "b", DataType.INT64);
        PhysicalPlan plan = plan(new LogicalPlan.Union(List.of(read(), read()), Optional.of(wide)));
        assertThat(plan.inputs())
                .allSatisfy(input -> assertThat(
                                ((PhysicalPlan.Read) input).chain().steps())
                        .containsExactly(new ConformStep(wide, new VerbSite("union", CallSite.UNKNOWN))));
        PhysicalPlan same = plan(new LogicalPlan.Union(List.of(read(), read()), Optional.of(AB)));
        assertThat(same.inputs())
                .allSatisfy(input ->
                        assertThat(((PhysicalPlan.Read) input).chain().steps()).isEmpty());
    }

    @Test
    void explainShowsThreePlansAndTheMemoryToExpect() {
        LogicalPlan plan = filter(
                new LogicalPlan.Read(FakeSource.of(AB), ReadTasks.defaults().blocks(10)));
        assertThat(ExplainText.text(plan, Settings.DEFAULT, FOUR_CPUS)).isEqualTo("""
                -------- Logical plan --------
                Filter[a > 5]
                +- Read[Fake] (a: int64, b: int64)

                -------- Optimized plan --------
                Read[Fake] (a: int64, b: int64)

                -------- Physical plan --------
                Read[Fake] 10 blocks, 1 CPU each

                Expected memory: at most 4 tasks x 192 MiB (1.5 x the target block) = 768 MiB, of 8 GiB for blocks.
                """);
    }

    private static PhysicalPlan plan(LogicalPlan plan) {
        return PhysicalPlanner.plan(plan, Settings.DEFAULT, FOUR_CPUS, FOUR_CPUS.memory());
    }

    private static SplitRequest request(LogicalPlan plan) {
        PhysicalPlan first = plan(plan);
        while (!first.inputs().isEmpty()) {
            first = first.inputs().getFirst();
        }
        return ((PhysicalPlan.Read) first).request();
    }

    private static int depth(PhysicalPlan plan) {
        return 1
                + plan.inputs().stream()
                        .mapToInt(PhysicalPlannerTest::depth)
                        .max()
                        .orElse(0);
    }

    private static LogicalPlan read() {
        return new LogicalPlan.Read(FakeSource.of(AB), ReadTasks.defaults());
    }

    private static LogicalPlan filter(LogicalPlan input) {
        return new LogicalPlan.Filter(input, col("a").gt(5));
    }

    private static LogicalPlan map(LogicalPlan input, Compute compute) {
        return new LogicalPlan.TransformRows(
                input, "map(f)", new RowOperation.Map(row -> row), compute, Optional.empty());
    }

    private static LogicalPlan actors(LogicalPlan input, Compute compute) {
        return new LogicalPlan.TransformBatches(
                input, "model", new BatchOperation.Stateful(() -> batch -> batch), compute);
    }

    private static BatchOperation identity() {
        return new BatchOperation.Function(batch -> batch);
    }
}
