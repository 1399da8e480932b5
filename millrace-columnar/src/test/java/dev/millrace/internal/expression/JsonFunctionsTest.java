package dev.millrace.internal.expression;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.list;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.struct;
import static dev.millrace.type.DataType.BOOL;
import static dev.millrace.type.DataType.DATE;
import static dev.millrace.type.DataType.FLOAT64;
import static dev.millrace.type.DataType.INT32;
import static dev.millrace.type.DataType.INT64;
import static dev.millrace.type.DataType.UTF8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.internal.json.JsonText;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Values of a type from JSON texts, and back.
class JsonFunctionsTest {
    private static final DataType.Struct PERSON = DataType.struct(
            new Field("name", UTF8),
            new Field("age", INT64),
            new Field("tags", DataType.list(UTF8)),
            new Field("born", DATE));

    private final long seed = Seeds.seed();
    private final Random random = new Random(seed);

    @Test
    void textsBecomeStructs() {
        try (BlockOf block = new BlockOf()
                .with(
                        "t",
                        UTF8,
                        "{\"age\": 3, \"name\": \"Zoë \\u20ac\", \"more\": [1, {}]}",
                        " {\"tags\": [\"a\", null], \"born\": \"2024-02-29\"} \n ",
                        "null",
                        null,
                        "{}")) {
            List<Object> people = block.eval(col("t").fromJson(PERSON));
            assertThat(people.get(0)).isEqualTo(person("Zoë €", 3L, null, null));
            assertThat(people.get(1))
                    .isEqualTo(person(null, null, Arrays.asList("a", null), LocalDate.of(2024, 2, 29)));
            assertThat(people.get(2)).isNull();
            assertThat(people.get(3)).isNull();
            assertThat(people.get(4)).isEqualTo(person(null, null, null, null));
            assertThat(block.eval(col("t").fromJson(PERSON).field("age"), 0, 1)).containsExactly(3L);
        }
    }

    @Test
    void textsThatDoNotFitAreErrorsOrNull() {
        try (BlockOf block = new BlockOf()
                .with("t", UTF8, "12", "x", "1 2", "[1]", "", "1.5", "  7 ", "{\"a\":", "9", "\"5\"", null)) {
            assertThatThrownBy(() -> block.eval(col("t").fromJson(INT64)))
                    .hasMessageContaining("from_json: ")
                    .hasMessageContaining(", in row 1 of the block. tryFromJson gives null instead.");
            List<Object> numbers = block.eval(col("t").tryFromJson(INT64));
            assertThat(numbers).containsExactly(12L, null, null, null, null, null, 7L, null, 9L, null, null);
            assertThat(block.eval(col("t").tryFromJson(INT64), 5, 11)).isEqualTo(numbers.subList(5, 11));
        }
        try (BlockOf block = new BlockOf().with("t", UTF8, "{\"a\": {\"b\": [1, 2", "{\"a\": {\"b\": [3]}}")) {
            DataType nested = DataType.struct(new Field("a", DataType.struct(new Field("b", DataType.list(INT64)))));
            List<Object> values = block.eval(col("t").tryFromJson(nested));
            assertThat(values).containsExactly(null, Map.of("a", Map.of("b", List.of(3L))));
        }
        try (BlockOf block = new BlockOf().with("i", INT32, 1)) {
            assertThatThrownBy(() -> block.eval(col("i").fromJson(INT64)))
                    .hasMessageContaining("fromJson: JSON is parsed from a text, not from int32.");
        }
    }

    @Test
    void valuesBecomeTextsAndComeBack() {
        int rows = 200;
        Object[][] columns = new Object[4][rows];
        for (int i = 0; i < rows; i++) {
            columns[0][i] = orNull(random.nextLong());
            columns[1][i] = orNull(random.nextDouble() * Math.pow(10, random.nextInt(-20, 20)));
            columns[2][i] = orNull(List.of("", "a\"b", "\\\n", "é😀").get(random.nextInt(4)));
            columns[3][i] = orNull(random.nextBoolean());
        }
        try (BlockOf block = new BlockOf()
                .with("l", INT64, columns[0])
                .with("x", FLOAT64, columns[1])
                .with("s", UTF8, columns[2])
                .with("b", BOOL, columns[3])) {
            var all = struct(col("l"), col("x"), list(col("s"), lit("z")).as("s"), col("b"));
            List<Object> expected = block.eval(all);
            List<Object> texts = block.eval(all.toJson());
            for (int i = 0; i < rows; i++) {
                Map<?, ?> parsed = (Map<?, ?>) JsonText.parse(((String) texts.get(i)).getBytes(StandardCharsets.UTF_8));
                assertThat(parsed.keySet().toString()).isEqualTo("[l, x, s, b]");
            }
            DataType type = DataType.struct(
                    new Field("l", INT64),
                    new Field("x", FLOAT64),
                    new Field("s", DataType.list(UTF8)),
                    new Field("b", BOOL));
            assertThat(block.eval(all.toJson().fromJson(type))).isEqualTo(expected);
            assertThat(block.eval(col("l").toJson()).get(0))
                    .isEqualTo(columns[0][0] == null ? null : columns[0][0].toString());
        }
    }

    private Object orNull(Object value) {
        return random.nextInt(6) == 0 ? null : value;
    }

    private static Map<String, Object> person(String name, Long age, List<?> tags, LocalDate born) {
        Map<String, Object> person = new LinkedHashMap<>();
        person.put("name", name);
        person.put("age", age);
        person.put("tags", tags == null ? null : new ArrayList<>(tags));
        person.put("born", born);
        return person;
    }
}
