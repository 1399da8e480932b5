package dev.millrace.internal.parquet.read;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.parquet.WriteParquet;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.WriteOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page index is asked as long as it is of use, and what is read does not depend on it.
class PageIndexUseTest {
    @TempDir
    Path folder;

    /// Of 800 row groups.
    private static int asked(PageIndexUse use, boolean useful) {
        int asked = 0;
        for (int i = 0; i < 800; i++) {
            if (use.isWorthIt()) {
                asked++;
                use.asked(useful);
            }
        }
        return asked;
    }

    @Test
    void anIndexOfUseIsAlwaysAsked() {
        PageIndexUse use = new PageIndexUse();
        assertThat(asked(use, true)).isEqualTo(800);
    }

    @Test
    void anIndexOfNoUseIsAskedForSomeRowGroups() {
        PageIndexUse use = new PageIndexUse();
        // Eight, and of the other 792 each eighth.
        assertThat(asked(use, false)).isEqualTo(8 + 99);
    }

    @Test
    void anIndexThatIsOfUseAgainIsAskedAgain() {
        PageIndexUse use = new PageIndexUse();
        asked(use, false);
        assertThat(asked(use, true)).isGreaterThanOrEqualTo(800 - 8);
    }

    /// Row groups in no order come first, then some in order, in one file.
    @Test
    void rowsAreTheSameWithAnIndexAndWithout() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            Dataset rows = session.range(40_000, 1)
                    .map(row -> Row.of("id", row.getLong("id"), "value", value(row.getLong("id"))));
            rows.writeParquet(
                    folder.toString(),
                    WriteOptions.defaults(),
                    WriteParquet.defaults().rowGroupRows(1000).pageRows(100));
            Dataset read = session.readParquet(folder.toString())
                    .filter(col("value").ge(900L).and(col("value").lt(950L)));
            long count = 0;
            long sum = 0;
            for (long id = 0; id < 40_000; id++) {
                boolean passes = value(id) >= 900 && value(id) < 950;
                count += passes ? 1 : 0;
                sum += passes ? id : 0;
            }
            assertThat(count).isBetween(1_500L, 2_500L);
            assertThat(read.count()).isEqualTo(count);
            assertThat(read.sum("id")).isEqualTo(sum);
            // The same read once more, with what it knows of the index from before.
            assertThat(read.sum("id")).isEqualTo(sum);
        }
    }

    private static long value(long id) {
        return id < 30_000 ? id * 7919 % 1_000 : id % 1_000;
    }
}
