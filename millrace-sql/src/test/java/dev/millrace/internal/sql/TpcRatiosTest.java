package dev.millrace.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.QueryOracle;
import dev.millrace.testing.Tpcds;
import dev.millrace.testing.Tpch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// All queries of TPC-H and TPC-DS at a scale that somebody chooses, right and each within 20 times DuckDB's time:
///
/// ```
/// ./millrace test -pl millrace-sql -Dtest=TpcRatiosTest -Dmillrace.tpc.scale=1 [-Dmillrace.tpc.times=3] \
///     -Dtest.compilation=-XX:+TieredCompilation -DenableAssertions=false -Dtest.heap=4g
/// ```
///
/// The last line has the queries run as a program of a user runs them: tests of this module have no optimising
/// compiler. Each query runs so many times in turn with DuckDB's, and the best time of each counts. What was measured
/// is in build/tpch-ratios.txt and build/tpcds-ratios.txt. Meant for a machine left alone.
@EnabledIfSystemProperty(named = "millrace.tpc.scale", matches = ".+")
@Timeout(value = 4, unit = TimeUnit.HOURS)
class TpcRatiosTest {
    private static final double MAX_RATIO = 20;

    private final List<String> lines = new ArrayList<>();
    private final List<String> slow = new ArrayList<>();

    @Test
    void everyQueryOfTpchIsRightAndNotMuchSlower(@TempDir Path folder) throws Exception {
        try (Tpch tpch = Tpch.write(folder, scale())) {
            compare("tpch", tpch.oracle(), Tpch.TABLES, Tpch.QUERIES, Tpch::sql);
        }
    }

    @Test
    void everyQueryOfTpcdsIsRightAndNotMuchSlower(@TempDir Path folder) throws Exception {
        try (Tpcds tpcds = Tpcds.write(folder, scale())) {
            compare("tpcds", tpcds.oracle(), Tpcds.TABLES, Tpcds.QUERIES, tpcds::sql);
        }
    }

    private static String scale() {
        return System.getProperty("millrace.tpc.scale");
    }

    private void compare(
            String benchmark, QueryOracle oracle, List<String> tables, int queries, IntFunction<String> texts)
            throws Exception {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            Map<String, Dataset> datasets = new LinkedHashMap<>();
            tables.forEach(table -> datasets.put(table, session.readParquet(oracle.file(table))));
            for (int query = 1; query <= queries; query++) {
                compare(benchmark + " " + query, oracle, texts.apply(query), session, datasets);
            }
        }
        Path report = Path.of(System.getProperty("millrace.root"), "build", benchmark + "-ratios.txt");
        Files.createDirectories(report.getParent());
        Files.write(report, lines);
        assertThat(slow).as("queries above %s times DuckDB's time", MAX_RATIO).isEmpty();
    }

    private void compare(String query, QueryOracle oracle, String sql, Session session, Map<String, Dataset> datasets)
            throws Exception {
        double ours = Double.MAX_VALUE;
        double theirs = Double.MAX_VALUE;
        for (int time = 0; time < Integer.getInteger("millrace.tpc.times", 3); time++) {
            long begin = System.nanoTime();
            QueryOracle.Answer expected = oracle.answer(sql);
            long between = System.nanoTime();
            List<Row> rows = session.sql(sql, datasets).takeAll();
            ours = Math.min(ours, (System.nanoTime() - between) / 1e9);
            theirs = Math.min(theirs, (between - begin) / 1e9);
            QueryOracle.check(query, rows, expected);
        }
        double ratio = ours / theirs;
        String line = String.format(Locale.ROOT, "%s: %.3f s, DuckDB %.3f s, %.1f times", query, ours, theirs, ratio);
        lines.add(line);
        if (ratio > MAX_RATIO) {
            slow.add(line);
        }
    }
}
