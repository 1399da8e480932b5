package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static dev.millrace.Behaviour.column;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Row;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Verbs without functions: columns and rows in and out.
interface VerbBehaviour extends Behaviour {
    @Test
    default void filterTakesAConditionAsText() {
        assertThat(column("id", session().range(9).filter("id % 3 = 0 AND NOT id BETWEEN 1 AND 3")))
                .containsExactly(0L, 6L);
        Dataset nulls = session().items(Row.of("a", 1), Row.of("a", null), Row.of("a", -1));
        assertThat(nulls.filter("a > 0").takeAll()).containsExactly(Row.of("a", 1));
        assertThat(nulls.filter("a IS NULL OR a < 0").count()).isEqualTo(2);
        assertError(() -> nulls.filter("b > 0")).hasMessageContaining("there is no column 'b'");
        assertError(() -> nulls.filter("a + 1"))
                .hasMessage(
                        "filter needs a condition, but a + 1 is int32. Compare it, e.g. (a + 1) > 0, or is not null.");
        // Columns that a function decides are found when it runs.
        Dataset made = session().range(3).map(row -> row.with("b", row.getLong("id") * 2));
        assertThat(column("b", made.filter("b >= 2"))).containsExactly(2L, 4L);
        assertError(() -> made.filter("c >= 2").takeAll()).hasMessageContaining("there is no column 'c'");
        // Rows that fail follow the policy.
        Dataset texts = session().items(Row.of("a", "1"), Row.of("a", "x"), Row.of("a", "3"));
        assertThat(texts.filter("CAST(a AS INT) > 0", ErrorPolicy.skip()).count())
                .isEqualTo(2);
    }

    @Test
    default void filterKeepsWhatIsTrue() {
        assertThat(column("id", session().range(5).filter(col("id").ge(3)))).containsExactly(3L, 4L);
        Dataset nulls = session().items(Row.of("a", 1), Row.of("a", null));
        assertThat(nulls.filter(col("a").gt(0)).takeAll()).containsExactly(Row.of("a", 1));
        assertThat(session().range(5).filter(lit(false)).takeAll()).isEmpty();
    }

    @Test
    default void selectTakesColumnsAndExpressions() {
        Dataset rows = session().items(Row.of("a", 1L, "b", "x", "c", 2.5));
        assertThat(rows.select("c", "a").takeAll()).containsExactly(Row.of("c", 2.5, "a", 1L));
        assertThat(rows.select(col("a").plus(1).as("d"), col("b")).takeAll())
                .containsExactly(Row.of("d", 2L, "b", "x"));
        assertThat(rows.select(col("a").plus(1).as("d")).schema()).isEqualTo(Schema.of("d", DataType.INT64));
    }

    @Test
    default void dropAndRename() {
        Dataset rows = session().items(Row.of("a", 1L, "b", "x", "c", 2.5));
        assertThat(rows.drop("b").columns()).containsExactly("a", "c");
        assertThat(rows.rename("b", "z").takeAll()).containsExactly(Row.of("a", 1L, "z", "x", "c", 2.5));
        assertThat(rows.rename(Map.of("a", "b", "b", "a")).columns()).containsExactly("b", "a", "c");
        assertThat(session().range(1).rename("id", "x").takeAll()).containsExactly(Row.of("x", 0L));
        assertThat(rows.rename(List.of("b", "a", "n")).takeAll()).containsExactly(Row.of("b", 1L, "a", "x", "n", 2.5));
        assertThat(session()
                        .range(1)
                        .map(row -> Row.of("a", 1, "b", 2))
                        .rename(List.of("x", "y"))
                        .takeAll())
                .containsExactly(Row.of("x", 1, "y", 2));
        assertError(() -> session()
                        .range(1)
                        .map(row -> Row.of("a", 1, "b", 2))
                        .rename(List.of("x"))
                        .takeAll())
                .hasMessageContaining("rename: 1 name for 2 columns, [a, b].");
    }

    @Test
    default void withColumnAddsOrReplaces() {
        Dataset rows = session().range(3);
        assertThat(rows.withColumn("double", col("id").times(2)).takeAll())
                .containsExactly(
                        Row.of("id", 0L, "double", 0L), Row.of("id", 1L, "double", 2L), Row.of("id", 2L, "double", 4L));
        assertThat(column("id", rows.withColumn("id", col("id").plus(10)))).containsExactly(10L, 11L, 12L);
        assertThat(rows.withColumns(col("id").plus(1).as("a"), col("id").plus(2).as("b"))
                        .columns())
                .containsExactly("id", "a", "b");
    }

    @Test
    default void divisionOfIntegersIsExact() {
        assertThat(column(
                        "half", session().range(2).select(col("id").dividedBy(2).as("half"))))
                .containsExactly(0.0, 0.5);
    }

    @Test
    default void limitAndOffsetCutRowsInOrder() {
        Dataset rows = session().range(100, 7);
        assertThat(column("id", rows.limit(3))).containsExactly(0L, 1L, 2L);
        assertThat(rows.limit(0).takeAll()).isEmpty();
        assertThat(rows.limit(1000).count()).isEqualTo(100);
        assertThat(column("id", rows.offset(97))).containsExactly(97L, 98L, 99L);
        assertThat(column("id", rows.offset(10).limit(2))).containsExactly(10L, 11L);
        assertThat(column("id", rows.limit(12).offset(10))).containsExactly(10L, 11L);
        assertThat(rows.offset(200).takeAll()).isEmpty();
        assertThat(column("id", rows.filter(col("id").mod(10).eq(0)).limit(2))).containsExactly(0L, 10L);
    }

    @Test
    default void randomSampleKeepsTheSameRowsWhateverColumnsAreSelectedBehindIt() {
        Dataset rows = session().range(1000, 4).withColumn("b", col("id").times(2));
        Dataset sample = rows.randomSample(0.5, 7);
        List<Object> once = column("id", sample);
        assertThat(column("id", sample.select("id"))).isEqualTo(once);
        assertThat(column("b", sample.select("b")))
                .isEqualTo(once.stream().map(id -> (Object) ((Long) id * 2)).toList());
        assertThat(sample.count()).isEqualTo(once.size());
    }

    @Test
    default void randomSampleRepeatsForASeed() {
        Dataset rows = session().range(1000, 4);
        List<Object> once = column("id", rows.randomSample(0.5, 7));
        assertThat(once).hasSizeBetween(400, 600).isEqualTo(column("id", rows.randomSample(0.5, 7)));
        assertThat(once).isNotEqualTo(column("id", rows.randomSample(0.5, 8)));
        assertThat(rows.randomSample(0).takeAll()).isEmpty();
        assertThat(rows.randomSample(1).takeAll()).hasSize(1000);
        assertError(() -> rows.randomSample(1.5)).hasMessageContaining("between 0 and 1, not 1.5");
    }

    @Test
    default void unionPutsRowsOneAfterTheOther() {
        Dataset both = session().range(2).union(session().range(3), session().range(1));
        assertThat(column("id", both)).containsExactly(0L, 1L, 0L, 1L, 2L, 0L);
        assertThat(both.count()).isEqualTo(6);
    }

    @Test
    default void unionFindsCommonTypes() {
        Dataset both = session().items(Row.of("a", 1)).union(session().items(Row.of("a", 2.5)));
        assertThat(both.schema()).isEqualTo(Schema.of("a", DataType.FLOAT64));
        assertThat(column("a", both)).containsExactly(1.0, 2.5);
    }

    @Test
    default void everyRowHasAllColumnsEvenWhereFunctionsDecideThem() {
        Dataset numbers = session().range(1).map(row -> Row.of("a", 1));
        Dataset both = numbers.union(
                session().range(1).map(row -> Row.of("b", "x")),
                session().range(1).map(row -> Row.of("a", 2.5)));
        assertThat(both.takeAll())
                .containsExactly(Row.of("a", 1.0, "b", null), Row.of("a", null, "b", "x"), Row.of("a", 2.5, "b", null));
    }

    @Test
    default void unionFillsMissingColumnsWithNull() {
        Dataset both = session().items(Row.of("a", 1L)).union(session().items(Row.of("b", 2.5)));
        assertThat(both.schema()).isEqualTo(Schema.of("a", DataType.INT64, "b", DataType.FLOAT64));
        assertThat(both.takeAll()).containsExactly(Row.of("a", 1L, "b", null), Row.of("a", null, "b", 2.5));
        assertThat(both.takeBatch().column("b").isNull(0)).isTrue();
    }

    @Test
    default void zipPairsRowsAndRenamesClashes() {
        Dataset zipped = session().range(2).zip(session().range(2));
        assertThat(zipped.takeAll()).containsExactly(Row.of("id", 0L, "id_1", 0L), Row.of("id", 1L, "id_1", 1L));
        assertThat(zipped.columns()).containsExactly("id", "id_1");
    }

    @Test
    default void zipWorksAcrossDifferentBlocks() {
        Dataset zipped = session()
                .range(100, 7)
                .zip(session().range(100, 3).select(col("id").times(2).as("double")));
        List<Row> rows = zipped.takeAll();
        assertThat(rows).hasSize(100).allMatch(row -> row.getLong("double") == 2 * row.getLong("id"));
        assertThat(column("id", rows))
                .isEqualTo(LongStream.range(0, 100).boxed().toList());
    }

    @Test
    default void zipOfUnequalLengthsIsAnError() {
        assertError(() -> session().range(3).zip(session().range(4)).takeAll())
                .hasMessageContaining("3")
                .hasMessageContaining("4");
    }

    @Test
    default void zipOfSeveralPairsRowsAndCountsClashingNamesOn() {
        Dataset ids = session().range(3, 2);
        Dataset zipped = ids.zip(
                session().range(3),
                session().range(3, 3).rename("id", "other"),
                session().range(3));
        assertThat(zipped.columns()).containsExactly("id", "id_1", "other", "id_2");
        assertThat(ids.zip(ids, ids.rename("id", "id_1"), ids).columns())
                .containsExactly("id", "id_1", "id_1_1", "id_2");
        assertThat(zipped.takeAll()).hasSize(3).allMatch(row -> row.getLong("id") == row.getLong("id_2"));
        assertError(() -> ids.zip(session().range(3), session().range(4)).takeAll())
                .hasMessageContaining("3")
                .hasMessageContaining("4");
        assertError(ids::zip).hasMessage("zip: give at least one other dataset.");
    }

    @Test
    default void explodeGivesARowPerElement() {
        Dataset lists = session()
                .items(Row.of("k", 1, "v", List.of(1L, 2L)), Row.of("k", 2, "v", List.of()), Row.of("k", 3, "v", null));
        assertThat(lists.explode("v").takeAll()).containsExactly(Row.of("k", 1, "v", 1L), Row.of("k", 1, "v", 2L));
        assertThat(lists.explode("v", true).takeAll())
                .containsExactly(
                        Row.of("k", 1, "v", 1L),
                        Row.of("k", 1, "v", 2L),
                        Row.of("k", 2, "v", null),
                        Row.of("k", 3, "v", null));
        assertThat(lists.explode("v").schema()).isEqualTo(Schema.of("k", DataType.INT32, "v", DataType.INT64));
    }

    @Test
    default void unorderedGivesTheSameRows() {
        assertThat(column("id", session().range(1000, 10).unordered()))
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 1000)
                        .boxed()
                        .map(Object.class::cast)
                        .toList());
    }

    @Test
    default void verbsChain() {
        Dataset chain = session()
                .range(1000, 5)
                .withColumn("even", col("id").mod(2).eq(0))
                .filter(col("even"))
                .select(col("id").times(10).as("tens"))
                .offset(5)
                .limit(3)
                .rename("tens", "t");
        assertThat(column("t", chain)).containsExactly(100L, 120L, 140L);
        assertThat(chain.schema()).isEqualTo(Schema.of("t", DataType.INT64));
    }

    @Test
    default void explainShowsThreePlans() {
        String text = session()
                .range(100)
                .filter(col("id").gt(5))
                .select("id")
                .limit(3)
                .explain();
        assertThat(text).contains("Logical plan", "Optimized plan", "Physical plan", "Range", "Limit");
    }
}
