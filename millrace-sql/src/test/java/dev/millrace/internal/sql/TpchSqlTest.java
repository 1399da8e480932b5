package dev.millrace.internal.sql;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.Tpch;
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

/// The queries of TPC-H as they are written in SQL, over Parquet files, give DuckDB's answers.
@Timeout(120)
class TpchSqlTest {
    private static final int BLOCK = 1 << 20;

    private static Tpch tpch;
    private static Session session;
    private static final Map<String, Dataset> TABLES = new LinkedHashMap<>();

    @BeforeAll
    static void open(@TempDir Path folder) throws Exception {
        tpch = Tpch.write(folder);
        session = Session.builder()
                .progress(ProgressSettings.OFF)
                .blocks(new BlockSettings(BLOCK, BLOCK, BLOCK, BLOCK))
                .open();
        for (String table : Tpch.TABLES) {
            TABLES.put(table, session.readParquet(tpch.file(table)));
        }
    }

    @AfterAll
    static void close() throws Exception {
        tpch.close();
        session.close();
    }

    static IntStream queries() {
        return IntStream.rangeClosed(1, Tpch.QUERIES);
    }

    @ParameterizedTest(name = "query {0}")
    @MethodSource("queries")
    void queriesGiveDuckDbsAnswers(int query) throws Exception {
        tpch.check(query, session.sql(Tpch.sql(query), TABLES));
    }
}
