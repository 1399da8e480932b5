package dev.millrace.source;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// A text means the same in a CSV file, in a JSON file and in a cast: one value, or an error.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TextGrammarTest {
    private static final String ERROR = "an error";

    @TempDir
    Path folder;

    private Session session;
    private int files;

    @BeforeAll
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
    }

    @AfterAll
    void close() {
        session.close();
    }

    private Path file(String ending, String content) throws IOException {
        return Files.writeString(folder.resolve(files++ + ending), content);
    }

    private String csv(String text, DataType type) throws IOException {
        Path file = file(".csv", "a\n\"" + text + "\"\n");
        return outcome(() -> session.readCsv(
                        file.toString(), ReadCsv.defaults().column("a", type).nullTexts(new String[0]))
                .takeAll());
    }

    private String json(String value, DataType type) throws IOException {
        Path file = file(".json", "{\"a\": " + value + "}\n");
        return outcome(() -> session.readJson(
                        file.toString(), ReadJson.defaults().schema(Schema.of("a", type)))
                .takeAll());
    }

    private String cast(String text, DataType type) {
        return outcome(() -> session.items(List.of(Row.of("a", text)))
                .withColumn("a", col("a").cast(type))
                .takeAll());
    }

    private static String outcome(Callable<List<Row>> read) {
        try {
            return String.valueOf(read.call().getFirst().get("a"));
        } catch (MillraceException e) {
            assertThat(e.culprit()).as(e.getMessage()).isEqualTo(Culprit.DATA);
            return ERROR;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void means(DataType type, String text, String expected) throws IOException {
        assertThat(csv(text, type)).as("CSV: '%s' as %s", text, type).isEqualTo(expected);
        assertThat(json('"' + text + '"', type))
                .as("JSON: '%s' as %s", text, type)
                .isEqualTo(expected);
        assertThat(cast(text, type)).as("cast: '%s' as %s", text, type).isEqualTo(expected);
    }

    @Test
    void timestampsWithoutZoneTakeNoOffset() throws IOException {
        DataType seconds = DataType.timestamp(TimeUnit.SECOND);
        means(seconds, "2024-02-29 13:45:30", "2024-02-29T13:45:30");
        means(seconds, "2024-02-29T13:45", "2024-02-29T13:45");
        means(seconds, "2024-02-29", "2024-02-29T00:00");
        means(seconds, "2024-02-29 13:45:30.000", "2024-02-29T13:45:30");
        means(seconds, "2024-02-29 13:45:30+01:00", ERROR);
        means(seconds, "2024-02-29T13:45:30Z", ERROR);
        means(seconds, "2024-02-29T13", ERROR);
        means(seconds, "2024-02-29 13:45:30.5", ERROR);
        means(seconds, "2023-02-29", ERROR);
        means(seconds, "+12024-02-29T13:45", "+12024-02-29T13:45");
    }

    @Test
    void timestampsWithAZoneObeyAnOffsetAndNeedNone() throws IOException {
        DataType berlin = DataType.timestamp(TimeUnit.MILLISECOND, "Europe/Berlin");
        means(berlin, "2024-02-29 13:45:30+00:00", "2024-02-29T14:45:30+01:00[Europe/Berlin]");
        means(berlin, "2024-02-29T13:45:30.25Z", "2024-02-29T14:45:30.250+01:00[Europe/Berlin]");
        means(berlin, "2024-02-29T13:45:30-18:00", "2024-03-01T08:45:30+01:00[Europe/Berlin]");
        means(berlin, "2024-02-29T13:45:30-0800", "2024-02-29T22:45:30+01:00[Europe/Berlin]");
        means(berlin, "2024-07-01 13:45:30", "2024-07-01T13:45:30+02:00[Europe/Berlin]");
        means(berlin, "2024-07-01", "2024-07-01T00:00+02:00[Europe/Berlin]");
        means(berlin, "2024-02-29T13:45:30+18:01", ERROR);
        means(berlin, "2024-02-29T13+01:00", ERROR);
        means(berlin, "2024-02-29T13:45:30.1234Z", ERROR);
    }

    @Test
    void datesAndTimesOfDay() throws IOException {
        means(DataType.DATE, "2024-02-29", "2024-02-29");
        means(DataType.DATE, "-0044-03-15", "-0044-03-15");
        means(DataType.DATE, "2024-2-29", ERROR);
        means(DataType.DATE, "2024-02-29T00:00", ERROR);
        means(DataType.time(TimeUnit.MICROSECOND), "13:45:30.5", "13:45:30.500");
        means(DataType.time(TimeUnit.MICROSECOND), "13:45", "13:45");
        means(DataType.time(TimeUnit.MICROSECOND), "13", ERROR);
        means(DataType.time(TimeUnit.SECOND), "13:45:30.5", ERROR);
        means(DataType.time(TimeUnit.SECOND), "24:00", ERROR);
    }

    @Test
    void numbersInText() throws IOException {
        for (List<String> expected : List.of(
                List.of("int64", "12", "12"),
                List.of("int64", " -12 ", "-12"),
                List.of("int64", "+12", "12"),
                List.of("int64", "12.0", "12"),
                List.of("int64", "1e3", "1000"),
                List.of("int64", "12.5", ERROR),
                List.of("int64", "9223372036854775807", "9223372036854775807"),
                List.of("int64", "9223372036854775808", ERROR),
                List.of("int64", "0x10", ERROR),
                List.of("int64", "\u0663", ERROR),
                List.of("int8", "128", ERROR),
                List.of("uint64", "18446744073709551615", "18446744073709551615"),
                List.of("uint64", "-1", ERROR),
                List.of("float64", "1.5", "1.5"),
                List.of("float64", "+.5e1", "5.0"),
                List.of("float64", "-inf", "-Infinity"),
                List.of("float64", "-nan", "NaN"),
                List.of("float64", "1e400", ERROR),
                List.of("float64", "1f", ERROR),
                List.of("float64", "0x1p3", ERROR),
                // Rounded to a double first, it would be 16777216.
                List.of("float32", "16777217.0000000001", "1.6777218E7"),
                List.of("float32", "1e39", ERROR),
                List.of("decimal(10, 2)", "1.5", "1.50"),
                List.of("decimal(10, 2)", "1.5e1", "15.00"),
                List.of("decimal(10, 2)", "123456789", ERROR),
                List.of("bool", "true", "true"),
                List.of("bool", "0", "false"),
                List.of("bool", "yes", ERROR))) {
            DataType type = type(expected.get(0));
            String text = expected.get(1);
            assertThat(csv(text, type)).as("CSV: '%s' as %s", text, type).isEqualTo(expected.get(2));
            assertThat(cast(text, type)).as("cast: '%s' as %s", text, type).isEqualTo(expected.get(2));
        }
    }

    @Test
    void numbersOfJsonHaveItsGrammarAndTheSameValues() throws IOException {
        for (List<String> expected : List.of(
                List.of("int64", "12.0", "12"),
                List.of("int64", "1e3", "1000"),
                List.of("int64", "12.5", ERROR),
                List.of("int64", "9223372036854775808", ERROR),
                List.of("int8", "128", ERROR),
                List.of("int8", "12.0", "12"),
                List.of("uint64", "18446744073709551615", "18446744073709551615"),
                List.of("float64", "1e400", ERROR),
                List.of("float32", "16777217.0000000001", "1.6777218E7"),
                List.of("float32", "1e39", ERROR),
                List.of("decimal(10, 2)", "1.5e1", "15.00"))) {
            DataType type = type(expected.get(0));
            assertThat(json(expected.get(1), type))
                    .as("JSON: %s as %s", expected.get(1), type)
                    .isEqualTo(expected.get(2));
        }
    }

    private static DataType type(String name) {
        return switch (name) {
            case "int64" -> DataType.INT64;
            case "int8" -> DataType.INT8;
            case "uint64" -> DataType.UINT64;
            case "float64" -> DataType.FLOAT64;
            case "float32" -> DataType.FLOAT32;
            case "bool" -> DataType.BOOL;
            default -> DataType.decimal(10, 2);
        };
    }

    @Test
    void anOffsetThatATimestampDoesNotTakeIsTold() throws IOException {
        String why =
                " (it has an offset from UTC, which a timestamp without zone does not take: timestamp[s, UTC] does)";
        DataType seconds = DataType.timestamp(TimeUnit.SECOND);
        String text = "2024-02-29 13:45:30+01:00";
        Path csv = file(".csv", "a\n" + text + "\n");
        assertThatThrownBy(
                        () -> session.readCsv(csv.toString(), ReadCsv.defaults().column("a", seconds))
                                .takeAll())
                .hasMessageContaining("in column 'a' is no timestamp[s]" + why + ".");
        Path json = file(".json", "{\"a\": \"" + text + "\"}\n");
        assertThatThrownBy(() -> session.readJson(
                                json.toString(), ReadJson.defaults().schema(Schema.of("a", seconds)))
                        .takeAll())
                .hasMessageContaining(
                        "in column 'a' timestamp[s] is expected, and there is a string: \"" + text + "\"" + why);
        assertThatThrownBy(() -> session.items(List.of(Row.of("a", text)))
                        .withColumn("a", col("a").cast(seconds))
                        .takeAll())
                .hasMessageContaining("the utf8 value '" + text + "' does not fit timestamp[s]" + why + ", in row 0");
    }

    @Test
    void offsetsInASampleMakeTimestampsInUtc() throws IOException {
        Path json = file(".json", """
                {"zoned": "2024-02-29T13:45:30+01:00", "plain": "2024-02-29T13:45:30", "both": "2024-02-29"}
                {"zoned": "2024-02-29T13:45:30Z", "plain": "2024-02-29", "both": "2024-02-29T13:45:30Z"}
                """);
        assertThat(session.readJson(json.toString()).schema())
                .hasToString("zoned: timestamp[s, UTC], plain: timestamp[s], both: utf8");
        assertThat(session.readJson(json.toString()).takeAll().getFirst().get("zoned"))
                .hasToString("2024-02-29T12:45:30Z[UTC]");
        Path csv = file(".csv", """
                zoned,plain,both
                2024-02-29T13:45:30+01:00,2024-02-29 13:45,2024-02-29
                2024-02-29T13:45:30Z,2024-02-29,2024-02-29T13:45:30Z
                """);
        assertThat(session.readCsv(csv.toString()).schema())
                .hasToString("zoned: timestamp[us, UTC], plain: timestamp[us], both: utf8");
    }

    @Test
    void integersBeyondInt64AreAnErrorThatNamesTheRemedyAndNoFloat() throws IOException {
        Path json = file(".json", "{\"id\": 1}\n{\"id\": 12345678901234567890}\n");
        assertThatThrownBy(() -> session.readJson(json.toString()))
                .hasMessageStartingWith(
                        "'" + json + "', line 2, byte 17: in column 'id' there is the integer 12345678901234567890,"
                                + " which is beyond int64: name the type, float64, utf8 or a decimal.")
                .hasMessageContaining("ReadJson.column(name, type)");
        assertThatThrownBy(() -> session.readJson(
                                json.toString(), ReadJson.defaults().sampleBytes(1))
                        .takeAll())
                .hasMessageContaining("in column 'id' int64 is expected, and there is a number: 12345678901234567890,"
                        + " which is beyond int64: name the type, float64, utf8 or a decimal.");
        Path nested = file(".json", "{\"a\": {\"b\": [12345678901234567890]}}\n");
        assertThatThrownBy(() -> session.readJson(nested.toString()))
                .hasMessageContaining("in column 'a' in its field 'b' there is the integer 12345678901234567890");
        Path csv = file(".csv", "id\n1\n12345678901234567890\n");
        assertThatThrownBy(() -> session.readCsv(csv.toString()))
                .hasMessage(
                        "'" + csv + "': the column 'id' has integers, of which 12345678901234567890 is beyond int64."
                                + " Name its type: ReadCsv.column(\"id\", DataType.UTF8), DataType.UINT64, DataType.decimal(38, 0)"
                                + " or DataType.FLOAT64.");

        for (DataType type : List.of(DataType.UTF8, DataType.UINT64, DataType.decimal(38, 0), DataType.FLOAT64)) {
            String expected = type.equals(DataType.FLOAT64) ? "1.2345678901234567E19" : "12345678901234567890";
            assertThat(session.readJson(json.toString(), ReadJson.defaults().column("id", type))
                            .takeAll()
                            .getLast()
                            .get("id"))
                    .hasToString(expected);
            assertThat(session.readCsv(csv.toString(), ReadCsv.defaults().column("id", type))
                            .takeAll()
                            .getLast()
                            .get("id"))
                    .hasToString(expected);
        }
        Path floats = file(".json", "{\"x\": 12345678901234567890}\n{\"x\": 0.5}\n");
        assertThat(session.readJson(floats.toString()).schema()).hasToString("x: float64");
        Path reals = file(".csv", "x\n12345678901234567890\n0.5\n");
        assertThat(session.readCsv(reals.toString()).schema()).hasToString("x: float64");
    }
}
