package dev.millrace;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// `sum`, `min`, `max` and `mean` of a dataset are its aggregates, and whether a sum of integers fits is decided by the
/// sum alone, not by the order of the rows.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AggregateShorthandsTest {
    private Session session;

    @BeforeAll
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
    }

    @AfterAll
    void close() {
        session.close();
    }

    private Dataset rows(List<?> values, int blocks) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            rows.add(Row.of("v", values.get(i), "k", (long) (i % 2)));
        }
        return session.items(rows, blocks);
    }

    private static Object aggregated(Dataset rows, Aggregate aggregate) {
        return rows.aggregate(aggregate.as("a")).takeAll().getFirst().get("a");
    }

    private static void agree(Dataset rows, Object sum, Object min, Object max, Object mean) {
        assertThat(rows.sum("v")).isEqualTo(sum).isEqualTo(aggregated(rows, Aggregates.sum("v")));
        assertThat(rows.min("v")).isEqualTo(min).isEqualTo(aggregated(rows, Aggregates.min("v")));
        assertThat(rows.max("v")).isEqualTo(max).isEqualTo(aggregated(rows, Aggregates.max("v")));
        assertThat(rows.mean("v")).isEqualTo(mean).isEqualTo(aggregated(rows, Aggregates.mean("v")));
    }

    @Test
    void shorthandsAndAggregatesAgree() {
        for (int blocks = 1; blocks <= 3; blocks++) {
            agree(
                    rows(List.of(Long.MAX_VALUE, 1L, -5L), blocks),
                    Long.MAX_VALUE - 4,
                    -5L,
                    Long.MAX_VALUE,
                    Long.MAX_VALUE / 3.0);
            agree(rows(List.of(0.0, -0.0, 0.0), blocks), 0.0, 0.0, 0.0, 0.0);
            agree(rows(List.of(-0.0, 0.0, 0.0), blocks), 0.0, 0.0, 0.0, 0.0);
            agree(rows(List.of(1.5, Double.NaN, 2.0), blocks), Double.NaN, 1.5, Double.NaN, Double.NaN);
            agree(rows(Arrays.asList(null, 4L, 2L), blocks), 6L, 2L, 4L, 3.0);
            agree(rows(Arrays.asList(null, null, null), blocks), null, null, null, null);
        }
        assertThat(session.range(0).sum("id")).isNull();
        assertThat(session.range(0).max("id")).isNull();
    }

    @Test
    void aSumThatFitsIsFoundWhateverTheOrderOfTheRows() {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            List<Long> values = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                long value = random.nextLong();
                values.add(value);
                values.add(-value);
            }
            values.add(Long.MAX_VALUE);
            values.add(-1L);
            Collections.shuffle(values, random);
            Dataset rows = rows(values, 1 + random.nextInt(5));
            assertThat(rows.sum("v")).as("seed %d", seed).isEqualTo(Long.MAX_VALUE - 1);
            BigInteger[] expected = {BigInteger.ZERO, BigInteger.ZERO};
            for (int i = 0; i < values.size(); i++) {
                expected[i % 2] = expected[i % 2].add(BigInteger.valueOf(values.get(i)));
            }
            if (expected[0].bitLength() < 64 && expected[1].bitLength() < 64) {
                assertThat(rows.groupBy("k")
                                .aggregate(Aggregates.sum("v"))
                                .sort("k")
                                .takeAll())
                        .as("seed %d", seed)
                        .extracting(row -> row.get("sum(v)"))
                        .containsExactly(expected[0].longValue(), expected[1].longValue());
            } else {
                assertThatThrownBy(() ->
                                rows.groupBy("k").aggregate(Aggregates.sum("v")).takeAll())
                        .as("seed %d", seed)
                        .hasMessageContaining("sum(v): the sum of the column 'v' is ")
                        .hasMessageContaining(", beyond int64.");
            }
        }
    }

    @Test
    void aSumBeyondInt64IsAnErrorThatNamesTheColumn() {
        for (int blocks = 1; blocks <= 3; blocks++) {
            Dataset rows = rows(List.of(Long.MAX_VALUE, 1L, 1L), blocks);
            assertThatThrownBy(() -> rows.sum("v"))
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                    .hasMessageContaining(
                            "sum(v): the sum of the column 'v' is 9223372036854775809, beyond int64. Cast the column");
        }
    }

    @Test
    void unsignedIntegersAreSummedAsSuch() {
        Dataset rows = rows(List.of(1L, 2L, 3L), 2).withColumn("v", col("v").cast(DataType.UINT64));
        assertThat(rows.sum("v")).isEqualTo(6L);
        BigInteger large = BigInteger.ONE.shiftLeft(63);
        Dataset beyond = session.items(List.of(Row.of("v", "9223372036854775808"), Row.of("v", "1")))
                .withColumn("v", col("v").cast(DataType.UINT64));
        assertThat(beyond.max("v")).isEqualTo(large);
        assertThatThrownBy(() -> beyond.sum("v")).hasMessageContaining("is 9223372036854775809, beyond int64");
    }
}
