package dev.millrace.parquet;

import dev.millrace.Session;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.Tpch;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The queries of TPC-H in verbs of datasets, over Parquet files, give DuckDB's answers: with blocks that hold whole
/// tables, and with many small ones.
@Timeout(120)
class TpchTest {
    private static final int SMALL = 100_000;

    private static Tpch tpch;
    private static Session whole;
    private static Session small;

    @BeforeAll
    static void open(@TempDir Path folder) throws Exception {
        tpch = Tpch.write(folder);
        whole = Session.builder().progress(ProgressSettings.OFF).open();
        small = Session.builder()
                .progress(ProgressSettings.OFF)
                .blocks(new BlockSettings(SMALL, SMALL, SMALL, SMALL))
                .open();
    }

    /// Closing a session throws if a byte is held.
    @AfterAll
    static void close() throws Exception {
        tpch.close();
        whole.close();
        small.close();
    }

    static IntStream queries() {
        return IntStream.rangeClosed(1, Tpch.QUERIES);
    }

    @ParameterizedTest(name = "query {0}")
    @MethodSource("queries")
    void queriesGiveDuckDbsAnswers(int query) throws Exception {
        check(whole, query);
    }

    @ParameterizedTest(name = "query {0}")
    @MethodSource("queries")
    void queriesGiveDuckDbsAnswersFromManySmallBlocks(int query) throws Exception {
        check(small, query);
    }

    private static void check(Session session, int query) throws Exception {
        TpchTables queries = query < 12 ? new TpchQueries1To11(session, tpch) : new TpchQueries12To22(session, tpch);
        tpch.check(query, queries.query(query));
    }
}
