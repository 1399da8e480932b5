package dev.millrace;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.countDistinct;
import static dev.millrace.aggregate.Aggregates.first;
import static dev.millrace.aggregate.Aggregates.last;
import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.mean;
import static dev.millrace.aggregate.Aggregates.min;
import static dev.millrace.aggregate.Aggregates.missingPercentage;
import static dev.millrace.aggregate.Aggregates.std;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Counts of different values over all rows, which go by buckets, agree with those of one group, which do not.
class CountDistinctTest {
    private final Session session =
            Session.builder().progress(ProgressSettings.OFF).open();

    @AfterEach
    void close() {
        session.close();
    }

    private static final Aggregate[] OTHERS = {
        count().as("rows"),
        first("x").as("first"),
        last("text").as("last"),
        countDistinct("text"),
        sum("x").as("sum"),
        mean("x").as("mean"),
        std("x").as("std"),
        min("x").as("min"),
        max("x").as("max"),
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
                "list", none ? null : List.of((long) (i % 7), 1L));
    }

    @Test
    void everyTypeCountsAsInOneGroup() {
        Random random = new Random(1);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            rows.add(row(random));
        }
        Dataset all = session.items(rows, 7);
        Dataset one = all.withColumn("one", lit(1L));
        for (String column : all.schema().names()) {
            Aggregate[] aggregates = new Aggregate[OTHERS.length + 2];
            System.arraycopy(OTHERS, 0, aggregates, 1, OTHERS.length);
            aggregates[0] = countDistinct(column);
            aggregates[OTHERS.length + 1] = countDistinct(column);
            Row wanted = one.groupBy("one")
                    .aggregate(aggregates)
                    .drop("one")
                    .takeAll()
                    .getFirst();
            Row got = all.aggregate(aggregates).takeAll().getFirst();
            assertThat(got.columns()).as(column).isEqualTo(wanted.columns());
            for (String name : got.columns()) {
                if (got.get(name) instanceof Double value) {
                    assertThat(value).as(column + ": " + name).isCloseTo((Double) wanted.get(name), within(1e-6));
                } else {
                    assertThat(got.get(name)).as(column + ": " + name).isEqualTo(wanted.get(name));
                }
            }
        }
    }

    @Test
    void dictionariesAndPlainTextsMeet() {
        Dataset plain = session.range(1000).withColumn("t", col("id").mod(20L).cast(DataType.UTF8));
        Dataset coded = session.range(1000)
                .withColumn("t", col("id").mod(10L).cast(DataType.UTF8).cast(DataType.dictionary(DataType.UTF8)));
        assertThat(plain.union(coded).aggregate(countDistinct("t").as("n")).takeAll())
                .containsExactly(Row.of("n", 20L));
    }

    @Test
    void noRowsAndNothingButNullsHaveNoValues() {
        assertThat(session.range(0)
                        .aggregate(
                                countDistinct("id").as("n"),
                                count().as("rows"),
                                max("id").as("max"))
                        .takeAll())
                .containsExactly(Row.of("n", 0L, "rows", 0L, "max", null));
        assertThat(session.items(Row.of("x", null), Row.of("x", null))
                        .aggregate(countDistinct("x").as("n"), count().as("rows"))
                        .takeAll())
                .containsExactly(Row.of("n", 0L, "rows", 2L));
        assertThat(session.range(100)
                        .filter(col("id").lt(0L))
                        .aggregate(countDistinct("id").as("n"))
                        .takeAll())
                .containsExactly(Row.of("n", 0L));
    }
}
