package dev.millrace;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.udf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Row;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.expression.Expression;
import dev.millrace.type.DataType;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// What becomes of rows whose expression fails.
interface ExpressionErrorBehaviour extends Behaviour {
    /// 100 rows in 4 blocks with the columns id and text, a number in all rows but 13, 14 and 77.
    private Dataset texts() {
        return session()
                .items(
                        LongStream.range(0, 100)
                                .mapToObj(id -> Row.of("id", id, "text", isBad(id) ? "no number" : "" + id * 2))
                                .toList(),
                        4);
    }

    private static boolean isBad(long id) {
        return id == 13 || id == 14 || id == 77;
    }

    private static List<Object> goodIds() {
        return LongStream.range(0, 100)
                .filter(id -> !isBad(id))
                .<Object>mapToObj(id -> id)
                .toList();
    }

    private static Expression number() {
        return col("text").cast(DataType.INT64);
    }

    @Test
    default void withoutAPolicyAFailingExpressionStopsTheRunAndNamesThePlace() {
        Behaviour.assertError(() -> texts().withColumn("n", number()).takeAll())
                .hasMessageMatching("(?s).*n\\) at ExpressionErrorBehaviour:\\d+ failed on .*")
                .hasMessageContaining("'no number'");
    }

    @Test
    default void skipLeavesOutJustTheRowsWhoseExpressionFails() {
        Dataset added = texts().withColumn("n", number(), ErrorPolicy.skip());
        List<Row> rows = added.takeAll();
        assertThat(Behaviour.column("id", rows)).isEqualTo(goodIds());
        assertThat(rows).allMatch(row -> row.getLong("n") == 2 * row.getLong("id"));
        assertThat(ErrorBehaviour.counter(added, "skippedRows")).isEqualTo(3);
        Dataset selected = texts().select(List.of(number().as("n"), col("id")), ErrorPolicy.skip());
        assertThat(Behaviour.column("id", selected)).isEqualTo(goodIds());
        Dataset filtered = texts().filter(number().ge(100), ErrorPolicy.skip());
        assertThat(Behaviour.column("id", filtered))
                .isEqualTo(goodIds().stream().filter(id -> (Long) id >= 50).toList());
        assertThat(ErrorBehaviour.counter(filtered, "skippedRows")).isEqualTo(3);
    }

    @Test
    default void rowsThatAreSkippedAreNotCountedAndNotLimited() {
        Dataset added = texts().withColumn("n", number(), ErrorPolicy.skip());
        assertThat(added.count()).isEqualTo(97);
        assertThat(Behaviour.column("id", added.select("id"))).isEqualTo(goodIds());
        assertThat(added.limit(14).count()).isEqualTo(14);
        assertThat(Behaviour.column("id", added.offset(12).limit(2))).containsExactly(12L, 15L);
        Dataset above = added.filter(col("n").gt(20)).drop("text");
        assertThat(above.count()).isEqualTo(97 - 11);
        Dataset beforeAndBehind = texts().filter(col("id").lt(50))
                .filter(number().ge(0), ErrorPolicy.skip())
                .filter(col("id").gt(10));
        assertThat(beforeAndBehind.count()).isEqualTo(39 - 2);
    }

    @Test
    default void nullsAreInTheColumnsThatFailAndInNoOthers() {
        Dataset nulled =
                texts().withColumns(List.of(number().as("n"), col("id").plus(1).as("next")), ErrorPolicy.nulls());
        List<Row> rows = nulled.takeAll();
        assertThat(rows).hasSize(100).allSatisfy(row -> {
            long id = row.getLong("id");
            assertThat(row.get("n")).isEqualTo(isBad(id) ? null : 2 * id);
            assertThat(row.get("next")).isEqualTo(id + 1);
        });
        assertThat(ErrorBehaviour.counter(nulled, "nulledRows")).isEqualTo(3);
        assertThat(nulled.count()).isEqualTo(100);
        Behaviour.assertError(() -> texts().filter(number().gt(1), ErrorPolicy.nulls()))
                .hasMessageContaining("a filter makes no rows");
    }

    @Test
    default void everyRowMayFail() {
        Dataset words = session().items(List.of(Row.of("text", "a"), Row.of("text", "b"), Row.of("text", "c")), 1);
        Dataset skipped = words.withColumn("n", number(), ErrorPolicy.skip());
        assertThat(skipped.takeAll()).isEmpty();
        assertThat(skipped.columns()).containsExactly("text", "n");
        Dataset nulled = words.withColumn("n", number(), ErrorPolicy.nulls());
        assertThat(Behaviour.column("n", nulled)).containsExactly(null, null, null);
        assertThat(words.filter(number().gt(0), ErrorPolicy.skip()).takeAll()).isEmpty();
    }

    @Test
    default void overflowsAndUsersFunctionsFailByTheRowToo() {
        Dataset sums = session().range(10, 2).withColumn("s", col("id").plus(Long.MAX_VALUE - 4), ErrorPolicy.skip());
        assertThat(Behaviour.column("id", sums)).containsExactly(0L, 1L, 2L, 3L, 4L);
        Dataset called = session()
                .range(40, 2)
                .withColumn("f", udf("odd", DataType.INT64, Calls::picky, col("id")), ErrorPolicy.deadLetter("calls"));
        assertThat(called.count()).isEqualTo(36);
        List<Row> letters = called.deadLetters().takeAll();
        assertThat(Behaviour.column("data", letters))
                .containsExactlyInAnyOrder("{\"id\":3}", "{\"id\":13}", "{\"id\":23}", "{\"id\":33}");
        assertThat(letters).allSatisfy(letter -> {
            assertThat(letter.getString("operator")).isEqualTo("select(id, f)");
            assertThat(letter.getLong("row")).isIn(3L, 13L);
            assertThat(letter.getString("error")).isEqualTo("java.lang.IllegalArgumentException");
            assertThat(letter.getString("line")).contains("ExpressionErrorBehaviour.java:");
        });
    }

    @Test
    default void valuesThatDoNotFitTheTypeOfAUsersFunctionFailByTheRow() {
        Dataset called = session()
                .range(10, 1)
                .withColumn("f", udf("half", DataType.INT64, Calls::sometimesText, col("id")), ErrorPolicy.nulls());
        assertThat(Behaviour.column("f", called)).containsExactly(0L, 1L, 2L, null, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    default void deadLettersOfExpressionsTellTheWholeRow() {
        Dataset dataset =
                texts().filter(number().ge(0), ErrorPolicy.deadLetter("texts")).select("id");
        assertThat(dataset.takeAll()).hasSize(97);
        List<Row> letters = session().deadLetters("texts").takeAll();
        assertThat(Behaviour.column("data", letters))
                .containsExactlyInAnyOrder(
                        "{\"id\":13,\"text\":\"no number\"}",
                        "{\"id\":14,\"text\":\"no number\"}",
                        "{\"id\":77,\"text\":\"no number\"}");
        assertThat(letters).allSatisfy(letter -> {
            assertThat(letter.getString("operator")).startsWith("filter(");
            assertThat(letter.getString("message")).contains("'no number'").doesNotContain("row 0");
        });
    }

    @Test
    default void aPolicysLimitHoldsForExpressions() {
        Behaviour.assertError(() -> texts().withColumn(
                                "n", number(), ErrorPolicy.skip().atMost(2))
                        .takeAll())
                .hasMessageContaining("n) failed on 3 rows")
                .hasMessageContaining("lets at most 2 pass");
        assertThat(texts().withColumn("n", number(), ErrorPolicy.skip().atMost(3))
                        .count())
                .isEqualTo(97);
        Behaviour.assertError(() -> texts().withColumn(
                                "n", number(), ErrorPolicy.skip().atMostRatio(0.02))
                        .takeAll())
                .hasMessageContaining("at most 2.0 % of 100");
    }

    @Test
    default void aMissingColumnIsNoFailingRow() {
        Dataset unknown = session().range(3).map(row -> row);
        Behaviour.assertError(() -> unknown.withColumn("n", col("nope").plus(1), ErrorPolicy.skip())
                        .takeAll())
                .hasMessageContaining("nope");
    }

    final class Calls {
        private Calls() {}

        static Long picky(Long id) {
            if (id % 10 == 3) {
                throw new IllegalArgumentException("bad id " + id);
            }
            return id;
        }

        static Object sometimesText(Long id) {
            return id == 3 ? "three" : id;
        }
    }
}
