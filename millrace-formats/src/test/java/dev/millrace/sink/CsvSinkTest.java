package dev.millrace.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.files.FileSink;
import dev.millrace.internal.csv.CsvOutput;
import dev.millrace.source.ReadCsv;
import dev.millrace.testing.SinkContract;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsvSinkTest extends SinkContract {
    @Override
    protected FileSink sink(String target, WriteOptions options) {
        return FileSink.to(target, new CsvOutput(WriteCsv.defaults()), options);
    }

    /// The type is given, since a file without rows does not tell it.
    @Override
    protected Dataset read(Session from, String target) {
        return from.readCsv(target, ReadCsv.defaults().column("id", DataType.INT64));
    }

    private String text(Dataset rows, WriteCsv options) throws IOException {
        WriteSummary summary =
                rows.writeCsv(out(), options.files(WriteOptions.defaults().overwrite()));
        return Files.readString(Path.of(summary.files().getFirst()));
    }

    @Test
    void textsStandInQuotesWhereTheyMust() throws IOException {
        Dataset rows = session.items(
                List.of(
                        Row.of("a b", "plain", "n", 1L),
                        Row.of("a b", "x,y", "n", -2L),
                        Row.of("a b", "say \"hi\"", "n", null),
                        Row.of("a b", "two\nlines", "n", Long.MAX_VALUE),
                        Row.of("a b", "", "n", Long.MIN_VALUE),
                        Row.of("a b", null, "n", 0L),
                        Row.of("a b", "NA", "n", 5L)),
                1);
        assertThat(text(rows, WriteCsv.defaults()))
                .isEqualTo("a b,n\nplain,1\n\"x,y\",-2\n\"say \"\"hi\"\"\",\n\"two\nlines\",9223372036854775807\n"
                        + "\"\",-9223372036854775808\n,0\nNA,5\n");
        assertThat(text(rows.limit(3), WriteCsv.tsv().withoutHeader()))
                .isEqualTo("plain\t1\nx,y\t-2\n\"say \"\"hi\"\"\"\t\n");
        assertThat(text(rows, WriteCsv.defaults().nullText("NA").quoteAllTexts()))
                .contains("\"plain\",1\n", "\"say \"\"hi\"\"\",NA\n", "\nNA,0\n", "\"NA\",5\n");
    }

    @Test
    void everyWritableTypeAndBack() throws IOException {
        Row row = Row.of(
                "bool",
                true,
                "byte",
                (byte) -5,
                "double",
                1e-7,
                "float",
                0.1f,
                "date",
                LocalDate.of(1, 2, 3),
                "time",
                LocalTime.of(1, 2, 3, 4000),
                "local",
                LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
                "zoned",
                LocalDateTime.of(2024, 1, 1, 12, 0).atZone(ZoneId.of("Europe/Berlin")),
                "decimal",
                new java.math.BigDecimal("-12.50"));
        Dataset rows = session.items(List.of(row), 1);
        assertThat(text(rows, WriteCsv.defaults()))
                .isEqualTo(
                        "bool,byte,double,float,date,time,local,zoned,decimal\ntrue,-5,1.0E-7,0.1,0001-02-03,01:02:03.000004,"
                                + "1969-12-31 23:59:59.999999,2024-01-01 11:00:00Z,-12.50\n");
        Dataset back = session.readCsv(out());
        assertThat(back.schema().toString())
                .isEqualTo(
                        "bool: bool, byte: int64, double: float64, float: float64, date: date, time: time[us], local:"
                                + " timestamp[us], zoned: timestamp[us, UTC], decimal: float64");
        assertThat(back.takeAll().getFirst().get("local")).isEqualTo(row.get("local"));
    }

    @Test
    void aLoneNullIsARow() throws IOException {
        Dataset rows = session.items(List.of(Row.of("a", 1L), Row.of("a", (Object) null), Row.of("a", 3L)), 1);
        assertThat(text(rows, WriteCsv.defaults())).isEqualTo("a\n1\n\"\"\n3\n");
        assertThat(session.readCsv(out()).takeAll())
                .extracting(row -> row.get("a"))
                .containsExactly(1L, null, 3L);
    }

    @Test
    void packedFiles() {
        Dataset rows = session.range(5000, 2);
        for (WriteCsv options :
                List.of(WriteCsv.defaults().gzip(), WriteCsv.tsv().zstd())) {
            WriteSummary summary =
                    rows.writeCsv(out(), options.files(WriteOptions.defaults().overwrite()));
            assertThat(summary.files()).allMatch(name -> name.endsWith(".csv.gz") || name.endsWith(".tsv.zst"));
            ReadCsv read = ReadCsv.defaults().delimiter(options.delimiter());
            assertThat(session.readCsv(out(), read).sum("id")).isEqualTo(12_497_500L);
        }
    }

    @Test
    void whatDoesNotFitIsRefusedAtOnce() {
        assertThatThrownBy(() -> session.rangeTensor(3, 2).writeCsv(out()))
                .hasMessage(
                        "writeCsv: column 'data' is tensor<int64, 2>, and a field of a CSV file holds a number, a boolean, a"
                                + " time or a text. Leave it out, make texts of it, or write Parquet or JSON.");
        assertThatThrownBy(() -> WriteCsv.defaults().delimiter('.')).hasMessageContaining("not '.'");
        assertThatThrownBy(() -> WriteCsv.defaults().nullText("a,b"))
                .hasMessageContaining("would have to stand in quotes");
    }
}
