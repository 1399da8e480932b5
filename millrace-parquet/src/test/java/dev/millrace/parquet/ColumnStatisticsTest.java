package dev.millrace.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.internal.parquet.read.ParquetSource;
import dev.millrace.source.ColumnStatistics;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What files say of their columns without being read.
@Timeout(60)
class ColumnStatisticsTest {
    private static final int ROWS = 100_000;

    @TempDir
    private Path folder;

    @Test
    void boundsAndNullsAreThoseOfAllRowGroups() throws SQLException {
        ParquetSource source = written("""
                SELECT i AS number, i::INTEGER % 7 AS few, (i / 4)::DECIMAL(12, 2) AS price,
                    date '2024-01-01' + (i % 60)::INTEGER AS day, timestamp '2024-01-01 06:30:00' AS started,
                    CASE WHEN i % 10 = 0 THEN NULL ELSE ['a', 'b', 'c'][i % 3 + 1] END AS name,
                    NULL::INTEGER AS nothing, [i] AS list""");

        assertThat(source.statistics("number").min()).isEqualTo(0L);
        assertThat(source.statistics("number").max()).isEqualTo(ROWS - 1L);
        assertThat(source.statistics("price").max()).isEqualTo(new BigDecimal("24999.75"));
        assertThat(source.statistics("day").min()).isEqualTo(LocalDate.of(2024, 1, 1));
        assertThat(source.statistics("day").max()).isEqualTo(LocalDate.of(2024, 2, 29));
        assertThat(source.statistics("started").min()).isEqualTo(LocalDateTime.of(2024, 1, 1, 6, 30));
        assertThat(source.statistics("name").max()).isEqualTo("c");
        assertThat(source.statistics("name").nulls()).isEqualTo(OptionalLong.of(ROWS / 10));
        assertThat(source.statistics("nothing").min()).isNull();
        assertThat(source.statistics("nothing").nulls()).isEqualTo(OptionalLong.of(ROWS));
        assertThat(source.statistics("list")).isEqualTo(ColumnStatistics.UNKNOWN);
    }

    @Test
    void valuesOfDictionariesAreCountedOnceWhereGroupsHaveTheSame() throws SQLException {
        ParquetSource source = written("SELECT ['a', 'b', 'c'][i % 3 + 1] AS name, (i // 100)::INTEGER AS hundred");

        assertThat(source.statistics("name").distinct()).isEqualTo(OptionalLong.of(3));
        assertThat(source.statistics("hundred").distinct().orElseThrow()).isBetween(ROWS / 100L, ROWS / 100L + 60);
    }

    /// More than one row group.
    private ParquetSource written(String select) throws SQLException {
        Path file = folder.resolve("rows.parquet");
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement()) {
            statement.execute(
                    "COPY (" + select + " FROM range(" + ROWS + ") r (i)) TO '" + file + "' (ROW_GROUP_SIZE 20480)");
        }
        return ParquetSource.of(List.of(file.toString()), ReadParquet.defaults());
    }
}
