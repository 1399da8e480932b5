package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.batch.Row;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.sql.RandomExpression.Reference;
import dev.millrace.testing.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A condition that is the text of a filter keeps the rows that it keeps in a query.
@Timeout(300)
class FilterTextTest extends SqlOracle {
    /// What the types of a query decide, and an expression's text leaves out: it is an error there.
    private static final Pattern TYPED = Pattern.compile(" // |concat|(trunc|round)\\(\\w+, |AS (BIGINT|DECIMAL)");
    /// What has another text or another value by design: ISO 8601, null where a query rounds.
    private static final Pattern DIFFERENT = Pattern.compile("AS VARCHAR|TRY_CAST");

    private static final int CONDITIONS_PER_TABLES = 50;

    private final long seed = Seeds.seed();
    private final int cases = Integer.getInteger("millrace.cases", 150);

    @Test
    void randomConditionsKeepTheRowsOfAQuery(@TempDir Path folder) throws Exception {
        List<String> failures = new ArrayList<>();
        int compared = 0;
        for (int i = 0; i < cases; i++) {
            if (i % CONDITIONS_PER_TABLES == 0) {
                Path tables = Files.createDirectory(folder.resolve("tables" + i));
                open(new RandomTables(new Random(seed + i)), tables);
            }
            String condition = condition(new Random(seed * 1_000_003 + i));
            if (DIFFERENT.matcher(condition).find()) {
                continue;
            }
            List<Row> expected;
            try {
                expected = sql("SELECT * FROM a WHERE " + condition).takeAll();
            } catch (MillraceException e) {
                continue;
            }
            try {
                List<Row> rows = sql("SELECT * FROM a").filter(condition).takeAll();
                compared++;
                if (!rows.toString().equals(expected.toString())) {
                    failures.add("case " + i + ": " + condition + "\n  " + rows + "\n  " + expected);
                }
            } catch (MillraceException e) {
                if (e.culprit() == Culprit.INTERNAL || !isTyped(condition, e)) {
                    failures.add("case " + i + ": " + condition + "\n  " + e.getMessage());
                }
            }
        }
        System.out.println("FilterTextTest: -Dmillrace.seed=" + seed + ", " + compared + " of " + cases + " compared");
        assertThat(failures).as("-Dmillrace.seed=" + seed).isEmpty();
        assertThat(compared).isGreaterThan(cases / 2);
    }

    /// Whether it is one of the differences that designs/sql.md lists.
    private static boolean isTyped(String condition, MillraceException e) {
        String message = e.getMessage();
        return TYPED.matcher(condition).find()
                || message.contains("duration")
                || message.contains("date")
                || message.contains("timestamp");
    }

    private static String condition(Random random) {
        List<Reference> scope = RandomTables.COLUMNS.stream()
                .map(column -> new Reference("a_" + column.name(), column.kind()))
                .toList();
        return new RandomExpression(random, scope).truth(3);
    }

    @Test
    void aTextIsPushedIntoTheReadAsItsExpressionIs() {
        Dataset text = sql("SELECT * FROM trips").filter("id > 150 AND zone IN (1, 2) AND day >= '2024-01-05'");
        Dataset expression = sql("SELECT * FROM trips")
                .filter(col("id")
                        .gt(150)
                        .and(col("zone").isIn(1, 2))
                        .and(col("day").ge("2024-01-05")));
        assertThat(text.explain().replaceAll("FilterTextTest.java:[0-9]+", ""))
                .isEqualTo(expression.explain().replaceAll("FilterTextTest.java:[0-9]+", ""))
                .contains("trips.parquet where ((id > 150)");
        assertThat(text.takeAll()).isEqualTo(expression.takeAll()).isNotEmpty();
    }
}
