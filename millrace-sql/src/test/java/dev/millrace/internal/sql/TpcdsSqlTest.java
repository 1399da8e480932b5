package dev.millrace.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.Tpcds;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The 99 queries of TPC-DS, over Parquet files, give DuckDB's answers. At this scale about 80 of them have rows;
/// [TpcRatiosTest] runs them at any other.
@Timeout(120)
class TpcdsSqlTest {
    private static final String SCALE = "0.03";
    private static final int WITH_ROWS = 75;

    private static Tpcds tpcds;
    private static Session session;
    private static final Map<String, Dataset> TABLES = new LinkedHashMap<>();
    private static int queries;
    private static int withRows;

    @BeforeAll
    static void open(@TempDir Path folder) throws Exception {
        tpcds = Tpcds.write(folder, SCALE);
        session = Session.builder().progress(ProgressSettings.OFF).open();
        for (String table : Tpcds.TABLES) {
            TABLES.put(table, session.readParquet(tpcds.oracle().file(table)));
        }
    }

    @AfterAll
    static void close() throws Exception {
        tpcds.close();
        session.close();
        if (queries == Tpcds.QUERIES) {
            assertThat(withRows).isGreaterThan(WITH_ROWS);
        }
    }

    static IntStream queries() {
        return IntStream.rangeClosed(1, Tpcds.QUERIES);
    }

    @ParameterizedTest(name = "query {0}")
    @MethodSource("queries")
    void queriesGiveDuckDbsAnswers(int query) throws Exception {
        String sql = tpcds.sql(query);
        queries++;
        withRows += tpcds.oracle().check("query " + query, sql, session.sql(sql, TABLES)) > 0 ? 1 : 0;
    }
}
