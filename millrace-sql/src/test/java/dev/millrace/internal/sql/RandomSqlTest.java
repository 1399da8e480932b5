package dev.millrace.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Seeds;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random queries give DuckDB's rows.
@Timeout(300)
class RandomSqlTest extends SqlOracle {
    private final long seed = Seeds.seed();
    private final int cases = Integer.getInteger("millrace.cases", 250);

    @Test
    void randomQueriesGiveDuckDbsRows() {
        int compared = 0;
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < cases; i++) {
            String query = new RandomQuery(new Random(seed + i)).next();
            if (isRefused(query)) {
                continue;
            }
            try {
                check(query, sql(query));
            } catch (Exception | AssertionError e) {
                if (String.valueOf(e.getMessage()).contains("overflows")) {
                    // DuckDB leaves out what it need not compute.
                    continue;
                }
                failures.add("case " + i + ": " + query + "\n  " + e.getMessage());
            }
            compared++;
        }
        System.out.println("RandomSqlTest: -Dmillrace.seed=" + seed + ", " + compared + " compared");
        assertThat(failures).as("-Dmillrace.seed=" + seed).isEmpty();
        assertThat(compared).isGreaterThan(cases / 2);
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
