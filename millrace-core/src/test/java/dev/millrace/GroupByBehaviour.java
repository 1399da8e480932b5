package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static dev.millrace.Behaviour.column;
import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.countDistinct;
import static dev.millrace.aggregate.Aggregates.define;
import static dev.millrace.aggregate.Aggregates.first;
import static dev.millrace.aggregate.Aggregates.list;
import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.mean;
import static dev.millrace.aggregate.Aggregates.quantile;
import static dev.millrace.aggregate.Aggregates.set;
import static dev.millrace.aggregate.Aggregates.std;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.aggregate.AggregateDefinition;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.OutputSchema;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Rows into groups.
interface GroupByBehaviour extends Behaviour {
    @Test
    default void eachGroupIsOneRowUnderTheNamesOfItsAggregates() {
        Dataset groups = session()
                .range(10, 3)
                .withColumn("odd", col("id").mod(2))
                .groupBy("odd")
                .aggregate(count(), sum("id"), mean("id"), sum("id"), max("id").as("last"));
        assertThat(groups.columns()).containsExactly("odd", "count()", "sum(id)", "mean(id)", "sum(id)_2", "last");
        List<Row> rows = groups.sort("odd").takeAll();
        assertThat(rows).hasSize(2);
        assertThat(rows.getFirst().asMap().values()).containsExactly(0L, 5L, 20L, 4.0, 20L, 8L);
        assertThat(rows.getLast().asMap().values()).containsExactly(1L, 5L, 25L, 5.0, 25L, 9L);
    }

    @Test
    default void whatIsDoneWithSomeOfTheColumnsSeesTheSameGroups() {
        Dataset groups = session()
                .range(10, 3)
                .withColumn("odd", col("id").mod(2))
                .groupBy("odd")
                .aggregate(sum("id"), mean("id"), sum("id"));
        assertThat(column("odd", groups.select("odd").sort("odd"))).containsExactly(0L, 1L);
        assertThat(column("sum(id)_2", groups.select("sum(id)_2").sort("sum(id)_2")))
                .containsExactly(20L, 25L);
        assertThat(column("count()", groups.aggregate(count()))).containsExactly(2L);
        assertThat(column(
                        "count()",
                        session().range(10, 3).aggregate(sum("id"), max("id")).aggregate(count())))
                .containsExactly(1L);
    }

    @Test
    default void shorthandsAreAggregatesOfEachGroup() {
        Groups groups = session()
                .range(10, 3)
                .withColumn("v", when(col("id").gt(3)).then(col("id")).orNull())
                .groupBy(col("id").mod(2).as("odd"));
        assertThat(column("count()", groups.count().sort("odd"))).containsExactly(5L, 5L);
        assertThat(groups.sum("id", "v").columns()).containsExactly("odd", "sum(id)", "sum(v)");
        assertThat(column("sum(v)", groups.sum("v").sort("odd"))).containsExactly(18L, 21L);
        assertThat(column("mean(id)", groups.mean("id").sort("odd"))).containsExactly(4.0, 5.0);
        assertThat(column("min(v)", groups.min("v").sort("odd"))).containsExactly(4L, 5L);
        assertThat(column("max(v)", groups.max("v").sort("odd"))).containsExactly(8L, 9L);
        assertThat(column("std(v)", groups.std("v").sort("odd"))).containsExactly(2.0, 2.0);
        assertThatThrownBy(groups::sum)
                .hasMessageContaining("sum of groups needs at least one column, e.g. sum(\"fare\").");
    }

    @Test
    default void aColumnOfAGroupsAggregateIsAddedToItsRows() {
        Dataset rows = session()
                .range(10, 3)
                .withColumn("even", col("id").mod(2).eq(0))
                .withColumn("v", when(col("id").gt(3)).then(col("id")).orNull())
                .groupBy("even")
                .withColumn("present", Aggregates.count("v"));
        assertThat(rows.columns()).containsExactly("id", "even", "v", "present");
        assertThat(column("present", rows.sort("id"))).containsExactly(3L, 3L, 3L, 3L, 3L, 3L, 3L, 3L, 3L, 3L);
        Dataset counted = rows.aggregate(Aggregates.count("v"), Aggregates.countIf("even"));
        assertThat(column("count(v)", counted)).containsExactly(6L);
        assertThat(column("countIf(even)", counted)).containsExactly(5L);
        assertThatThrownBy(() -> rows.aggregate(Aggregates.countIf("v")))
                .hasMessageContaining("countIf(v): the column 'v' is int64, but booleans are needed.");
    }

    @Test
    default void expressionsAreKeys() {
        Dataset groups = session()
                .range(100, 4)
                .groupBy(col("id").mod(3).as("rest"), col("id").lt(50).as("low"))
                .aggregate(count());
        assertThat(groups.columns()).containsExactly("rest", "low", "count()");
        assertThat(column("count()", groups.sort("rest", "low"))).containsExactly(17L, 17L, 16L, 17L, 17L, 16L);
    }

    /// As of files of which no part can have rows that a filter keeps.
    record NoParts() implements Source {
        @Override
        public String name() {
            return "NoParts";
        }

        @Override
        public Optional<Schema> schema() {
            return Optional.of(Schema.of("id", DataType.INT64));
        }

        @Override
        public Iterator<Split> splits(SplitRequest request) {
            return Collections.emptyIterator();
        }
    }

    @Test
    default void aSourceWithoutPartsIsOneGroupToo() {
        Dataset nothing = session().read(new NoParts());
        Row all = nothing.aggregate(count(), sum("id")).takeAll().getFirst();
        assertThat(all.asMap().values()).containsExactly(0L, null);
        assertThat(nothing.groupBy("id").aggregate(count()).takeAll()).isEmpty();
    }

    @Test
    default void withoutKeysAllRowsAreOneGroupAlsoNone() {
        Row all = session()
                .range(1001, 5)
                .aggregate(count(), sum("id"), std("id"))
                .takeAll()
                .getFirst();
        assertThat(all.getLong("count()")).isEqualTo(1001);
        assertThat(all.getLong("sum(id)")).isEqualTo(500_500);
        assertThat(all.getDouble("std(id)")).isBetween(289.107, 289.109);
        Dataset none = session().range(10).filter(col("id").lt(0)).aggregate(count(), sum("id"), mean("id"));
        assertThat(none.takeAll().getFirst().asMap().values()).containsExactly(0L, null, null);
        assertThat(session()
                        .range(10)
                        .filter(col("id").lt(0))
                        .groupBy("id")
                        .aggregate(count())
                        .takeAll())
                .isEmpty();
    }

    /// Grouping before the exchange is given up, and parts are made partition by partition.
    @Test
    default void almostAsManyGroupsAsRowsAreGrouped() {
        long rows = 400_000;
        Dataset groups = session()
                .range(rows, 2)
                .withColumn("key", col("id").mod(rows / 2 + 7))
                .groupBy("key")
                .aggregate(count(), sum("id"), first("id"), mean("id"), max("id"));
        Row total = groups.aggregate(count(), sum("count()"), sum("sum(id)"), max("max(id)"))
                .takeAll()
                .getFirst();
        assertThat(total.asMap().values()).containsExactly(rows / 2 + 7, rows, rows * (rows - 1) / 2, rows - 1);
        Row one = groups.filter(col("key").eq(5)).takeAll().getFirst();
        assertThat(one.asMap().values()).containsExactly(5L, 2L, 200_017L, 5L, 100_008.5, 200_012L);
    }

    @Test
    default void valuesAreCollectedInTheOrderOfTheRows() {
        Dataset rows = session()
                .range(9, 4)
                .withColumn("v", when(col("id").lt(3)).then(col("id").mod(2)).orNull());
        Dataset groups = rows.groupBy(col("id").mod(3).eq(0).as("third"))
                .aggregate(list("id"), list("v"), set("v"), countDistinct("v"), quantile("id", 0.5));
        List<Row> sorted = groups.sort("third").takeAll();
        assertThat(sorted.getFirst().asMap().values().toString())
                .isEqualTo("[false, [1, 2, 4, 5, 7, 8], [1, 0, null, null, null, null], [1, 0, null], 2, 4.5]");
        assertThat(sorted.getLast().asMap().values().toString())
                .isEqualTo("[true, [0, 3, 6], [0, null, null], [0, null], 1, 3.0]");
    }

    /// The distance between the least and the greatest, as text.
    final class Spread implements AggregateDefinition<long[]> {
        @Override
        public long[] init() {
            return new long[] {Long.MAX_VALUE, Long.MIN_VALUE};
        }

        @Override
        public long[] accumulate(long[] state, Object value) {
            long number = (Long) value;
            if (number == 77) {
                throw new IllegalStateException("no " + number);
            }
            return merge(state, new long[] {number, number});
        }

        @Override
        public long[] merge(long[] state, long[] other) {
            return new long[] {Math.min(state[0], other[0]), Math.max(state[1], other[1])};
        }

        @Override
        public Object finish(long[] state) {
            return state[0] > state[1] ? null : "from " + state[0] + " to " + state[1];
        }

        @Override
        public DataType type() {
            return DataType.UTF8;
        }
    }

    @Test
    default void anAggregateOfOnesOwnIsMergedFromAllTasks() {
        Dataset groups = session()
                .range(50, 6)
                .withColumn("key", col("id").mod(4))
                .groupBy("key")
                .aggregate(define("spread", "id", new Spread()));
        assertThat(groups.columns()).containsExactly("key", "spread(id)");
        assertThat(column("spread(id)", groups.sort("key")))
                .containsExactly("from 0 to 48", "from 1 to 49", "from 2 to 46", "from 3 to 47");
        Dataset none = session().range(5).filter(col("id").lt(0));
        assertThat(none.aggregate(define("spread", "id", new Spread()).as("s"))
                        .takeAll()
                        .getFirst()
                        .get("s"))
                .isNull();
        assertError(() -> session()
                        .range(80)
                        .aggregate(define("spread", "id", new Spread()))
                        .takeAll())
                .hasMessageContainingAll("spread(id) failed", "IllegalStateException: no 77");
    }

    @Test
    default void aFunctionSeesEachGroupAsOneBatch() {
        Dataset groups = session()
                .range(100, 7)
                .withColumn("key", col("id").mod(9))
                .groupBy("key")
                .mapGroups(batch -> Batch.of(
                        "key",
                        new long[] {batch.longs("key").get(0)},
                        "rows",
                        new long[] {batch.rows()},
                        "ends",
                        new long[] {
                            batch.longs("id").get(0) * 1000 + batch.longs("id").get(batch.rows() - 1)
                        }));
        List<Row> rows = groups.sort("key").takeAll();
        assertThat(rows).hasSize(9);
        assertThat(rows.getFirst().asMap().values()).containsExactly(0L, 12L, 99L);
        assertThat(rows.getLast().asMap().values()).containsExactly(8L, 11L, 8098L);
        assertError(() -> session()
                        .range(5)
                        .groupBy("id")
                        .mapGroups(batch -> null)
                        .takeAll())
                .hasMessageContainingAll("mapGroups(", "returned null (the group of id ");
        assertError(() -> session()
                        .range(5)
                        .filter(col("id").eq(3))
                        .groupBy("id")
                        .mapGroups(batch -> {
                            throw new IllegalStateException("no");
                        })
                        .takeAll())
                .hasMessageContainingAll("mapGroups(", "failed on the group of id 3", "IllegalStateException: no");
    }

    /// Sums the ids of a group; fails on the group of the key 3. Counts how often it is made and closed.
    class GroupSums implements BatchFunction, OutputSchema, AutoCloseable {
        private static final long serialVersionUID = 1L;
        static final AtomicInteger MADE = new AtomicInteger();
        static final AtomicInteger CLOSED = new AtomicInteger();

        GroupSums() {
            MADE.incrementAndGet();
        }

        @Override
        public Batch apply(Batch batch) {
            long key = batch.longs("key").get(0);
            if (key == 3) {
                throw new IllegalStateException("no 3");
            }
            long sum = 0;
            for (long i = 0; i < batch.rows(); i++) {
                sum += batch.longs("id").get(i);
            }
            return batch.none().with("key", new long[] {key}).with("sum", new long[] {sum});
        }

        @Override
        public Optional<Schema> outputSchema(Schema input) {
            return Optional.of(Schema.of("key", DataType.INT64, "sum", DataType.INT64));
        }

        @Override
        public void close() {
            CLOSED.incrementAndGet();
        }
    }

    /// Keys 0 to `keys - 1`, of 10 rows each.
    private Groups tens(long keys) {
        return session()
                .range(10 * keys, 4)
                .withColumn("key", col("id").mod(keys))
                .groupBy("key");
    }

    @Test
    default void aModelIsMadeOncePerActorAndCalledWithEachGroup() {
        assertThat(column("sum", tens(2).mapGroups(GroupSums::new).sort("key"))).containsExactly(90L, 100L);
        GroupSums.MADE.set(0);
        GroupSums.CLOSED.set(0);
        Dataset sums = tens(3).mapGroups(() -> new GroupSums(), Compute.actors(2));
        assertThat(sums.sort("key").takeAll())
                .containsExactly(
                        Row.of("key", 0L, "sum", 135L), Row.of("key", 1L, "sum", 145L), Row.of("key", 2L, "sum", 155L));
        assertThat(GroupSums.MADE.get()).isBetween(1, 2);
        session().close();
        assertThat(GroupSums.CLOSED.get()).isGreaterThanOrEqualTo(GroupSums.MADE.get());
    }

    @Test
    default void groupsAreWholeWhateverTheFunctionRunsWith() {
        for (Compute compute : List.of(
                Compute.defaults(),
                Compute.tasks(1),
                Compute.defaults().cpus(0.5).memory(1024).name("sums"))) {
            Dataset sums = tens(100).mapGroups(batch -> Batch.of("rows", new long[] {batch.rows()}), compute);
            assertThat(column("rows", sums)).hasSize(100).containsOnly(10L);
        }
    }

    @Test
    default void aGroupThatFailsFallsUnderThePolicyAsAWhole() {
        for (boolean inActors : List.of(false, true)) {
            Dataset skipped = sums(ErrorPolicy.skip(), inActors);
            assertThat(column("key", skipped.sort("key"))).containsExactly(0L, 1L, 2L, 4L);
            Dataset nulls = sums(ErrorPolicy.nulls(), inActors);
            assertThat(column("key", nulls.sort("key")))
                    .startsWith(0L, 1L, 2L, 4L)
                    .hasSize(14)
                    .endsWith((Object) null);
            Dataset letters = sums(ErrorPolicy.deadLetter("groups"), inActors);
            assertThat(letters.count()).isEqualTo(4);
            assertThat(letters.deadLetters().takeAll())
                    .hasSize(10)
                    .allSatisfy(letter -> assertThat(letter.getString("data")).contains("\"key\":3"))
                    .allSatisfy(
                            letter -> assertThat(letter.getString("message")).isEqualTo("no 3"));
            assertError(() -> sums(ErrorPolicy.skip().atMost(9), inActors).takeAll())
                    .hasMessageContainingAll("failed on 10 rows", "lets at most 9 pass", "the group of key 3");
        }
    }

    private Dataset sums(ErrorPolicy policy, boolean inActors) {
        return inActors
                ? tens(5).mapGroups(() -> new GroupSums(), Compute.actors(1).onError(policy))
                : tens(5).mapGroups(new GroupSums(), Compute.defaults().onError(policy));
    }

    @Test
    default void aFunctionOverGroupsIsCheckedAtTheCall() {
        Dataset sums = tens(2).mapGroups(new GroupSums());
        assertThat(sums.columns()).containsExactly("key", "sum");
        assertThat(sums.lastRun()).isEmpty();
        assertError(() -> tens(2).mapGroups(new GroupSums(), Compute.defaults().batchSize(5)))
                .hasMessageContaining("mapGroups works on whole groups; a batch size is for mapBatches.");
        assertError(() -> tens(2).mapGroups(new GroupSums(), Compute.actors(1)))
                .hasMessageContaining("a function runs as tasks, but the compute asks for actors.");
    }

    @Test
    default void integersCloseTogetherAreGroupedByTheirValue() {
        Dataset groups = session()
                .range(100_000, 3)
                .withColumn("key", col("id").mod(1000).minus(500))
                .groupBy("key")
                .aggregate(count(), sum("id"));
        List<Row> rows = groups.sort("key").takeAll();
        assertThat(rows).hasSize(1000);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i).asMap().values()).containsExactly(i - 500L, 100L, 4_950_000L + 100L * i);
        }
    }

    @Test
    default void aSumBeyondInt64NamesItsColumn() {
        Dataset large = session().range(3).withColumn("big", col("id").plus(Long.MAX_VALUE / 2));
        assertError(() -> large.aggregate(sum("big")).takeAll())
                .hasMessageContainingAll("sum(big)", "the column 'big' is ", "beyond int64", "float64");
        assertThat(column("sum(big)", large.limit(2).aggregate(sum("big")))).containsExactly(Long.MAX_VALUE);
    }

    @Test
    default void whatCannotBeGroupedIsSaidAtTheCall() {
        Dataset rows = session().range(3).withColumn("text", col("id").cast(DataType.UTF8));
        assertError(() -> rows.groupBy("zone")).hasMessageContainingAll("zone", "id, text");
        assertError(() -> rows.groupBy(new String[0])).hasMessageContainingAll("groupBy: give at least one column");
        assertError(() -> rows.groupBy("id", "id")).hasMessageContainingAll("'id' would come twice");
        assertError(() -> rows.groupBy("id").aggregate(sum("v"))).hasMessageContainingAll("sum(v)", "'v'", "id, text");
        assertError(() -> rows.groupBy("id").aggregate(sum("text")))
                .hasMessageContainingAll("sum(text): the column 'text' is utf8, but numbers");
        assertError(() -> rows.aggregate()).hasMessageContainingAll("aggregate: give at least one aggregate");
    }
}
