package dev.millrace.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.column.Columns;
import dev.millrace.memory.Allocator;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTextTest {
    @Test
    void aValueOfAnyKindIsAText() {
        assertThat(parse("7")).isEqualTo(7L);
        assertThat(parse(" -12.5e1")).isEqualTo(new BigDecimal("-12.5e1"));
        assertThat(parse("\"a\\n\"\n")).isEqualTo("a\n");
        assertThat(parse("true")).isEqualTo(true);
        assertThat(parse("null")).isNull();
        assertThat(parse("[1, [], {}]")).isEqualTo(List.of(1L, List.of(), Map.of()));
        for (String broken : List.of("", "1 2", "[1", "{\"a\":1", "\"a", "tru", "1x", "{\"a\" 1}")) {
            assertThatThrownBy(() -> parse(broken)).as(broken).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void whatIsWrittenIsReadAgain() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("text \"\u0001ü\n", Arrays.asList(1L, null, true, new BigDecimal("0.25"), List.of(), Map.of()));
        JsonWriter writer = new JsonWriter();
        writer.value(value);
        byte[] text = writer.take();
        assertThat(JsonText.parse(text)).isEqualTo(value);
        assertThat(writer.take()).isEmpty();
        writer.value(Columns.ofDoubles(Allocator.collected("test"), 1.5), 0);
        assertThat(new String(writer.take(), StandardCharsets.UTF_8)).isEqualTo("1.5");
        assertThatThrownBy(() -> writer.value(Double.NaN)).hasMessage("JSON has no Double such as NaN");
    }

    private static Object parse(String text) {
        return JsonText.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
