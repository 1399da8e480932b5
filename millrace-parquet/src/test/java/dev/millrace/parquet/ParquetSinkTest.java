package dev.millrace.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.files.FileSink;
import dev.millrace.internal.parquet.write.ParquetFileFormat;
import dev.millrace.sink.WriteJson;
import dev.millrace.sink.WriteOptions;
import dev.millrace.sink.WriteSummary;
import dev.millrace.testing.Python;
import dev.millrace.testing.SinkContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ParquetSinkTest extends SinkContract {
    @Override
    protected FileSink sink(String target, WriteOptions options) {
        return FileSink.to(target, new ParquetFileFormat(WriteParquet.defaults()), options);
    }

    @Override
    protected Dataset read(Session from, String target) {
        return from.readParquet(target);
    }

    @Test
    void columnsThatNameFoldersAreLeftOutOfTheFilesAndComeBack() {
        String[] names = {"plain", "a=b/c:d", null, "50% ü"};
        Dataset rows = session.range(1000, 4)
                .map(row -> Row.of(
                        "id",
                        row.getLong("id"),
                        "day",
                        LocalDate.of(2024, 1, 1).plusDays(row.getLong("id") % 3),
                        "name",
                        names[(int) (row.getLong("id") % 4)],
                        "number",
                        row.getLong("id") % 2));
        WriteSummary summary = rows.writeParquet(out(), WriteOptions.defaults().partitionBy("name", "day", "number"));
        assertThat(summary.rows()).isEqualTo(1000);
        assertThat(summary.files())
                .anyMatch(file -> file.startsWith(out() + "/name=a%3Db%2Fc%3Ad/day=2024-01-01/number=1/part-"))
                .anyMatch(file -> file.contains("/name=__HIVE_DEFAULT_PARTITION__/"));
        List<Row> back = session.readParquet(out()).takeAll();
        Map<Long, Row> byId = new TreeMap<>();
        back.forEach(row -> byId.put(row.getLong("id"), row));
        assertThat(byId).hasSize(1000);
        byId.forEach((id, row) -> {
            assertThat(row.get("name")).isEqualTo(names[(int) (id % 4)]);
            assertThat(row.get("day")).isEqualTo(LocalDate.of(2024, 1, 1).plusDays(id % 3));
            assertThat(row.getLong("number")).isEqualTo(id % 2);
        });
        assertThat(Python.environment("test").run(ParquetSinkTest.class, "read_partitions.py", out()))
                .isEqualTo("1000 499500 id,name,day,number 4 3\n");
    }

    @Test
    void moreFoldersThanOpenFilesGiveSeveralFilesEach() {
        Dataset rows = session.range(3000, 1).map(row -> Row.of("id", row.getLong("id"), "k", row.getLong("id") % 150));
        WriteSummary summary = rows.writeParquet(out(), WriteOptions.defaults().partitionBy("k"));
        assertThat(summary.rows()).isEqualTo(3000);
        assertThat(session.readParquet(out())
                        .filter(row -> row.getLong("k") == 7)
                        .count())
                .isEqualTo(20);
    }

    @Test
    void whatCannotNameAFolderIsRefusedAtTheCall() throws IOException {
        Dataset rows = session.range(10);
        WriteOptions options = WriteOptions.defaults();
        assertThatThrownBy(() -> rows.writeParquet(out(), options.partitionBy("year")))
                .isInstanceOf(MillraceException.class)
                .hasMessage("partitionBy: there is no column 'year'. The columns are [id].");
        assertThatThrownBy(() -> rows.writeParquet(out(), options.partitionBy("id")))
                .hasMessage("partitionBy: all columns, [id], name folders, and none is left for the files.");
        Dataset real = session.items(List.of(Row.of("x", 1.5, "y", 1)));
        assertThatThrownBy(() -> real.writeParquet(out(), options.partitionBy("x")))
                .hasMessageContaining("partitionBy: column 'x' of type float64 cannot name folders. Strings, integers");
        Dataset many = session.range(10_001, 1).map(row -> Row.of("id", row.getLong("id"), "x", 1));
        assertThatThrownBy(() -> many.writeParquet(out(), options.partitionBy("id")))
                .hasMessageContaining("partitionBy(id): one task has rows for more than 10000 folders.");
        assertThat(entries()).isEmpty();
    }

    @Test
    void aPartitionedWriteThatFailsLeavesNothing() throws IOException {
        Dataset failing = session.range(100, 10).map(row -> {
            if (row.getLong("id") == 77) {
                throw new IllegalStateException("no 77");
            }
            return Row.of("id", row.getLong("id"), "k", row.getLong("id") % 3);
        });
        assertThatThrownBy(() ->
                        failing.writeParquet(out(), WriteOptions.defaults().partitionBy("k")))
                .hasMessageContaining("no 77");
        assertThat(entries()).isEmpty();
    }

    @Test
    void bytesPerFile() throws IOException {
        Dataset rows = session.range(200_000, 1)
                .map(row -> Row.of("id", row.getLong("id"), "text", "t" + row.getLong("id") * 7919 % 1_000_003));
        WriteSummary summary = rows.writeParquet(
                out(),
                WriteOptions.defaults().maxBytesPerFile(1_000_000),
                WriteParquet.defaults().withoutDictionaries());
        assertThat(summary.files()).hasSizeBetween(3, 12);
        for (String file : summary.files()) {
            assertThat(Files.size(Path.of(file))).isLessThan(1_300_000);
        }
        assertThat(session.readParquet(out()).takeAll().stream()
                        .map(row -> row.getLong("id"))
                        .toList())
                .isEqualTo(upTo(200_000));
    }

    @Test
    void columnsAndOptionsThatParquetDoesNotKnowAreRefusedBeforeAnythingRuns() throws IOException {
        WriteParquet options = WriteParquet.defaults();
        assertThatThrownBy(() -> session.range(3).writeParquet(out(), options.bloomFilter("x")))
                .hasMessage("The Parquet options name the columns [x], which are not there. The columns are [id].");
        assertThatThrownBy(() ->
                        session.range(3).writeParquet(out(), options.encoding("id", ParquetEncoding.DELTA_BYTE_ARRAY)))
                .hasMessage("Column 'id' of type int64 cannot be written in the encoding DELTA_BYTE_ARRAY.");
        assertThatThrownBy(() -> session.range(3).write("parquet", out(), WriteOptions.defaults(), WriteJson.lines()))
                .hasMessage("The options of 'parquet' are a WriteParquet, not a WriteJson.");
        assertThat(entries()).isEmpty();
    }

    @Test
    void thePlanTellsOfTheWrite() {
        Dataset rows = session.range(10, 2).map(row -> row.copy());
        rows.writeParquet(out());
        assertThat(rows.stats()).contains("write(Parquet(" + out() + "))");
    }
}
