package dev.millrace;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.countDistinct;
import static dev.millrace.aggregate.Aggregates.first;
import static dev.millrace.aggregate.Aggregates.last;
import static dev.millrace.aggregate.Aggregates.list;
import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.mean;
import static dev.millrace.aggregate.Aggregates.min;
import static dev.millrace.aggregate.Aggregates.missingPercentage;
import static dev.millrace.aggregate.Aggregates.quantile;
import static dev.millrace.aggregate.Aggregates.set;
import static dev.millrace.aggregate.Aggregates.std;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.aggregate.Aggregates.valueCounts;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Aggregates over all rows that go by parts agree with those of one group, which do not.
class GlobalAggregateTest {
    private Session session = open(BlockSettings.DEFAULT.targetBytes());

    private static Session open(long targetBytes) {
        return Session.builder()
                .blocks(BlockSettings.DEFAULT.withTargetBytes(targetBytes))
                .progress(ProgressSettings.OFF)
                .open();
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(session.allocator().heldBytes()).isZero();
        session.close();
    }

    private static final Aggregate[] OTHERS = {
        count().as("rows"),
        first("x").as("first"),
        last("text").as("last"),
        countDistinct("text"),
        quantile("real", 0.5).as("median of reals"),
        quantile("decimal", 0.25).as("quarter of decimals"),
        sum("x").as("sum"),
        mean("x").as("mean"),
        std("x").as("std"),
        min("x").as("min"),
        max("x").as("max"),
        quantile("x", 0.9).as("high"),
        quantile("x", 0.1).as("low"),
        list("decimal").as("decimals"),
        missingPercentage("x").as("missing")
    };

    private static Row row(Random random) {
        int i = random.nextInt(700);
        boolean none = random.nextInt(10) == 0;
        double[] odd = {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, 1.5};
        return Row.of(
                "x", none ? null : (long) i,
                "text", none ? null : "text " + i,
                "real", none ? null : odd[i % odd.length],
                "truth", none ? null : i % 2 == 0,
                "decimal", none ? null : BigDecimal.valueOf(i, 2),
                "date", none ? null : LocalDate.ofEpochDay(i),
                "bytes", none ? null : new byte[] {(byte) i},
                "list", none ? null : List.of((long) (i % 7), 1L),
                "struct", none ? null : Map.of("a", (long) (i % 3), "b", "t" + i % 2),
                "place", i % 3);
    }

    private static List<Row> rows(int count) {
        Random random = new Random(1);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(row(random));
        }
        return rows;
    }

    /// In one block, and in blocks, bundles and parts of a few rows.
    @ParameterizedTest
    @ValueSource(longs = {128 << 20, 2000})
    void everyTypeIsAsInOneGroup(long targetBytes) {
        session.close();
        session = open(targetBytes);
        Dataset all = session.items(rows(1500), 7);
        Dataset one = all.withColumn("one", lit(1L));
        for (String column : all.schema().names()) {
            List<Aggregate> aggregates = new ArrayList<>(List.of(countDistinct(column), list(column)));
            aggregates.addAll(List.of(OTHERS));
            aggregates.addAll(List.of(set(column), valueCounts(column), countDistinct(column)));
            Aggregate[] wantedOnes = aggregates.toArray(Aggregate[]::new);
            Row wanted = one.groupBy("one")
                    .aggregate(wantedOnes)
                    .drop("one")
                    .takeAll()
                    .getFirst();
            Row got = all.aggregate(wantedOnes).takeAll().getFirst();
            assertThat(got.columns()).as(column).isEqualTo(wanted.columns());
            for (String name : got.columns()) {
                if (got.get(name) instanceof Double value && !value.isNaN()) {
                    assertThat(value).as(column + ": " + name).isCloseTo((Double) wanted.get(name), within(1e-6));
                } else {
                    assertThat(plain(got.get(name)).equals(plain(wanted.get(name))))
                            .as(column + ": " + name)
                            .isTrue();
                }
            }
        }
    }

    /// With arrays as texts, which are equal where their bytes are.
    private static Object plain(Object value) {
        return switch (value) {
            case byte[] bytes -> Arrays.toString(bytes);
            case List<?> list -> list.stream().map(GlobalAggregateTest::plain).toList();
            case Map<?, ?> map ->
                map.keySet().stream().sorted().map(key -> plain(map.get(key))).toList();
            case null -> "null";
            default -> value;
        };
    }

    @ParameterizedTest
    @ValueSource(longs = {128 << 20, 2000})
    void countedInTheTasksThatMakeTheRowsTheyComeInTheSameOrder(long targetBytes) {
        session.close();
        session = open(targetBytes);
        Dataset rows = session.range(20_000)
                .withColumn("k", col("id").times(7_919L).mod(601L))
                .withColumn("t", col("k").cast(DataType.UTF8));
        Row got = rows.aggregate(valueCounts("k"), sum("id").as("sum"), valueCounts("t"))
                .takeAll()
                .getFirst();
        Row wanted = rows.withColumn("one", lit(1L))
                .groupBy("one")
                .aggregate(valueCounts("k"), sum("id").as("sum"), valueCounts("t"))
                .drop("one")
                .takeAll()
                .getFirst();
        assertThat(got).isEqualTo(wanted);
    }

    @Test
    void dictionariesAndPlainTextsMeet() {
        Dataset plain = session.range(1000).withColumn("t", col("id").mod(20L).cast(DataType.UTF8));
        Dataset coded = session.range(1000)
                .withColumn("t", col("id").mod(10L).cast(DataType.UTF8).cast(DataType.dictionary(DataType.UTF8)));
        Row row = plain.union(coded)
                .aggregate(countDistinct("t").as("n"), list("t").as("list"), set("t").as("set"))
                .takeAll()
                .getFirst();
        assertThat(row.get("n")).isEqualTo(20L);
        assertThat((List<?>) row.get("list")).hasSize(2000);
        assertThat((List<?>) row.get("set")).hasSize(20);
    }

    @Test
    void noRowsAndNothingButNullsHaveNoValues() {
        Aggregate[] aggregates = {
            countDistinct("x").as("n"),
            count().as("rows"),
            max("x").as("max"),
            quantile("x", 0.5).as("median"),
            list("x").as("list"),
            set("x").as("set"),
            valueCounts("x").as("counts")
        };
        Row nothing =
                Row.of("n", 0L, "rows", 0L, "max", null, "median", null, "list", null, "set", null, "counts", null);
        Dataset none = session.range(0).select(col("id").as("x"));
        assertThat(none.aggregate(aggregates).takeAll()).containsExactly(nothing);
        assertThat(none.aggregate(aggregates).schema())
                .isEqualTo(session.range(9)
                        .select(col("id").as("x"))
                        .aggregate(aggregates)
                        .schema());
        assertThat(session.range(100)
                        .select(col("id").as("x"))
                        .filter(col("x").lt(0L))
                        .aggregate(aggregates)
                        .takeAll())
                .containsExactly(nothing);
        Row nulls = session.items(Row.of("x", null), Row.of("x", null))
                .aggregate(aggregates[0], aggregates[1], aggregates[3], aggregates[4], aggregates[5], aggregates[6])
                .takeAll()
                .getFirst();
        assertThat(nulls.get("n")).isEqualTo(0L);
        assertThat(nulls.get("rows")).isEqualTo(2L);
        assertThat(nulls.get("median")).isNull();
        assertThat((List<?>) nulls.get("list")).hasSize(2).containsOnlyNulls();
        assertThat((List<?>) nulls.get("set")).hasSize(1).containsOnlyNulls();
        assertThat((List<?>) nulls.get("counts")).hasSize(1);
    }

    @Test
    void numbersOfDifferentTypesInOneColumnHaveACommonOne() {
        Dataset whole = session.range(100).select(col("id").cast(DataType.INT32).as("x"));
        Dataset real = session.range(100).select(col("id").plus(0.5).as("x"));
        Row row = whole.union(real)
                .aggregate(quantile("x", 0.5).as("median"), list("x").as("list"), set("x").as("set"))
                .takeAll()
                .getFirst();
        assertThat(row.get("median")).isEqualTo(49.75);
        assertThat(((List<?>) row.get("list")).getFirst()).isEqualTo(0.0);
        assertThat(((List<?>) row.get("list")).getLast()).isEqualTo(99.5);
        assertThat((List<?>) row.get("set")).hasSize(200);
    }

    @Test
    void aColumnThatIsNotThereOrHasNoNumbersIsAnErrorAtTheCall() {
        assertThatThrownBy(() -> session.range(9).aggregate(list("y"), count()))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("list(y)")
                .hasMessageContaining("id");
        assertThatThrownBy(() -> session.range(9).withColumn("t", lit("a")).aggregate(list("t"), quantile("t", 0.5)))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("quantile(t): the column 't' is")
                .hasMessageContaining("numbers are needed.");
    }
}
