package dev.millrace.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.error.MillraceException;
import dev.millrace.testing.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Random queries give DuckDB's rows. What DuckDB refuses is left out. What we alone refuse is a failure, but for what
/// [#UNSUPPORTED] lists, which is printed and may not be more than one query in [#QUERIES_PER_UNSUPPORTED].
@Timeout(600)
class RandomSqlTest extends SqlOracle {
    /// Sentences of what designs/sql.md says is not supported.
    private static final List<String> UNSUPPORTED = List.of(
            "A subquery that uses columns of the query around it in this way",
            // Decimals that together need more than 38 digits; DuckDB rounds them.
            "and cannot be compared with decimal(");

    private static final int QUERIES_PER_UNSUPPORTED = 1_000;
    private static final int QUERIES_PER_TABLES = 100;

    private final long seed = Seeds.seed();
    private final int cases = Integer.getInteger("millrace.cases", 2_000);
    /// The only one to run, by its number; -1: all.
    private final int only = Integer.getInteger("millrace.case", -1);

    @Test
    void randomQueriesGiveDuckDbsRows(@TempDir Path folder) throws Exception {
        int compared = 0;
        List<String> unsupported = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < cases; i++) {
            if (i % QUERIES_PER_TABLES == 0) {
                Path tables = Files.createDirectory(folder.resolve("tables" + i));
                open(new RandomTables(new Random(seed + i)), tables);
            }
            if (only >= 0 && i != only) {
                continue;
            }
            String query = new RandomQuery(new Random(seed * 1_000_003 + i)).next();
            if (isRefused(query)) {
                continue;
            }
            try {
                check(query, sql(query));
                compared++;
            } catch (Exception | AssertionError e) {
                if (e instanceof MillraceException && UNSUPPORTED.stream().anyMatch(e.getMessage()::contains)) {
                    unsupported.add(told(i, query, e));
                } else {
                    failures.add(told(i, query, e));
                    if (only >= 0) {
                        e.printStackTrace();
                    }
                }
            }
        }
        System.out.println("RandomSqlTest: -Dmillrace.seed=" + seed + ", " + compared + " of " + cases + " compared, "
                + unsupported.size() + " not supported");
        unsupported.forEach(System.out::println);
        assertThat(failures).as("-Dmillrace.seed=" + seed).isEmpty();
        assertThat(unsupported)
                .as("-Dmillrace.seed=" + seed)
                .hasSizeLessThanOrEqualTo(Math.ceilDiv(cases, QUERIES_PER_UNSUPPORTED));
        assertThat(compared).isGreaterThan(only < 0 ? cases * 3 / 4 : 0);
    }

    private static String told(int number, String query, Throwable error) {
        return "-Dmillrace.case=" + number + ": " + query + "\n  " + error.getMessage();
    }

    /// Types that do not go together, in the few places where the generator makes such.
    private static boolean isRefused(String query) {
        try {
            expected(query);
            return false;
        } catch (SQLException e) {
            return true;
        }
    }
}
