package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static dev.millrace.Behaviour.column;
import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Row;
import dev.millrace.relation.AsOf;
import dev.millrace.relation.Join;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Rows of two datasets with equal keys.
interface JoinBehaviour extends Behaviour {
    private Dataset left() {
        return session()
                .items(List.of(
                        Row.of("id", 1, "a", "x"),
                        Row.of("id", 2, "a", "y"),
                        Row.of("id", null, "a", "z"),
                        Row.of("id", 1, "a", "w")));
    }

    private Dataset right() {
        return session()
                .items(List.of(Row.of("id", 1, "b", 10), Row.of("id", 3, "b", 30), Row.of("id", null, "b", 40)));
    }

    private static List<String> rows(Dataset dataset) {
        return dataset.takeAll().stream()
                .map(row -> row.asMap().values().toString())
                .sorted()
                .toList();
    }

    @Test
    default void everyKindOfJoinKeepsItsRowsAndNullsMatchNothing() {
        assertThat(rows(left().join(right(), Join.inner("id")))).containsExactly("[1, w, 10]", "[1, x, 10]");
        assertThat(rows(left().join(right(), Join.left("id"))))
                .containsExactly("[1, w, 10]", "[1, x, 10]", "[2, y, null]", "[null, z, null]");
        assertThat(rows(left().join(right(), Join.right("id"))))
                .containsExactly("[1, w, 10]", "[1, x, 10]", "[3, null, 30]", "[null, null, 40]");
        assertThat(rows(left().join(right(), Join.full("id"))))
                .containsExactly(
                        "[1, w, 10]",
                        "[1, x, 10]",
                        "[2, y, null]",
                        "[3, null, 30]",
                        "[null, null, 40]",
                        "[null, z, null]");
        assertThat(rows(left().join(right(), Join.leftSemi("id")))).containsExactly("[1, w]", "[1, x]");
        assertThat(rows(left().join(right(), Join.leftAnti("id")))).containsExactly("[2, y]", "[null, z]");
        assertThat(rows(left().join(right(), Join.rightSemi("id")))).containsExactly("[1, 10]");
        assertThat(rows(left().join(right(), Join.rightAnti("id")))).containsExactly("[3, 30]", "[null, 40]");
        assertThat(left().join(right().rename("id", "other"), Join.cross()).count())
                .isEqualTo(12);
    }

    @Test
    default void textOfBothSidesIsGroupedAfterAJoinOfAnyKind() {
        List<Row> lefts = new ArrayList<>();
        List<Row> rights = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            lefts.add(Row.of("id", i, "of", "left " + i % 5));
            rights.add(Row.of("key", 2 * i, "by", i % 700 == 3 ? null : "right " + i % 3, "all", "text " + i));
        }
        Dataset left = session().items(lefts).repartition(3);
        Dataset right = session().items(rights).repartition(3);
        for (Join join : List.of(Join.inner(), Join.left(), Join.right(), Join.full())) {
            Map<List<Object>, Long> expected = new HashMap<>();
            for (int id = 0; id < 8_000; id++) {
                Row one = id < 4_000 ? lefts.get(id) : null;
                Row other = id % 2 == 0 ? rights.get(id / 2) : null;
                if ((one != null || join.kind().keepsRight())
                        && (other != null || join.kind().keepsLeft())
                        && (one != null || other != null)) {
                    Object of = one == null ? null : one.get("of");
                    Object by = other == null ? null : other.get("by");
                    expected.merge(Arrays.asList(of, by), 1L, Long::sum);
                }
            }
            Dataset joined = left.join(right, join.on("id", "key").broadcast(0));
            Map<List<Object>, Long> groups = new HashMap<>();
            for (Row row : joined.groupBy("of", "by").aggregate(count().as("n")).takeAll()) {
                groups.put(Arrays.asList(row.get("of"), row.get("by")), row.getLong("n"));
            }
            assertThat(groups).as(join.toString()).isEqualTo(expected);
            assertThat(joined.groupBy("all").aggregate(count()).count())
                    .isEqualTo(
                            join.kind().keepsRight()
                                    ? 4_000 + (join.kind().keepsLeft() ? 1 : 0)
                                    : 2_000 + (join.kind().keepsLeft() ? 1 : 0));
        }
    }

    @Test
    default void keysMayHaveTwoNamesAndNamesOfBothSidesGetSuffixes() {
        Dataset other = right().rename("b", "a");
        assertThat(left().join(other, Join.inner("id").rightSuffix("_right")).columns())
                .containsExactly("id", "a", "a_right");
        assertThat(left().join(other, Join.inner("id").leftSuffix("_l").rightSuffix("_r"))
                        .columns())
                .containsExactly("id", "a_l", "a_r");
        Dataset named = left().join(right().rename("id", "key"), Join.left().on("id", "key"));
        assertThat(named.columns()).containsExactly("id", "a", "key", "b");
        assertThat(rows(named))
                .containsExactly("[1, w, 1, 10]", "[1, x, 1, 10]", "[2, y, null, null]", "[null, z, null, null]");
        Dataset suffixed = left().join(other, Join.inner("id").rightSuffix("_right"));
        assertThat(column("a_right", suffixed.select("a_right"))).containsExactly(10, 10);
        assertError(() -> left().join(other, Join.inner("id")))
                .hasMessage(
                        "join: both sides have a column 'a'. Give a suffix, e.g. .rightSuffix(\"_right\"), or drop or"
                                + " rename one of them.");
        assertError(() -> left().join(other, Join.inner("id").leftSuffix("_s").rightSuffix("_s")))
                .hasMessage("join: the column 'a_s' would come twice, of [id, a_s, a_s]. Give other suffixes.");
        assertThat(left().join(other, Join.leftSemi("id")).columns()).containsExactly("id", "a");
    }

    @Test
    default void mistakesInAJoinAreErrorsAtTheCall() {
        assertError(() -> left().join(right(), Join.inner("nothing")))
                .hasMessageContaining("join (the left)")
                .hasMessageContaining("'nothing'");
        assertError(() -> left().join(right(), Join.inner().on("id", "c")))
                .hasMessageContaining("join (the right)")
                .hasMessageContaining("'c'");
        assertError(() -> left().join(right(), Join.inner().on("a", "id")))
                .hasMessage(
                        "join: the key 'a' of the left is utf8 and 'id' of the right is int32, whose values cannot be"
                                + " equal. Cast one of them first.");
        assertError(() -> left().join(right(), Join.inner())).hasMessageStartingWith("join: give at least one key");
        assertError(() -> left().join(right(), Join.cross().on("id", "id")))
                .hasMessageStartingWith("join: a cross join pairs all rows");
        Dataset lists = session().items(List.of(Row.of("id", List.of(1))));
        assertError(() -> lists.join(lists, Join.inner("id"))).hasMessageContaining("cannot be a key");
    }

    @Test
    default void typesThatCannotBeEqualAreFoundWhenTheyBecomeKnown() {
        Dataset hidden = session().range(3).map(row -> Row.of("id", "text"));
        assertError(() -> left().join(hidden, Join.inner("id")).takeAll())
                .hasMessageContaining("the key 'id' of the left is int32 and 'id' of the right is utf8");
    }

    @Test
    default void numbersAreEqualByValueAndZerosAndNansAreOne() {
        Dataset doubles = session()
                .items(List.of(
                        Row.of("k", 0.0, "a", 1),
                        Row.of("k", Double.NaN, "a", 2),
                        Row.of("k", 3.0, "a", 3),
                        Row.of("k", 0.5, "a", 4)));
        Dataset others = session()
                .items(List.of(Row.of("k", -0.0, "b", 1), Row.of("k", Double.NaN, "b", 2), Row.of("k", 0.25, "b", 3)));
        assertThat(rows(doubles.join(others, Join.inner("k")).select("a", "b"))).containsExactly("[1, 1]", "[2, 2]");
        Dataset longs = session().items(List.of(Row.of("k", 3L, "b", 3), Row.of("k", (1L << 53) + 1, "b", 4)));
        assertThat(rows(doubles.join(longs, Join.inner("k")))).containsExactly("[3.0, 3, 3]");
        assertThat(longs.join(doubles, Join.full("k")).schema().type("k")).isEqualTo(DataType.FLOAT64);
    }

    @Test
    default void aKeyOfVeryManyRowsStreams() {
        Dataset many = session().range(100_000).withColumn("k", lit(7));
        Dataset pairs = many.join(many.rename("id", "other"), Join.inner("k"));
        assertThat(pairs.limit(300_000).count()).isEqualTo(300_000);
        Dataset some = session().range(2_000).withColumn("k", lit(7));
        assertThat(some.join(some.rename("id", "other"), Join.inner("k")).count())
                .isEqualTo(4_000_000);
    }

    @Test
    default void joinsOfManyRowsRepeatInOneOrder() {
        Dataset a = session().range(50_000, 7).withColumn("k", col("id").mod(1000));
        Dataset b =
                session().range(3_000, 3).withColumn("k", col("id").mod(1500)).rename("id", "other");
        Dataset joined = a.join(b, Join.left("k"));
        List<Row> rows = joined.takeAll();
        assertThat(rows).hasSize(100_000).isEqualTo(joined.takeAll());
        assertThat(rows).allMatch(row -> row.getLong("other") % 1500 == row.getLong("id") % 1000);
        assertThat(joined.count()).isEqualTo(100_000);
    }

    @Test
    default void sidesWithoutRowsOrBlocksAreJoined() {
        Dataset none = right().filter(col("b").lt(0));
        Dataset hidden = none.mapBatches(batch -> batch);
        assertThat(rows(left().join(none, Join.inner("id")))).isEmpty();
        assertThat(left().join(none, Join.left("id")).count()).isEqualTo(4);
        assertThat(left().join(hidden, Join.left("id")).takeAll()).hasSize(4);
        assertThat(left().join(hidden, Join.leftAnti("id")).takeAll()).hasSize(4);
        assertThat(none.join(left(), Join.full("id")).count()).isEqualTo(4);
        assertThat(none.join(none, Join.full("id").rightSuffix("_2")).takeAll()).isEmpty();
        assertThat(none.join(left(), Join.inner("id")).columns()).containsExactly("id", "b", "a");
    }

    @Test
    default void besideASmallSideTheOtherKeepsItsOrder() {
        Dataset rows = session().range(20_000, 9);
        Dataset small =
                session().range(300, 4).withColumn("k", col("id").times(50)).rename("id", "n");
        Dataset joined = rows.join(small, Join.inner().on("id", "k"));
        assertThat(column("id", joined)).hasSize(300).isSorted();
        assertThat(column("id", rows.join(small, Join.left().on("id", "k"))))
                .hasSize(20_000)
                .isSorted();
        assertThat(joined.explain()).contains("(or tasks over the left alone, if the other side is small)");
        assertThat(rows.join(small, Join.inner().on("id", "k").broadcast(0)).explain())
                .doesNotContain("(or tasks");
        assertThat(column("n", rows.join(small, Join.inner().on("id", "k").broadcast(2_000))))
                .hasSize(300)
                .doesNotHaveDuplicates();
    }

    /// Each task tells which rows of the small side it met; those of 20,000 that nobody met come out once.
    @Test
    default void theSmallSideMayBeTheOneThatIsKept() {
        Dataset rows = session().range(20_000, 9).rename("id", "k2");
        Dataset small =
                session().range(300, 4).withColumn("k", col("id").mod(250).times(90));
        for (Join join : List.of(Join.left(), Join.leftSemi(), Join.leftAnti(), Join.full())) {
            Join onKeys = join.on("k", "k2");
            Dataset shared = small.join(rows, onKeys.broadcast(20_000));
            assertThat(shared.explain()).contains("(or tasks over the right alone, if the other side is small)");
            assertThat(rows(shared))
                    .as(join.toString())
                    .containsExactlyInAnyOrderElementsOf(rows(small.join(rows, onKeys.broadcast(0))));
        }
        for (Join join : List.of(Join.right(), Join.rightSemi(), Join.rightAnti(), Join.full())) {
            Join onKeys = join.on("k2", "k");
            Dataset shared = rows.join(small, onKeys.broadcast(20_000));
            assertThat(shared.explain()).contains("(or tasks over the left alone, if the other side is small)");
            assertThat(rows(shared))
                    .as(join.toString())
                    .containsExactlyInAnyOrderElementsOf(rows(rows.join(small, onKeys.broadcast(0))));
        }
        Dataset nobody = rows.filter(col("k2").lt(0));
        assertThat(small.join(nobody, Join.left().on("k", "k2")).count()).isEqualTo(300);
        assertThat(small.join(nobody, Join.full().on("k", "k2")).count()).isEqualTo(300);
    }

    @Test
    default void theNearestRowIsTaken() {
        Dataset trades = session()
                .items(List.of(Row.of("s", "a", "t", 10), Row.of("s", "a", "t", 3), Row.of("s", "b", "t", 10)));
        Dataset quotes = session()
                .items(List.of(Row.of("s", "a", "q", 4), Row.of("s", "a", "q", 11), Row.of("s", "c", "q", 10)));
        assertThat(rows(trades.join(quotes, Join.left("s").asOf(AsOf.earlier("t", "q")))))
                .containsExactly("[a, 10, 4]", "[a, 3, null]", "[b, 10, null]");
        assertThat(rows(trades.join(quotes, Join.inner("s").asOf(AsOf.nearest("t", "q")))))
                .containsExactly("[a, 10, 11]", "[a, 3, 4]");
        assertThat(rows(trades.join(quotes, Join.inner("s").asOf(AsOf.later("t", "q")))
                        .filter(col("q").lt(11))))
                .containsExactly("[a, 3, 4]");
    }
}
