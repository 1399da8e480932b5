package dev.millrace.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.MaterializedDataset;
import dev.millrace.Session;
import dev.millrace.compute.ReadTasks;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A DuckDB file that nobody else holds open: the database ends with its last connection and begins anew with the next.
@Timeout(60)
class DuckDbFileTest {
    @TempDir
    Path folder;

    @RepeatedTest(2)
    void aFileThatNobodyHoldsOpenIsWrittenAndReadByManyTasks() throws SQLException {
        String url = "jdbc:duckdb:" + folder.resolve("test.db");
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            session.range(20_000, 12)
                    .write(Jdbc.connect(url).table("numbers").createIfMissing(Schema.of("id", DataType.INT64)));
            for (int i = 0; i < 2; i++) {
                assertThat(session.read(Jdbc.connect(url)
                                        .query("SELECT * FROM numbers")
                                        .shard("id", 8))
                                .count())
                        .isEqualTo(20_000);
            }
        }
        try (Connection free = DriverManager.getConnection(url)) {
            assertThat(free.isValid(1)).isTrue();
        }
    }

    @Test
    void aQueryIsReadInAsManyBlocksAsAskedForByNoMoreConnections() {
        String url = "jdbc:duckdb:" + folder.resolve("blocks.db");
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            session.range(1_000, 2)
                    .write(Jdbc.connect(url).table("numbers").createIfMissing(Schema.of("id", DataType.INT64)));
            JdbcQuery query = Jdbc.connect(url).query("SELECT * FROM numbers ORDER BY id");
            Dataset some = session.read(query, ReadTasks.defaults().blocks(10).concurrency(1));
            assertThat(some.explain()).contains("10 blocks, at most 1 at once");
            try (MaterializedDataset kept = some.materialize()) {
                assertThat(kept.numBlocks()).isEqualTo(10);
                assertThat(kept.count()).isEqualTo(1_000);
            }
        }
    }
}
