package dev.millrace;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.min;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.concat;
import static dev.millrace.expression.Expressions.when;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.expression.Expression;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.type.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Texts of some MiB in a bundle, which are moved to their partitions as they lie in memory.
@Timeout(120)
class TextShuffleTest {
    private static final long ROWS = 200_000;
    private static final long NULLS = 7;

    @Test
    void rowsKeepTheirTextsOnTheWayToTheirPartitions() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            Expression text = text(col("id"));
            Dataset groups = session.range(ROWS)
                    .withColumn(
                            "t", when(col("id").mod(NULLS).ne(0L)).then(text).otherwise(null))
                    .groupBy("t")
                    .aggregate(min("id").as("first"), count().as("n"));
            long nulls = (ROWS + NULLS - 1) / NULLS;
            assertThat(groups.count()).isEqualTo(ROWS - nulls + 1);
            assertThat(groups.filter(col("t").eq(text(col("first"))).and(col("n").eq(1L)))
                            .count())
                    .isEqualTo(ROWS - nulls);
            assertThat(groups.filter(col("t").isNull()).takeAll().getFirst().get("n"))
                    .isEqualTo(nulls);
            assertThat(session.allocator().heldBytes()).isZero();
        }
    }

    /// Of 1 to some 70 bytes.
    private static Expression text(Expression id) {
        Expression digits = id.times(id).cast(DataType.UTF8);
        return when(id.mod(5L).eq(0L))
                .then(concat("a text that is longer than the words in which short ones are copied ", digits))
                .otherwise(id.cast(DataType.UTF8));
    }
}
