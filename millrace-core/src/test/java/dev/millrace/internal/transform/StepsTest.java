package dev.millrace.internal.transform;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Row;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The steps without user code: filter, project, sample, explode, limit.
class StepsTest {
    private final FakeTask task = new FakeTask();

    @AfterEach
    void nothingIsHeld() {
        task.close();
    }

    @Test
    void aFilterKeepsWhatIsTrue() throws Exception {
        task.input(Row.of("v", 1L), Row.of("v", null), Row.of("v", 3L)).run(new FilterStep(col("v").gt(1)));
        assertThat(task.rows()).containsExactly(Row.of("v", 3L));
    }

    @Test
    void anEmptyFilterKeepsItsSchemaThroughProjections() throws Exception {
        task.ids(0, 5)
                .run(
                        new FilterStep(col("id").gt(100)),
                        new ProjectStep(new ColumnProjection.WithColumns(List.of(
                                new ColumnProjection.Named("x", col("id").dividedBy(2))))));
        assertThat(task.outputs).hasSize(1);
        assertThat(task.outputs.getFirst().schema()).isEqualTo(Schema.of("id", DataType.INT64, "x", DataType.FLOAT64));
    }

    @Test
    void projectionsSelectDropRenameAndAdd() throws Exception {
        task.input(Row.of("a", 1L, "b", 2L, "c", 3L))
                .run(
                        new ProjectStep(new ColumnProjection.Drop(List.of("b"))),
                        new ProjectStep(new ColumnProjection.Rename(Map.of("a", "x"))),
                        new ProjectStep(new ColumnProjection.WithColumns(
                                List.of(new ColumnProjection.Named("y", col("x").plus(col("c")))))),
                        new ProjectStep(new ColumnProjection.Select(List.of(
                                new ColumnProjection.Named("y", col("y")),
                                new ColumnProjection.Named("k", lit("const"))))));
        assertThat(task.rows()).containsExactly(Row.of("y", 4L, "k", "const"));
    }

    @Test
    void aMissingColumnIsAnErrorThatSaysWhereAndWhatThereIs() {
        assertThatThrownBy(() -> task.ids(0, 3).run(new ProjectStep(new ColumnProjection.Drop(List.of("nope")))))
                .hasMessage(
                        "drop(nope) failed on its input block, rows 0-2: drop: there is no column 'nope'. The columns are"
                                + " [id].");
        assertThatThrownBy(() -> task.run(new FilterStep(col("nope").gt(1))))
                .hasMessageStartingWith("filter(nope > 1) failed on its input block, rows 0-2: ");
    }

    @Test
    void anOverflowNamesTheStepAndTheRows() {
        assertThatThrownBy(() -> task.input(Row.of("v", Long.MAX_VALUE))
                        .run(new ProjectStep(new ColumnProjection.Select(
                                List.of(new ColumnProjection.Named("w", col("v").plus(1)))))))
                .hasMessageStartingWith("select(w) failed on its input block, row 0: ");
    }

    @Test
    void aSampleRepeatsForTheSameSeedAndDiffersForAnother() throws Exception {
        List<Row> first = sampled(0.3, 7);
        assertThat(first).hasSizeBetween(2700, 3300).isEqualTo(sampled(0.3, 7));
        assertThat(sampled(0.3, 8)).isNotEqualTo(first);
        assertThat(sampled(0, 7)).isEmpty();
        assertThat(sampled(1, 7)).hasSize(10_000);
        assertThatThrownBy(() -> new SampleStep(1.5, 0))
                .hasMessage("randomSample: the fraction must be from 0 to 1, not 1.5.");
    }

    private static List<Row> sampled(double fraction, long seed) throws Exception {
        try (FakeTask sampling = new FakeTask()) {
            return sampling.ids(0, 10_000).run(new SampleStep(fraction, seed)).rows();
        }
    }

    @Test
    void twoTasksDoNotPickTheSamePositions() throws Exception {
        try (FakeTask one = new FakeTask();
                FakeTask two = new FakeTask()) {
            one.ids(0, 1000).run(new SampleStep(0.5, 1));
            two.ids(1000, 2000).run(new SampleStep(0.5, 1));
            assertThat(one.rows().stream().map(row -> row.getLong("id")).toList())
                    .isNotEqualTo(two.rows().stream()
                            .map(row -> row.getLong("id") - 1000)
                            .toList());
        }
    }

    @Test
    void explodeGivesARowPerElement() throws Exception {
        task.input(
                        Row.of("id", 1L, "list", List.of("a", "b")),
                        Row.of("id", 2L, "list", List.of()),
                        Row.of("id", 3L, "list", null),
                        Row.of("id", 4L, "list", Arrays.asList((Object) null)))
                .run(new ExplodeStep("list", false));
        assertThat(task.rows())
                .containsExactly(
                        Row.of("id", 1L, "list", "a"), Row.of("id", 1L, "list", "b"), Row.of("id", 4L, "list", null));
    }

    @Test
    void explodeMayKeepEmptyLists() throws Exception {
        task.input(Row.of("id", 1L, "list", List.of()), Row.of("id", 2L, "list", List.of(5L)))
                .run(new ExplodeStep("list", true));
        assertThat(task.rows()).containsExactly(Row.of("id", 1L, "list", null), Row.of("id", 2L, "list", 5L));
        assertThatThrownBy(() -> task.run(new ExplodeStep("id", true)))
                .hasMessageContaining("explode: column 'id' is int64, not a list.");
    }

    @Test
    void aLimitStopsTheChainAboveIt() throws Exception {
        long[] seen = {0};
        ChainSpec chain = new ChainSpec(
                "o",
                List.of(
                        FakeTask.batches(
                                "mapBatches(f)",
                                new BatchOperation.Function(batch -> {
                                    seen[0] += batch.rows();
                                    return batch;
                                }),
                                10),
                        new LimitStep(15)),
                1 << 20,
                1 << 20);
        task.ids(0, 100).ids(100, 200).run(new TaskPrograms.MapProgram(chain));
        assertThat(task.rows()).hasSize(15);
        assertThat(seen[0]).isEqualTo(20);
    }
}
