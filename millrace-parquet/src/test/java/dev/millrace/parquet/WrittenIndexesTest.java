package dev.millrace.parquet;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.WriteOptions;
import dev.millrace.testing.Python;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Bloom filters and bounds that we write leave out what is not there, and nothing else.
class WrittenIndexesTest {
    @TempDir
    Path folder;

    @Test
    void bloomFiltersAndBoundsAnswerRightly() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            Dataset rows = session.range(20_000, 1)
                    .map(row -> Row.of(
                            "id",
                            row.getLong("id") * 7919 % 1_000_003,
                            "name",
                            "name " + row.getLong("id") * 31 % 20_011,
                            "few",
                            "few " + row.getLong("id") % 50,
                            "real",
                            row.getLong("id") * 0.5));
            WriteParquet options = WriteParquet.defaults().rowGroupRows(5000).pageRows(500);
            for (String name : new String[] {"id", "name", "few", "real"}) {
                options = options.bloomFilter(name);
            }
            rows.writeParquet(folder.toString(), WriteOptions.defaults(), options);
            Dataset read = session.readParquet(folder.toString());
            for (long id : new long[] {0, 1, 77, 4999, 5000, 19_999}) {
                assertThat(read.filter(col("id").eq(id * 7919 % 1_000_003)).count())
                        .isEqualTo(1);
                assertThat(read.filter(col("name").eq("name " + id * 31 % 20_011))
                                .count())
                        .isEqualTo(1);
                assertThat(read.filter(col("real").eq(id * 0.5)).count()).isEqualTo(1);
            }
            assertThat(read.filter(col("few").eq("few 7")).count()).isEqualTo(400);
            assertThat(read.filter(col("name").eq("name x")).count()).isZero();
        }
        assertThat(Python.environment("test").run(WrittenIndexesTest.class, "check_bloom.py", folder.toString()))
                .isEqualTo("every value found, less than 3 of 100 others\n");
    }
}
