package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Queries whose aggregates see more than the session's memory.
@Timeout(120)
class SqlMemoryTest {
    private static final long LIMIT = 24L << 20;
    private static final long ROWS = 2_000_000;

    @Test
    void aMedianAListAndCountsOfAllRowsInOneQuery() {
        try (Session session = Session.builder()
                .limits(ResourceLimits.DEFAULT.withSlots(2).withMemory(LIMIT))
                .progress(ProgressSettings.OFF)
                .open()) {
            Dataset rows =
                    session.range(ROWS).withColumn("x", col("id").times(7_919L).mod(ROWS));
            Row row = session.sql("""
                            SELECT median(x) AS middle, list(b) AS all_b, count(*) AS n, max(id) AS last
                            FROM (SELECT id, x, CAST(x % 100 AS TINYINT) AS b FROM t)""", "t", rows).takeAll().getFirst();
            assertThat(row.get("middle")).isEqualTo((ROWS - 1) / 2.0);
            assertThat((List<?>) row.get("all_b")).hasSize((int) ROWS);
            for (int i = 0; i < 500; i++) {
                assertThat(((Number) ((List<?>) row.get("all_b")).get(i)).longValue())
                        .isEqualTo(i * 7_919L % ROWS % 100);
            }
            assertThat(row.get("n")).isEqualTo(ROWS);
            assertThat(((Number) row.get("last")).longValue()).isEqualTo(ROWS - 1);
            assertThat(session.allocator().peakBytes()).isLessThanOrEqualTo(LIMIT);
            assertThat(session.running()).isEmpty();
            assertThat(session.allocator().heldBytes()).isZero();
        }
    }
}
