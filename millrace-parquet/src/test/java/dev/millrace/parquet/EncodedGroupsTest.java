package dev.millrace.parquet;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.mean;
import static dev.millrace.aggregate.Aggregates.min;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.aggregate.Aggregates.valueCounts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.memory.Allocator;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Groups over files whose columns are dictionaries, some with nulls, are those of the same rows as plain columns.
class EncodedGroupsTest {
    private static final String ROWS = "SELECT CASE WHEN i % 11 = 3 THEN NULL ELSE i % 1000 END::BIGINT k,"
            + " CASE WHEN i % 7 = 0 THEN NULL ELSE 'text ' || (i * 7919 % 90) END t, (i % 3)::TYPE n,"
            + " (i * 31 % 50)::DECIMAL(15, 2) / 4 q, ((i * i) % 1009 / 8)::DOUBLE f,"
            + " DATE '2020-01-01' + (i % 500)::INTEGER d, i u FROM range(FROM, TO) r(i)";

    @TempDir
    static Path folder;

    /// The second file has a narrower `n`.
    @BeforeAll
    static void write() {
        DuckDbFiles.write(folder.resolve("a.parquet"), rows("BIGINT", 0, 60_000), "ROW_GROUP_SIZE 20480");
        DuckDbFiles.write(folder.resolve("b.parquet"), rows("INTEGER", 60_000, 90_000), "ROW_GROUP_SIZE 20480");
    }

    private static String rows(String type, int from, int to) {
        return ROWS.replace("TYPE", type).replace("range(FROM, TO)", "range(" + from + ", " + to + ")");
    }

    @Test
    void theFilesColumnsCanBeDictionaries() {
        AtomicLong dictionaries = new AtomicLong();
        try (Allocator allocator = Allocator.root("reading", 1L << 30)) {
            ParquetFiles.readEncoded(
                    ParquetFiles.source(folder.resolve("a.parquet")), allocator, 1 << 20, dictionaries);
        }
        // Three row groups, all columns but the last.
        assertThat(dictionaries).hasValueGreaterThanOrEqualTo(3 * 6);
    }

    @Test
    void everyKindOfKeyAndAggregate() {
        for (List<String> keys :
                List.of(List.of("k"), List.of("t"), List.of("n"), List.of("d", "t"), List.of("q", "n"), List.of("f"))) {
            compare(keys, count(), sum("q"), mean("q"), min("q"), max("d"), sum("n"), mean("f"), max("f"), sum("u"));
        }
    }

    @Test
    void aKeyThatIsAggregatedTooAndNoKeys() {
        compare(List.of("k"), sum("k"), max("k"), count());
        try (Session session = Session.open()) {
            Dataset read = session.readParquet(folder.toString());
            Dataset plain = read.materialize();
            for (String column : List.of("t", "k", "d")) {
                List<Row> expected = plain.aggregate(valueCounts(column)).takeAll();
                assertThat(read.aggregate(valueCounts(column)).takeAll().toString())
                        .as(column)
                        .isEqualTo(expected.toString());
            }
        }
    }

    /// Blocks that are there already have plain columns.
    private static void compare(List<String> keys, Aggregate... aggregates) {
        try (Session session = Session.open()) {
            Dataset read = session.readParquet(folder.toString());
            String[] names = keys.toArray(String[]::new);
            List<Row> expected = read.materialize()
                    .groupBy(names)
                    .aggregate(aggregates)
                    .sort(names)
                    .takeAll();
            List<Row> encoded =
                    read.groupBy(names).aggregate(aggregates).sort(names).takeAll();
            assertThat(encoded).hasSameSizeAs(expected).hasSizeGreaterThan(2);
            for (int i = 0; i < expected.size(); i++) {
                assertThat(rounded(encoded.get(i))).as("by " + keys).isEqualTo(rounded(expected.get(i)));
            }
        }
    }

    /// Doubles may be added in another order.
    private static List<String> rounded(Row row) {
        return row.asMap().values().stream()
                .map(value -> value instanceof Double number
                        ? String.format(Locale.ROOT, "%.9e", number)
                        : String.valueOf(value))
                .toList();
    }
}
