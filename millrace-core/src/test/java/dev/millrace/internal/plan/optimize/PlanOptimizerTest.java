package dev.millrace.internal.plan.optimize;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.AggregateFunction;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ReadTasks;
import dev.millrace.expression.Expression;
import dev.millrace.internal.kernel.aggregate.AggregateTypes;
import dev.millrace.internal.plan.logical.GroupPlan;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.ShufflePlan;
import dev.millrace.internal.transform.BatchOperation;
import dev.millrace.internal.transform.ColumnProjection;
import dev.millrace.internal.transform.ProjectionResolution;
import dev.millrace.internal.transform.RowOperation;
import dev.millrace.relation.SortKey;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanOptimizerTest {
    private static final Schema ABC =
            Schema.of(new Field("a", DataType.INT64), new Field("b", DataType.INT64), new Field("c", DataType.UTF8));
    private static final FakeSource SOURCE = FakeSource.of(ABC);

    @Test
    void onlyTheColumnsThatAreUsedAreRead() {
        LogicalPlan plan = select(filter(read(), col("b").gt(5)), "a");
        assertThat(source(PlanOptimizer.optimize(plan)).columns()).containsExactly("a", "b");
    }

    @Test
    void anAggregateThatNobodyUsesIsNotComputed() {
        LogicalPlan groups = grouped(List.of("b"), sum("a").as("x"), max("c").as("x"), count());
        LogicalPlan optimized = PlanOptimizer.optimize(select(groups, "x_2"));
        assertThat(source(optimized).columns()).containsExactly("b", "c");
        assertThat(optimized.inputs().getFirst()).isInstanceOfSatisfying(GroupPlan.GroupBy.class, left -> {
            assertThat(left.aggregates()).containsExactly(max("c").as("x_2"));
            assertThat(left.schema().orElseThrow()).hasToString("b: int64, x_2: utf8");
        });
        assertThat(source(PlanOptimizer.optimize(select(groups, "b"))).columns())
                .containsExactly("b");
        assertThat(source(PlanOptimizer.optimize(groups)).columns()).containsExactly("a", "b", "c");
    }

    @Test
    void oneRowOfAllRowsKeepsAnAggregateAndUsersOwnAreAlwaysComputed() {
        LogicalPlan outer = grouped(grouped(List.of(), sum("a"), max("b")), List.of(), count());
        assertThat(source(PlanOptimizer.optimize(outer)).columns()).containsExactly("a");
        Aggregate own = new Aggregate(AggregateFunction.DEFINED, "c", "own", List.of(), null);
        Optional<Schema> schema =
                Optional.of(Schema.of(new Field("b", DataType.INT64), new Field("own", DataType.INT64)));
        LogicalPlan defined = new GroupPlan.GroupBy(read(), List.of("b"), List.of(own), schema);
        assertThat(source(PlanOptimizer.optimize(select(defined, "b"))).columns())
                .containsExactly("b", "c");
    }

    private static LogicalPlan grouped(List<String> keys, Aggregate... aggregates) {
        return grouped(read(), keys, aggregates);
    }

    private static LogicalPlan grouped(LogicalPlan input, List<String> keys, Aggregate... aggregates) {
        return new GroupPlan.GroupBy(
                input,
                keys,
                List.of(aggregates),
                Optional.of(AggregateTypes.result(input.schema().orElseThrow(), keys, List.of(aggregates))));
    }

    @Test
    void onlyTheFieldsThatAreUsedAreRead() {
        DataType inner = DataType.struct(new Field("x", DataType.INT64), new Field("y", DataType.INT64));
        DataType outer = DataType.struct(new Field("p", inner), new Field("q", inner), new Field("n", DataType.INT64));
        LogicalPlan read = new LogicalPlan.Read(
                FakeSource.of(Schema.of(new Field("s", outer), new Field("t", inner))), ReadTasks.defaults());
        LogicalPlan plan = project(
                new LogicalPlan.Limit(filter(read, col("s").field("n").gt(5)), 0, 9),
                new ColumnProjection.Select(
                        List.of(named("x", col("s").field("p").field("x").plus(1L)), named("t", col("t")))));
        assertThat(source(PlanOptimizer.optimize(plan)).schema().orElseThrow())
                .hasToString("s: struct<p: struct<x: int64>, n: int64>, t: struct<x: int64, y: int64>");
        LogicalPlan whole = project(
                filter(read, col("s").isNotNull()),
                new ColumnProjection.Select(List.of(named("n", col("s").field("n")))));
        assertThat(source(PlanOptimizer.optimize(whole)).schema().orElseThrow().type("s"))
                .isEqualTo(outer);
    }

    @Test
    void aFilterSinksThroughARenamingIntoTheSourceAndItsColumnIsNotReadTwice() {
        LogicalPlan plan = filter(project(read(), new ColumnProjection.Rename(Map.of("a", "x"))), col("x").gt(5));
        LogicalPlan optimized = PlanOptimizer.optimize(plan);
        assertThat(source(optimized).filters()).containsExactly("a > 5");
        assertThat(optimized).isInstanceOf(LogicalPlan.Project.class);
    }

    @Test
    void theFirstRowsOfASortAreFoundWithoutSorting() {
        List<SortKey> by = List.of(SortKey.ascending("a"));
        LogicalPlan sorted = new ShufflePlan.Sort(read(), by, List.of());
        assertThat(PlanOptimizer.optimize(new LogicalPlan.Limit(sorted, 2, 3)))
                .isEqualTo(new LogicalPlan.Limit(new LogicalPlan.TopRows(read(), by, 5), 2, 3));
        assertThat(PlanOptimizer.optimize(select(new LogicalPlan.Limit(sorted, 0, 3), "a"))
                        .inputs()
                        .getFirst()
                        .inputs()
                        .getFirst())
                .isInstanceOf(LogicalPlan.TopRows.class);
        LogicalPlan many = new LogicalPlan.Limit(sorted, 0, 1_000_000);
        assertThat(PlanOptimizer.optimize(many)).isEqualTo(many);
    }

    @Test
    void whatTheSourceDoesNotTakeOfAFilterStays() {
        LogicalPlan plan = filter(read(), col("a").gt(5).and(col("b").lt(3)));
        LogicalPlan optimized = PlanOptimizer.optimize(plan);
        assertThat(source(optimized).filters()).containsExactly("a > 5");
        assertThat(((LogicalPlan.Filter) optimized).predicate()).hasToString("b < 3");
    }

    @Test
    void twoFiltersBecomeOne() {
        LogicalPlan plan = filter(filter(read(), col("b").gt(1)), col("b").lt(9));
        assertThat(((LogicalPlan.Filter) PlanOptimizer.optimize(plan)).predicate())
                .hasToString("(b > 1) and (b < 9)");
    }

    @Test
    void aFilterStopsAtALimitAndAtASample() {
        LogicalPlan overLimit = filter(new LogicalPlan.Limit(read(), 0, 3), col("a").gt(5));
        assertThat(source(PlanOptimizer.optimize(overLimit)).filters()).isEmpty();
        LogicalPlan overSample = filter(new LogicalPlan.Sample(read(), 0.5, 1), col("a").gt(5));
        assertThat(source(PlanOptimizer.optimize(overSample)).filters()).isEmpty();
    }

    @Test
    void aFilterOnAComputedColumnStaysAboveItsComputation() {
        LogicalPlan plan = filter(
                project(read(), new ColumnProjection.WithColumns(List.of(named("d", col("a").plus(col("b")))))),
                col("d").gt(5));
        LogicalPlan optimized = PlanOptimizer.optimize(plan);
        assertThat(optimized).isInstanceOf(LogicalPlan.Filter.class);
    }

    @Test
    void aFilterOverAUnionIsAppliedToEachInput() {
        LogicalPlan union = new LogicalPlan.Union(List.of(read(), read()), Optional.of(ABC));
        LogicalPlan optimized = PlanOptimizer.optimize(filter(union, col("a").gt(5)));
        assertThat(optimized.inputs())
                .allSatisfy(input -> assertThat(source(input).filters()).containsExactly("a > 5"));
    }

    @Test
    void aLimitSinksThroughMapsAndProjectionsAndReachesTheSource() {
        LogicalPlan plan = new LogicalPlan.Limit(map(select(read(), "a")), 2, 3);
        LogicalPlan optimized = PlanOptimizer.optimize(plan);
        assertThat(optimized).isInstanceOf(LogicalPlan.TransformRows.class);
        assertThat(source(optimized).limit()).isEqualTo(5);
    }

    @Test
    void aLimitStaysAboveAFilterAndABatchFunction() {
        LogicalPlan overFilter = new LogicalPlan.Limit(filter(read(), col("b").gt(5)), 0, 3);
        assertThat(source(PlanOptimizer.optimize(overFilter)).limit()).isEqualTo(Long.MAX_VALUE);
        LogicalPlan overBatches = new LogicalPlan.Limit(
                new LogicalPlan.TransformBatches(
                        read(), "f", new BatchOperation.Function(batch -> batch), Compute.defaults()),
                0,
                3);
        assertThat(source(PlanOptimizer.optimize(overBatches)).limit()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void limitsInARowBecomeOne() {
        LogicalPlan plan = new LogicalPlan.Limit(new LogicalPlan.Limit(read(), 10, 20), 5, 100);
        assertThat(PlanOptimizer.optimize(plan)).isInstanceOfSatisfying(LogicalPlan.Limit.class, limit -> {
            assertThat(limit.offset()).isEqualTo(15);
            assertThat(limit.rows()).isEqualTo(15);
        });
    }

    @Test
    void projectionsInARowBecomeOneUnlessThatComputesSomethingTwice() {
        LogicalPlan cheap = project(
                project(read(), new ColumnProjection.Select(List.of(named("d", col("a").plus(1))))),
                new ColumnProjection.Select(List.of(named("e", col("d").times(2)))));
        assertThat(PlanOptimizer.optimize(cheap).inputs().getFirst()).isInstanceOf(LogicalPlan.Read.class);
        LogicalPlan twice = project(
                project(read(), new ColumnProjection.Select(List.of(named("d", col("a").plus(1))))),
                new ColumnProjection.Select(List.of(named("e", col("d").times(col("d"))))));
        assertThat(PlanOptimizer.optimize(twice).inputs().getFirst()).isInstanceOf(LogicalPlan.Project.class);
    }

    @Test
    void aProjectionThatChangesNothingGoesAway() {
        assertThat(PlanOptimizer.optimize(select(read(), "a", "b", "c"))).isInstanceOf(LogicalPlan.Read.class);
    }

    @Test
    void aFunctionOverRecordsReadsOnlyTheirComponents() {
        record Two(long a, String c) {}
        LogicalPlan plan = new LogicalPlan.TransformRows(
                read(),
                "f",
                new RowOperation.MapRecord<>(Two.class, Two.class, two -> two),
                Compute.defaults(),
                Optional.empty());
        assertThat(source(PlanOptimizer.optimize(plan)).columns()).containsExactly("a", "c");
    }

    @Test
    void aFunctionOverRowsOrBatchesReadsAllColumns() {
        assertThat(source(PlanOptimizer.optimize(map(read()))).columns()).containsExactly("a", "b", "c");
    }

    private static LogicalPlan read() {
        return new LogicalPlan.Read(SOURCE, ReadTasks.defaults());
    }

    private static LogicalPlan map(LogicalPlan input) {
        return new LogicalPlan.TransformRows(
                input, "map(f)", new RowOperation.Map(row -> row), Compute.defaults(), Optional.empty());
    }

    private static LogicalPlan filter(LogicalPlan input, Expression predicate) {
        return new LogicalPlan.Filter(input, predicate);
    }

    private static ColumnProjection.Named named(String name, Expression expression) {
        return new ColumnProjection.Named(name, expression);
    }

    private static LogicalPlan select(LogicalPlan input, String... columns) {
        return project(input, ProjectionResolution.keep(List.of(columns)));
    }

    private static LogicalPlan project(LogicalPlan input, ColumnProjection projection) {
        Schema schema = input.schema().orElseThrow();
        return new LogicalPlan.Project(
                input,
                projection,
                Optional.of(ProjectionResolution.schemaOf(ProjectionResolution.resolve(projection, schema), schema)));
    }

    private static FakeSource source(LogicalPlan plan) {
        LogicalPlan at = plan;
        while (!at.inputs().isEmpty()) {
            at = at.inputs().getFirst();
        }
        return (FakeSource) ((LogicalPlan.Read) at).source();
    }
}
