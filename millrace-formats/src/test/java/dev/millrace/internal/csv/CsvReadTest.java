package dev.millrace.internal.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.source.ReadCsv;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsvReadTest {
    private static final ReadCsv DEFAULTS = ReadCsv.defaults();

    private static List<List<Object>> rows(String text) throws Exception {
        return CsvText.rows(text, DEFAULTS);
    }

    private static List<Object> row(Object... values) {
        return Arrays.asList(values);
    }

    private static void fails(String text, ReadCsv options, String... parts) {
        assertThatThrownBy(() -> CsvText.rows(text, options))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                .hasMessageContainingAll(parts);
    }

    @Test
    void typesComeFromTheValues() throws Exception {
        String text = """
                i,f,b,d,t,ts,tz,ns,s,n,m
                1,1.5,true,2024-02-29,10:20:30,2024-01-01 10:00:00,2024-01-01T10:00:00Z,2024-01-01 10:00:00.000000001,abc,,1
                -2,3,FALSE,2024-03-01,00:00:00.5,2024-01-01,2024-01-01 10:00:00+01:00,2024-01-01 10:00,7,,x
                ,NA,null,,,,,,,,
                """;
        assertThat(CsvText.schema(text, DEFAULTS).toString())
                .isEqualTo(
                        "i: int64, f: float64, b: bool, d: date, t: time[us], ts: timestamp[us], tz: timestamp[us, UTC],"
                                + " ns: timestamp[ns], s: utf8, n: utf8, m: utf8");
        assertThat(rows(text))
                .containsExactly(
                        row(
                                1L,
                                1.5,
                                true,
                                LocalDate.of(2024, 2, 29),
                                LocalTime.of(10, 20, 30),
                                LocalDateTime.of(2024, 1, 1, 10, 0),
                                LocalDateTime.of(2024, 1, 1, 10, 0).atZone(ZoneId.of("UTC")),
                                LocalDateTime.of(2024, 1, 1, 10, 0, 0, 1),
                                "abc",
                                null,
                                "1"),
                        row(
                                -2L,
                                3.0,
                                false,
                                LocalDate.of(2024, 3, 1),
                                LocalTime.of(0, 0, 0, 500_000_000),
                                LocalDateTime.of(2024, 1, 1, 0, 0),
                                LocalDateTime.of(2024, 1, 1, 9, 0).atZone(ZoneId.of("UTC")),
                                LocalDateTime.of(2024, 1, 1, 10, 0),
                                "7",
                                null,
                                "x"),
                        row(null, null, null, null, null, null, null, null, null, null, null));
    }

    @Test
    void quotes() throws Exception {
        assertThat(
                        rows(
                                "a,b\n\"x,y\",\"line 1\nline 2\"\n\"say \"\"hi\"\"\",\"\"\"\"\n\"\",plain\n5\" disk,\"a\"b\"c\"\n"))
                .containsExactly(
                        row("x,y", "line 1\nline 2"),
                        row("say \"hi\"", "\""),
                        row(null, "plain"),
                        row("5\" disk", "ab\"c\""));
        assertThat(CsvText.rows("a;b\n'x;''y';\"\n", DEFAULTS.delimiter(';').quote('\'')))
                .containsExactly(row("x;'y", "\""));
        assertThat(CsvText.rows("a,b\n\"x,\"y\n", DEFAULTS.withoutQuotes())).containsExactly(row("\"x", "\"y"));
        assertThat(CsvText.rows("a,b\nx\\,y,\"q\\\"r\\\\\"\n\"1\\\n2\",z\n", DEFAULTS.escape('\\')))
                .containsExactly(row("x,y", "q\"r\\"), row("1\n2", "z"));
        assertThat(CsvText.rows("a,b\n1,\"2\"\n", DEFAULTS)).containsExactly(row(1L, 2L));
    }

    @Test
    void quotesInSomeOfManyColumns() throws Exception {
        for (int quoted : List.of(0, 1, 62, 63, 64, 99)) {
            StringBuilder text = new StringBuilder("c0");
            for (int i = 1; i < 100; i++) {
                text.append(",c").append(i);
            }
            List<List<Object>> expected = new ArrayList<>();
            for (int row = 0; row < 3; row++) {
                List<Object> values = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    boolean isQuoted = row > 0 && i == quoted;
                    text.append(i == 0 ? "\n" : ",").append(isQuoted ? "\"x,\"\"y\"" : "v" + row + i);
                    values.add(isQuoted ? "x,\"y" : "v" + row + i);
                }
                expected.add(values);
            }
            assertThat(rows(text.toString())).as("column %d", quoted).isEqualTo(expected);
        }
    }

    @Test
    void lineEnds() throws Exception {
        List<List<Object>> expected = List.of(row(1L, "x"), row(2L, "y"));
        for (String end : List.of("\n", "\r\n", "\r")) {
            for (String last : List.of("", end)) {
                assertThat(rows("a,b" + end + "1,x" + end + end + "2,y" + last)).isEqualTo(expected);
            }
        }
        assertThat(rows("a\r\n1\r\n\r\n2\r\n")).containsExactly(row(1L), row(2L));
        assertThat(rows("a,b\r\n1,\"x\r\n\"\r\n")).containsExactly(row(1L, "x\r\n"));
        assertThat(rows("a,b\n1,\n,")).containsExactly(row(1L, null), row(null, null));
    }

    @Test
    void headers() throws Exception {
        assertThat(CsvText.schema("\uFEFFa,b\n1,2\n", DEFAULTS).names()).containsExactly("a", "b");
        assertThat(CsvText.schema("\n\n\"a, b\",\"c\"\"d\",\n1,2,3\n", DEFAULTS).names())
                .containsExactly("a, b", "c\"d", "");
        assertThat(CsvText.schema("1,2\n", DEFAULTS.withoutHeader()).names()).containsExactly("f0", "f1");
        assertThat(CsvText.rows("1,2\n3,4\n", DEFAULTS.withoutHeader())).containsExactly(row(1L, 2L), row(3L, 4L));
        assertThat(CsvText.rows("1,2\n", DEFAULTS.names("x", "y"))).containsExactly(row(1L, 2L));
        assertThat(CsvText.rows("about, this\r\nfile\nx,y\n1,2\n", DEFAULTS.skipRows(2)))
                .containsExactly(row(1L, 2L));
        assertThat(CsvText.rows("x,y\n1,2\n", DEFAULTS.skipRows(5).names("a"))).isEmpty();
        assertThat(CsvText.rows("# \"a\nx,y\n#,,,\n1,2\n# end \"", DEFAULTS.comment('#')))
                .containsExactly(row(1L, 2L));
        assertThat(rows("only,header")).isEmpty();
        assertThat(CsvText.rows("a\tb\n1\tx,y\n", ReadCsv.tsv())).containsExactly(row(1L, "x,y"));
        fails("", DEFAULTS, "'test.csv' is empty: there is no line with the names of the columns.");
        fails("a,a\n", DEFAULTS, "'test.csv' has two columns named 'a', and names must be unique.");
        assertThatThrownBy(() -> CsvText.schema("a,b\n", DEFAULTS.column("c", DataType.UTF8)))
                .hasMessage("ReadCsv.column: there is no column 'c'. The columns are [a, b].");
    }

    @Test
    void nulls() throws Exception {
        assertThat(rows("i,s\nNA,NA\n7,\"\"\n")).containsExactly(row(null, "NA"), row(7L, null));
        assertThat(CsvText.rows("i,s\n0,-\n7,\"-\"\n,\n", DEFAULTS.nullTexts("-", "0")))
                .containsExactly(row(null, null), row("7", null), row("", ""));
        assertThat(CsvText.rows("i,s\n-1,x\n7,\"-\"\n", DEFAULTS.nullTexts("-1", "x")))
                .containsExactly(row(null, null), row(7L, "-"));
        assertThat(CsvText.rows("s,t\n\"\",x\n,y\n", DEFAULTS.keepQuoted()))
                .containsExactly(row("", "x"), row(null, "y"));
        assertThat(rows("f,g\n1.5,inf\nNaN,-inf\n"))
                .containsExactly(row(1.5, Double.POSITIVE_INFINITY), row(null, Double.NEGATIVE_INFINITY));
    }

    @Test
    void typesCanBeGiven() throws Exception {
        ReadCsv options = DEFAULTS.column("a", DataType.INT8)
                .column("b", DataType.UINT64)
                .column("c", DataType.FLOAT32)
                .column("d", DataType.decimal(10, 2))
                .column("e", DataType.decimal(38, 4))
                .column("f", DataType.BOOL)
                .column("g", DataType.BINARY)
                .column("h", DataType.timestamp(TimeUnit.SECOND))
                .column("i", DataType.UTF8);
        List<Object> row = CsvText.rows(
                        "a,b,c,d,e,f,g,h,i\n-128,18446744073709551615,0.1,12.3,1234567890123456789012345678901234.5,1,x,2024-01-01,007\n",
                        options)
                .getFirst();
        assertThat(row.subList(0, 6))
                .containsExactly(
                        (byte) -128,
                        new java.math.BigInteger("18446744073709551615"),
                        0.1f,
                        new BigDecimal("12.30"),
                        new BigDecimal("1234567890123456789012345678901234.5000"),
                        true);
        assertThat((byte[]) row.get(6)).containsExactly('x');
        assertThat(row.subList(7, 9)).containsExactly(LocalDateTime.of(2024, 1, 1, 0, 0), "007");
        fails("a\n128\n", DEFAULTS.column("a", DataType.INT8), "'128' in column 'a' is no int8");
        fails(
                "a\n1.234\n",
                DEFAULTS.column("a", DataType.decimal(10, 2)),
                "'1.234' in column 'a' is no decimal(10, 2)");
        fails("a\n1e999999999\n", DEFAULTS.column("a", DataType.decimal(10, 2)), "is no decimal(10, 2)");
        assertThatThrownBy(() -> DEFAULTS.column("x", DataType.list(DataType.INT64)))
                .hasMessage(
                        "ReadCsv.column: a text is no value of type list<int64> (column 'x'). Read it as utf8 and convert"
                                + " it afterwards.");
        assertThatThrownBy(() -> DEFAULTS.delimiter('"')).hasMessageContaining("must differ, and '\"' is two of them");
        assertThatThrownBy(() -> DEFAULTS.delimiter('é')).hasMessageContaining("ASCII character");
    }

    @Test
    void aRowWithAnotherNumberOfFieldsIsAnError() throws Exception {
        fails(
                "a,b\n1,2\n\"x\n\",3\n1,2,3\n",
                DEFAULTS,
                "'test.csv', line 5 (byte 15): there are 3 fields and the file has 2 columns: '1,2,3'. Correct the line, or"
                        + " leave such lines out by ReadCsv.skipRaggedRows().");
        assertThat(CsvText.rows("a,b\n1,2\n3\n4,5,6\n7,8\n", DEFAULTS.skipRaggedRows()))
                .containsExactly(row(1L, 2L), row(7L, 8L));
    }

    @Test
    void aValueThatDoesNotFitIsAnError() throws Exception {
        ReadCsv small = DEFAULTS.sampleBytes(8);
        fails(
                "a,b\n1,2\n3,4\n5,six\n",
                small,
                "'test.csv', line 4 (byte 12): 'six' in column 'b' is no int64. Give the column another type by"
                        + " ReadCsv.column(\"b\", DataType.UTF8), or take such values as null by ReadCsv.misfitsAsNull(); the"
                        + " type came from the first 8 bytes of the files looked at, see ReadCsv.sampleBytes.");
        assertThat(CsvText.rows("a,b\n1,2\n3,4\n5,six\n", small.misfitsAsNull()))
                .endsWith(row(5L, null));
    }

    @Test
    void quotesThatAreNeverClosedAndRecordsThatAreTooLong() {
        fails(
                "a,b\n1,2\n3,\"4\n5,6\n",
                DEFAULTS,
                "line 3 (byte 8): a quote is opened in the record that begins here and never closed.");
        String text = "a,b\n1," + "x".repeat(5000) + "\n";
        fails(
                text,
                DEFAULTS.maxRecordBytes(1000),
                "(byte 4): The record that begins here has more than 1000 bytes.",
                "maxRecordBytes");
        fails(
                "a,b\n1,2\n3,\"" + "x\n".repeat(50_000),
                DEFAULTS.maxRecordBytes(10_000),
                "line 3 (byte 8): The record",
                "10000 bytes");
    }

    @Test
    void textIsUtf8OrLatin1() throws Exception {
        byte[] latin = "s,t\nMüller,1\nx,2\n".getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> CsvText.rows(latin, DEFAULTS, 1 << 20))
                .hasMessageStartingWith("'test.csv', line 2 (byte 4): 'M")
                .hasMessageEndingWith("in column 's' is not UTF-8. Read the file by ReadCsv.latin1(), or the column by"
                        + " ReadCsv.column(\"s\", DataType.BINARY).");
        assertThat(CsvText.rows(latin, DEFAULTS.latin1(), 1 << 20)).containsExactly(row("Müller", 1L), row("x", 2L));
        assertThat(CsvText.rows(latin, DEFAULTS.misfitsAsNull(), 1 << 20)).containsExactly(row(null, 1L), row("x", 2L));
        assertThat(rows("s,t\nMüller 日本 𝄞,1\n")).containsExactly(row("Müller 日本 𝄞", 1L));
        assertThatThrownBy(() -> CsvText.rows("a,b\n".getBytes(StandardCharsets.UTF_16), DEFAULTS, 1 << 20))
                .hasMessageContaining("is UTF-16");
    }

    @Test
    void longRecordsAndManyWindows() throws Exception {
        StringBuilder text = new StringBuilder("id,text\n");
        for (int i = 0; i < 3000; i++) {
            text.append(i)
                    .append(",\"")
                    .append("long \"\"text\"\"\n".repeat(i % 700 == 0 ? 2000 : i % 7))
                    .append("\"\n");
        }
        List<List<Object>> rows = CsvText.rows(CsvText.bytes(text.toString()), DEFAULTS, 1);
        assertThat(rows).hasSize(3000);
        for (int i = 0; i < 3000; i++) {
            String expected = "long \"text\"\n".repeat(i % 700 == 0 ? 2000 : i % 7);
            assertThat(rows.get(i)).isEqualTo(row((long) i, expected.isEmpty() ? null : expected));
        }
    }
}
