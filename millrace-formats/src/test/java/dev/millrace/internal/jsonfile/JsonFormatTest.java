package dev.millrace.internal.jsonfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadJson;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonFormatTest {
    private final Allocator allocator = Allocator.root("test", 256 << 20);
    private final ReadContext context = new ReadContext(allocator, 1 << 20);

    @AfterEach
    void everyByteIsReleased() {
        assertThat(allocator.heldBytes()).isZero();
        allocator.close();
    }

    @Test
    void typesAreThoseOfTheSample() {
        assertThat(schema("""
            {"i": 1, "d": 1, "b": true, "s": "x", "t": "2020-01-02", "n": null, "l": [1, 2], "o": {"x": 1}}
            {"i": -9223372036854775808, "d": 2.5, "b": null, "s": "2020-01-02", "t": "2020-01-02T03:04:05", "l": [],
             "o": {"y": ["a"]}, "late": 1e3}
            """))
                .isEqualTo(Schema.of(
                        new Field("i", DataType.INT64),
                        new Field("d", DataType.FLOAT64),
                        new Field("b", DataType.BOOL),
                        new Field("s", DataType.UTF8),
                        new Field("t", DataType.timestamp(TimeUnit.SECOND)),
                        new Field("n", DataType.NULL),
                        new Field("l", DataType.list(DataType.INT64)),
                        new Field(
                                "o",
                                DataType.struct(
                                        new Field("x", DataType.INT64), new Field("y", DataType.list(DataType.UTF8)))),
                        new Field("late", DataType.FLOAT64)));
    }

    @Test
    void missingFieldsAreNullAndOrderDoesNotMatter() {
        assertThat(rows("""
            {"a": 1, "b": "x", "c": {"p": 1, "q": 2}}
            {"b": "y", "a": 2}
            {}
            {"c": {"q": 3}, "b": null}
            """))
                .containsExactly(
                        Arrays.asList(1L, "x", Map.of("p", 1L, "q", 2L)),
                        Arrays.asList(2L, "y", null),
                        Arrays.asList(null, null, null),
                        Arrays.asList(null, null, map("p", null, "q", 3L)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1}\n{\"a\":2}\n",
                "{\"a\":1}\n{\"a\":2}",
                "{\"a\":1}\r\n\r\n{\"a\":2}\r\n",
                "{\"a\":1}{\"a\":2}",
                "{\"a\":1} {\"a\"\t:\n2 }",
                "[{\"a\":1},{\"a\":2}]",
                " [ {\"a\":1}\n,\n{\"a\":2}\n]\n",
                "\uFEFF{\"a\":1}\n{\"a\":2}\n",
                "\uFEFF[{\"a\":1},{\"a\":2}]"
            })
    void linesArraysAndPlainSequencesAreRecognised(String text) {
        assertThat(rows(text)).containsExactly(List.of(1L), List.of(2L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n \n", "[]", " [ ] "})
    void aFileWithoutRecordsHasNoRows(String text) {
        assertThat(rows(text)).isEmpty();
    }

    @Test
    void stringsAreUnescaped() {
        assertThat(rows("""
            {"a": "\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\u20AC\\ud83d\\ude00 \u00e4\u20ac\ud83d\ude00", "\\u0062": 1}
            {"a": "", "b": 2}
            {"a": "long enough for more than one word, and then \\u0041", "b": 3}
            """))
                .containsExactly(
                        List.of("\"\\/\b\f\n\r\t\u00e4\u20ac\ud83d\ude00 \u00e4\u20ac\ud83d\ude00", 1L),
                        List.of("", 2L),
                        List.of("long enough for more than one word, and then A", 3L));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0.0",
        "-0.0, -0.0",
        "1.5, 1.5",
        "1e5, 100000.0",
        "1E-5, 1.0E-5",
        "123456789012345678901234567890, 1.2345678901234568E29",
        "0.1, 0.1",
        "2.2250738585072014e-308, 2.2250738585072014E-308",
        "4.9e-324, 4.9E-324",
        "1e-400, 0.0",
        "9007199254740993.0, 9.007199254740992E15",
        "1.7976931348623157e308, 1.7976931348623157E308",
        "0.000000000000000000000000000000000000000000001, 1.0E-45",
        "NaN, NaN",
        "Infinity, Infinity",
        "-Infinity, -Infinity"
    })
    void numbersAreTheNearestDoubles(String text, String expected) {
        List<List<Object>> rows = rows("{\"a\": 0.5}\n{\"a\":" + text + "}\n");
        assertThat(rows.get(1).getFirst()).isEqualTo(Double.valueOf(expected));
    }

    @Test
    void integersKeepAllTheirDigits() {
        assertThat(rows("""
                        {"a":9223372036854775807}
                        {"a":-9223372036854775808}
                        {"a":1234567890123456789}
                        {"a":-0}"""))
                .containsExactly(
                        List.of(Long.MAX_VALUE), List.of(Long.MIN_VALUE), List.of(1234567890123456789L), List.of(0L));
        assertThatThrownBy(() -> schema("{\"a\":9223372036854775808}"))
                .hasMessageStartingWith("'some/file.json', line 1, byte 5: in column 'a' there is the integer"
                        + " 9223372036854775808, which is beyond int64: name the type, float64, utf8 or a decimal.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\": 1,}|a key in quotes should follow, not '}'",
                "{\"a\": 01}|a number begins with a zero",
                "{\"a\": 1.}|a digit should follow, not '}'",
                "{\"a\": .5}|there should be a value, not '.'",
                "{\"a\": 1e}|a digit should follow, not '}'",
                "{\"a\": +1}|there should be a value, not '+'",
                "{\"a\": -}|there should be a value, not '-'",
                "{\"a\": 1e400}|a number is too large for a double",
                "{\"a\": nul}|there should be a value, not 'n'",
                "{\"a\": nullx}|there is a word that JSON does not know",
                "{\"a\": True}|there should be a value, not 'T'",
                "{\"a\" 1}|a colon should follow the key, not '1'",
                "{a: 1}|a key in quotes should follow, not 'a'",
                "{\"a\": 1 \"b\": 2}|a comma or '}' should follow, not '\"'",
                "{\"a\": [1 2]}|a comma or ']' should follow, not '2'",
                "{\"a\": \"\\x\"}|a string has an escape that JSON does not know",
                "{\"a\": \"\\u12g4\"}|four hexadecimal digits should follow \\u",
                "{\"a\": \"\\ud83d\"}|a string has half of a surrogate pair",
                "{\"a\": \"\\ude00\"}|a string has half of a surrogate pair",
                "{\"a\": \"x|it ends in the middle of a value",
                "{\"a\": 1|it ends in the middle of a value",
                "{\"a\": tru|it ends in the middle of a value",
                "[{\"a\": 1}|it ends in the middle of a value",
                "[{\"a\": 1},]|a record should be an object, not ']'",
                "[{\"a\": 1}] 2|nothing should follow the array, not '2'",
                "[1, 2]|a record should be an object, not '1'",
                "5|a record should be an object, not '5'",
                "null|a record should be an object, not 'n'"
            })
    void whatIsNotJsonIsADataErrorThatNamesThePlace(String text, String message) {
        assertThatThrownBy(() -> rows("\n" + text))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                .hasMessageStartingWith("'some/file.json', line 2, byte ")
                .hasMessageEndingWith(": " + message + ".");
    }

    @Test
    void controlCharactersAndBytesThatAreNotUtf8AreErrors() {
        assertThatThrownBy(() -> rows("{\"a\": \"x\ty\"}"))
                .hasMessageEndingWith("byte 8: a string has a control character (9) that is not escaped.");
        byte[] bytes = "{\"a\": \"xx\"}".getBytes(StandardCharsets.UTF_8);
        bytes[7] = (byte) 0xFF;
        assertThatThrownBy(() -> rows(bytes, ReadJson.defaults()))
                .hasMessage("'some/file.json', line 1, byte 7: a string is not UTF-8.");
    }

    @Test
    void aKeyThatComesTwiceIsAnError() {
        assertThatThrownBy(() -> rows("{\"a\": 1, \"b\": 2, \"a\": 3}"))
                .hasMessage("'some/file.json', line 1, byte 22: the key 'a' comes twice in one object.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1 true]|a comma or ']' should follow, not 't'",
                "[1,]|there should be a value, not ']'",
                "[,1]|there should be a value, not ','",
                "{\"x\"::1}|there should be a value, not ':'",
                "{\"x\", 1}|a colon should follow the key, not ','",
                "{\"x\":1,}|a key in quotes should follow, not '}'",
                "{x: 1}|a key in quotes should follow, not 'x'",
                "[012]|a number begins with a zero",
                "[+1]|there should be a value, not '+'",
                "[1.]|a digit should follow, not ']'",
                "[1e+]|a digit should follow, not ']'",
                "[1.2a]|a comma or ']' should follow, not 'a'",
                "[fals]|there should be a value, not 'f'",
                "-|there should be a value, not '-'"
            })
    void aColumnThatTakesAnyValueAsTextTakesNoneThatIsNotJson(String text, String message) {
        ReadJson asText = ReadJson.defaults().column("a", DataType.UTF8);
        assertThatThrownBy(() -> rows(("{\"a\": " + text + "}\n").getBytes(StandardCharsets.UTF_8), asText))
                .hasMessageEndingWith(": " + message + ".");
    }

    @Test
    void aColumnOfTextsKeepsNumbersOfAnySize() {
        ReadJson asText = ReadJson.defaults().column("a", DataType.UTF8);
        String value = "[1e400, -0.0, NaN, -Infinity, {\"x\": [null, true, 1234567890123456789012345678901234567890]}]";
        assertThat(rows(("{\"a\": " + value + "}\n").getBytes(StandardCharsets.UTF_8), asText))
                .containsExactly(List.of(value));
    }

    @Test
    void nestingIsBounded() {
        assertThatThrownBy(() -> rows("{\"a\": " + "[".repeat(100_000)))
                .hasMessageContaining("arrays and objects lie more than 200 deep in each other");
        assertThatThrownBy(() -> rows(
                        ("{\"a\": " + "{\"a\":".repeat(100_000)).getBytes(StandardCharsets.UTF_8),
                        ReadJson.defaults().column("a", DataType.UTF8)))
                .hasMessageContaining("arrays and objects lie more than 200 deep in each other");
    }

    @Test
    void valuesThatClashWithTheSampleAreErrorsThatNameBothTypesAndTheSetting() {
        ReadJson small = ReadJson.defaults().sampleBytes(1);
        String help = ". Columns and types come from samples of some files unless they are given: give one with"
                + " ReadJson.column(name, type) (utf8 takes any value as text), take larger samples with sampleBytes(n)"
                + " or of all files with unionOfAllFiles(), or pass over unknown fields with ignoreUnknown().";
        assertThatThrownBy(() -> rows("{\"a\":1}\n{\"a\":\"x\"}\n", small))
                .hasMessage("'some/file.json', line 2, byte 13: in column 'a' int64 is expected, and there is a string:"
                        + " \"x\""
                        + help);
    }

    @Test
    void aClashWithinTheSampleNamesBothTypes() {
        assertThatThrownBy(() -> rows("{\"a\":1}\n{\"a\":true}\n"))
                .hasMessageStartingWith(
                        "'some/file.json', line 2, byte 13: in column 'a' values before were int64, and there is"
                                + " a boolean: true. Columns and types come from samples");
    }

    @Test
    void fieldsThatTheSampleDidNotHaveAreErrorsUnlessIgnored() {
        String text = "{\"a\":1}\n{\"a\":2,\"b\":{\"deep\":[1,\"]\"]}}\n{\"a\":3}\n";
        ReadJson small = ReadJson.defaults().sampleBytes(1);
        assertThatThrownBy(() -> rows(text, small))
                .hasMessageStartingWith(
                        "'some/file.json', line 2, byte 15: there is a field 'b' that is not among the known ones.");
        assertThat(rows(text, small.ignoreUnknown())).containsExactly(List.of(1L), List.of(2L), List.of(3L));
        assertThat(rows(text, ReadJson.defaults().schema(Schema.of("a", DataType.INT64))))
                .containsExactly(List.of(1L), List.of(2L), List.of(3L));
        assertThatThrownBy(() -> rows(
                        text,
                        ReadJson.defaults()
                                .schema(Schema.of("a", DataType.INT64))
                                .errorOnUnknown()))
                .hasMessageContaining("there is a field 'b' that is not among the known ones");
    }

    @Test
    void aColumnGivenAsTextTakesAnyValue() {
        ReadJson text = ReadJson.defaults().column("a", DataType.UTF8);
        assertThat(rows("""
                        {"a":1}
                        {"a":"x"}
                        {"a": {"b": [1, null]}}
                        {"a":null}
                        {"a":1.50}
                        {"a":true}""", text))
                .containsExactly(
                        List.of("1"),
                        List.of("x"),
                        List.of("{\"b\": [1, null]}"),
                        Collections.singletonList(null),
                        List.of("1.50"),
                        List.of("true"));
    }

    @Test
    void anyTypeCanBeGiven() {
        Schema schema = Schema.of(
                new Field("i8", DataType.INT8),
                new Field("u64", DataType.UINT64),
                new Field("f", DataType.FLOAT32),
                new Field("dec", DataType.decimal(10, 2)),
                new Field("date", DataType.DATE),
                new Field("ts", DataType.timestamp(TimeUnit.MICROSECOND, "UTC")),
                new Field("bin", DataType.BINARY),
                new Field("map", DataType.map(DataType.UTF8, DataType.INT64)),
                new Field("fixed", DataType.fixedList(DataType.INT32, 2)),
                new Field("cat", DataType.dictionary(DataType.UTF8)));
        List<Object> row = rows("""
            {"i8": -128, "u64": 18446744073709551615, "f": 0.5, "dec": "12.30", "date": "2024-02-29",
             "ts": "2024-02-29T12:00:00.5+01:00", "bin": "aGk=", "map": {"x": 1, "y": null}, "fixed": [1, 2], "cat": "c"}
            """, ReadJson.defaults().schema(schema)).getFirst();
        assertThat(row.get(0).toString()).isEqualTo("-128");
        assertThat(row.get(1).toString()).isIn("18446744073709551615", "-1");
        assertThat(row.get(2)).isEqualTo(0.5f);
        assertThat(row.get(3)).isEqualTo(new BigDecimal("12.30"));
        assertThat(row.get(4)).isEqualTo(LocalDate.of(2024, 2, 29));
        assertThat(row.get(5).toString()).contains("2024-02-29T11:00:00.5");
        assertThat(row.get(7)).isEqualTo(map("x", 1L, "y", null));
        assertThat(row.get(8)).isEqualTo(List.of(1, 2));
        assertThat(row.get(9)).isEqualTo("c");
        for (String wrong :
                List.of("{\"i8\": 128}", "{\"dec\": 1e30}", "{\"date\": \"x\"}", "{\"fixed\": [1]}", "{\"i8\": 1.5}")) {
            assertThatThrownBy(() -> rows(wrong, ReadJson.defaults().schema(schema)))
                    .as(wrong)
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                    .hasMessageContaining("is expected, and there is a");
        }
    }

    @Test
    void onlyColumnsThatAreWantedAreRead() {
        String text = "{\"a\":1,\"b\":\"x\\\"}\",\"c\":[{\"d\":\"]\"}]}\n{\"c\":null,\"b\":\"y\",\"a\":2}\n";
        assertThat(rows(MemoryRange.whole(text.getBytes(StandardCharsets.UTF_8)), ReadJson.defaults(), "b"))
                .containsExactly(List.of("x\"}"), List.of("y"));
        assertThat(rows(MemoryRange.whole(text.getBytes(StandardCharsets.UTF_8)), ReadJson.defaults()))
                .hasSize(2);
        assertThat(rows(MemoryRange.whole(text.getBytes(StandardCharsets.UTF_8)), ReadJson.defaults(), new String[0]))
                .containsExactly(List.of(), List.of());
    }

    @Test
    void partsCutAnywhereHaveTheRowsOfTheWhole() {
        String text = "{\"a\":1,\"b\":\"x\\n\"}\n{\"a\":2}\r\n\n{\"b\":\"\u00e4}\"}{\"a\":4}\n{\"a\":5}";
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        List<List<Object>> whole = rows(bytes, ReadJson.defaults());
        assertThat(whole).hasSize(5);
        for (ReadJson options : List.of(ReadJson.defaults(), ReadJson.defaults().lines())) {
            for (int cut = 1; cut < bytes.length; cut++) {
                for (int second = cut; second < bytes.length; second += 5) {
                    List<List<Object>> parts = new ArrayList<>();
                    parts.addAll(rows(new MemoryRange(bytes, 0, cut, 3), options, "a", "b"));
                    parts.addAll(rows(new MemoryRange(bytes, cut, second, 7), options, "a", "b"));
                    parts.addAll(rows(new MemoryRange(bytes, second, Long.MAX_VALUE, 1000), options, "a", "b"));
                    assertThat(parts).as("cut at %d and %d", cut, second).isEqualTo(whole);
                }
            }
        }
    }

    @Test
    void aFileThatIsNotOfLinesIsReadByWhoeverHasItsBeginning() {
        for (String text : List.of("[\n{\"a\":1},\n{\"a\":2}\n]", "{\"a\":\n1}\n{\"a\":2,\n\"b\":\n{\"a\":3}\n}\n")) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            for (int cut = 1; cut < bytes.length; cut++) {
                List<List<Object>> parts = new ArrayList<>();
                parts.addAll(rows(new MemoryRange(bytes, 0, cut, 3), ReadJson.defaults(), "a"));
                parts.addAll(rows(new MemoryRange(bytes, cut, Long.MAX_VALUE, 7), ReadJson.defaults(), "a"));
                assertThat(parts).as("%s cut at %d", text, cut).containsExactly(List.of(1L), List.of(2L));
            }
        }
    }

    @Test
    void aRecordOverTheEndOfItsLineIsAnErrorInAFileOfLines() {
        assertThatThrownBy(() ->
                        rows("{\"a\":1}\n{\"a\":\n2}\n", ReadJson.defaults().lines()))
                .hasMessageContaining(
                        "a record goes over the end of its line in a file of lines; read it with ReadJson.values()");
    }

    /// Also where the line ends in a value that nobody looks at, and where the buffer cuts the record.
    @ParameterizedTest
    @ValueSource(strings = {"[1,\n2]", "{\"x\":\n{}}", "\"x\\\ny\"", "[\"x\\\ny\"]", "5\n"})
    void aLineEndInAFieldThatIsPassedOverIsFound(String value) {
        String text = "{\"a\":1,\"z\":3}\n{\"a\":2,\"z\":" + value + "}\n{\"a\":3}\n";
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ReadJson options = ReadJson.defaults().lines().schema(Schema.of(new Field("a", DataType.INT64)));
        for (int step : List.of(1, 2, 3, 1000)) {
            assertThatThrownBy(() -> rows(new MemoryRange(bytes, 0, Long.MAX_VALUE, step), options, "a"))
                    .as("steps of %d", step)
                    .hasMessageContaining("a record goes over the end of its line in a file of lines");
        }
    }

    @Test
    void keysOfAnyLengthAreFoundInAndOutOfOrder() {
        List<String> names = new ArrayList<>();
        for (int length = 0; length < 40; length++) {
            names.add("k".repeat(length));
            names.add("k".repeat(length) + "\u00e4");
            names.add("k".repeat(length) + "\"");
        }
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 3; row++) {
            List<String> members = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                members.add("\"" + names.get(i).replace("\"", "\\\"") + "\":" + (row * 1000 + i));
            }
            if (row == 1) {
                Collections.reverse(members);
            }
            text.append('{').append(String.join(",", members)).append("}\n");
        }
        List<List<Object>> rows = rows(text.toString());
        assertThat(rows).hasSize(3);
        for (int row = 0; row < 3; row++) {
            for (int i = 0; i < names.size(); i++) {
                assertThat(rows.get(row).get(i)).as(names.get(i)).isEqualTo(row * 1000L + i);
            }
        }
    }

    @Test
    void recordsLargerThanTheBufferAndBlocksOfTheSizeAskedFor() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            text.append("{\"a\":")
                    .append(i)
                    .append(",\"b\":\"")
                    .append("x".repeat(i * 50_000))
                    .append("\"}\n");
        }
        FileRange range = new MemoryRange(text.toString().getBytes(StandardCharsets.UTF_8), 0, Long.MAX_VALUE, 10_000);
        JsonFormat format = new JsonFormat(ReadJson.defaults());
        Schema schema = format.settle(format.schema(range, context));
        long rows = 0;
        int blocks = 0;
        try (SplitReader reader = format.open(range, WantedColumns.all(schema), context)) {
            for (Block block = reader.next(); block != null; block = reader.next()) {
                assertThat(block.sizeBytes()).isLessThan(4 << 20);
                rows += block.rows();
                blocks++;
                block.close();
            }
        }
        assertThat(rows).isEqualTo(30);
        assertThat(blocks).isGreaterThan(8);
    }

    private Schema schema(String text) {
        try {
            return new JsonFormat(ReadJson.defaults())
                    .schema(MemoryRange.whole(text.getBytes(StandardCharsets.UTF_8)), context);
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    private List<List<Object>> rows(String text) {
        return rows(text, ReadJson.defaults());
    }

    private List<List<Object>> rows(String text, ReadJson options) {
        return rows(text.getBytes(StandardCharsets.UTF_8), options);
    }

    private List<List<Object>> rows(byte[] bytes, ReadJson options) {
        return rows(MemoryRange.whole(bytes), options, (String[]) null);
    }

    private List<List<Object>> rows(MemoryRange range, ReadJson options, String... columns) {
        return JsonRows.read(range, options, context, columns);
    }

    private static Map<String, Object> map(String a, Object x, String b, Object y) {
        Map<String, Object> map = new java.util.LinkedHashMap<>();
        map.put(a, x);
        map.put(b, y);
        return map;
    }
}
