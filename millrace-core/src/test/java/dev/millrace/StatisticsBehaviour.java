package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static dev.millrace.Behaviour.column;
import static dev.millrace.aggregate.Aggregates.approximateCountDistinct;
import static dev.millrace.aggregate.Aggregates.approximateQuantile;
import static dev.millrace.aggregate.Aggregates.approximateQuantiles;
import static dev.millrace.aggregate.Aggregates.approximateTopK;
import static dev.millrace.aggregate.Aggregates.missingPercentage;
import static dev.millrace.aggregate.Aggregates.std;
import static dev.millrace.aggregate.Aggregates.valueCounts;
import static dev.millrace.aggregate.Aggregates.variance;
import static dev.millrace.aggregate.Aggregates.zeroPercentage;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.millrace.batch.Row;
import dev.millrace.type.DataType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Shares, counts of values and sketches; answers are Ray Data's unless a test says otherwise.
interface StatisticsBehaviour extends Behaviour {
    record Measured(long g, Double v, String w) {}

    private Dataset measured() {
        return session()
                .items(
                        List.of(
                                new Measured(0, 0.0, "a"),
                                new Measured(1, null, "b"),
                                new Measured(0, Double.NaN, "a"),
                                new Measured(1, 0.0, null),
                                new Measured(0, 5.0, "c"),
                                new Measured(1, -0.0, "a"),
                                new Measured(0, 7.5, "b"),
                                new Measured(1, null, null)),
                        3);
    }

    private static Map<String, Object> entry(Object value, long count) {
        return value == null ? nullEntry(count) : Map.of("value", value, "count", count);
    }

    private static Map<String, Object> nullEntry(long count) {
        Map<String, Object> entry = new HashMap<>();
        entry.put("value", null);
        entry.put("count", count);
        return entry;
    }

    @Test
    default void missingAndZeroValuesArePercentages() {
        Row all = measured()
                .aggregate(missingPercentage("v"), missingPercentage("w"), zeroPercentage("v"))
                .takeAll()
                .getFirst();
        assertThat(all.getDouble("missingPercentage(v)")).isEqualTo(37.5);
        assertThat(all.getDouble("missingPercentage(w)")).isEqualTo(25.0);
        assertThat(all.getDouble("zeroPercentage(v)")).isEqualTo(50.0);
        List<Row> groups = measured()
                .groupBy("g")
                .aggregate(
                        missingPercentage("v").as("missing"),
                        zeroPercentage("v").as("zero"))
                .sort("g")
                .takeAll();
        assertThat(column("missing", groups)).containsExactly(25.0, 50.0);
        assertThat(column("zero", groups)).containsExactly(25.0, 100.0);
    }

    /// Ray Data has two counts for 0.0 and -0.0.
    @Test
    default void valuesAreCountedNullToo() {
        Row all = measured()
                .aggregate(valueCounts("w"), valueCounts("v"))
                .takeAll()
                .getFirst();
        assertThat(all.get("valueCounts(w)"))
                .isEqualTo(List.of(entry("a", 3), entry("b", 2), entry(null, 2), entry("c", 1)));
        assertThat(all.get("valueCounts(v)"))
                .isEqualTo(List.of(entry(0.0, 3), entry(null, 2), entry(Double.NaN, 1), entry(5.0, 1), entry(7.5, 1)));
        Dataset rows = measured().valueCounts("w");
        assertThat(rows.columns()).containsExactly("w", "count");
        assertThat(column("count", rows)).containsExactly(3L, 2L, 2L, 1L);
        assertThat(column("w", rows)).startsWith("a").endsWith("c").contains((Object) null);
        assertThat(session()
                        .range(4)
                        .rename(Map.of("id", "count"))
                        .valueCounts("count")
                        .columns())
                .containsExactly("count", "count_2");
    }

    @Test
    default void theMostFrequentValuesComeFirstWithoutNull() {
        List<Row> groups = measured()
                .groupBy("g")
                .aggregate(approximateTopK("w", 2).as("top"))
                .sort("g")
                .takeAll();
        assertThat(groups.getFirst().get("top")).isEqualTo(List.of(entry("a", 2), entry("c", 1)));
        assertThat(groups.getLast().get("top")).isEqualTo(List.of(entry("b", 1), entry("a", 1)));
        Dataset skewed = session()
                .range(300_000, 7)
                .withColumn("v", when(col("id").mod(10).eq(0)).then(-1L).otherwise(col("id")));
        List<?> top = (List<?>) skewed.aggregate(approximateTopK("v", 3).as("top"))
                .takeAll()
                .getFirst()
                .get("top");
        assertThat(top.getFirst()).isEqualTo(entry(-1L, 30_000));
        assertThat(top).hasSize(3);
    }

    @Test
    default void approximateQuantilesOfFewValuesAreExact() {
        assertThat(measured()
                        .aggregate(
                                approximateQuantiles("v", 0, 0.25, 0.5, 0.75, 1).as("q"))
                        .takeAll()
                        .getFirst()
                        .get("q"))
                .isEqualTo(List.of(-0.0, 0.0, 0.0, 5.0, 7.5));
        assertThat(session()
                        .items(20.0, 40.0, 60.0, 80.0, 100.0)
                        .aggregate(approximateQuantiles("item", 0.1, 0.5, 0.9).as("q"))
                        .takeAll()
                        .getFirst()
                        .get("q"))
                .isEqualTo(List.of(20.0, 60.0, 100.0));
        assertThat(session()
                        .items(1, 2, 3, 4)
                        .aggregate(
                                approximateQuantile("item", 0.25).as("low"),
                                approximateQuantile("item", 0.5).as("middle"),
                                approximateQuantile("item", 0.76).as("high"))
                        .takeAll()
                        .getFirst()
                        .asMap()
                        .values())
                .containsExactly(2.0, 3.0, 4.0);
    }

    /// Not Ray Data's: it has no such aggregate.
    @Test
    default void differentValuesAreCountedApproximately() {
        Row row = session()
                .range(400_000, 4)
                .withColumn("text", col("id").mod(150_000).cast(DataType.UTF8))
                .withColumn("few", col("id").mod(37))
                .aggregate(
                        approximateCountDistinct("id").as("id"),
                        approximateCountDistinct("text").as("text"),
                        approximateCountDistinct("few").as("few"))
                .takeAll()
                .getFirst();
        assertThat(row.getLong("id")).isBetween(390_000L, 410_000L);
        assertThat(row.getLong("text")).isBetween(146_000L, 154_000L);
        assertThat(row.getLong("few")).isEqualTo(37);
    }

    /// Ray Data's answers: the deviation with `ddof=0` that its scaler uses.
    @Test
    default void deviationsOfAPopulation() {
        Dataset data = session().items(10, 20, 30, 0, -40);
        Row row = data.aggregate(std("item", 0).as("std"), variance("item", 0).as("variance"))
                .takeAll()
                .getFirst();
        assertThat(row.getDouble("std")).isCloseTo(24.166091947189145, offset(1e-12));
        assertThat(row.getDouble("variance")).isCloseTo(584.0, offset(1e-9));
    }

    @Test
    default void ofNothingStatisticsAreNullAndCountsZero() {
        Dataset nothing = session().range(10).filter(col("id").lt(0));
        assertThat(nothing.aggregate(
                                approximateCountDistinct("id"),
                                approximateQuantile("id", 0.5),
                                approximateTopK("id", 3),
                                valueCounts("id"),
                                missingPercentage("id"),
                                zeroPercentage("id"))
                        .takeAll()
                        .getFirst()
                        .asMap()
                        .values())
                .containsExactly(0L, null, null, null, null, null);
    }

    @Test
    default void statisticsThatCannotBeAreErrors() {
        assertError(() -> approximateQuantile("v", 1.5))
                .hasMessage("approximateQuantile(v): the quantile must be between 0 and 1, not 1.5.");
        assertError(() -> approximateQuantiles("v")).hasMessageContaining("give at least one quantile");
        assertError(() -> approximateTopK("v", 0)).hasMessage("approximateTopK(v): ask for 1 value or more, not 0.");
        assertError(() -> std("v", -1)).hasMessageContaining("must be 0 or more, not -1");
        assertError(() -> measured().aggregate(zeroPercentage("w")))
                .hasMessage("zeroPercentage(w): the column 'w' is utf8, but numbers are needed.");
        assertError(() -> measured().valueCounts("x")).hasMessageContaining("'x'");
    }
}
