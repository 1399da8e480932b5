package dev.millrace.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class JsonPathTest {
    private static final String JSON = """
            {"a": {"b c": [1, "x\\u00e9\\n", null, {"d": 1.50}]}, "e.f": true, "n": 12345678901234567890123, "z": 1E2}\
            """;

    private static String at(String path) {
        return JsonPath.of(path).extract(JSON, false);
    }

    private static String textAt(String path) {
        return JsonPath.of(path).extract(JSON, true);
    }

    @Test
    void aPathIsOfKeysAndPositionsAPointerOrOneKey() {
        assertThat(at("$.a.\"b c\"[0]")).isEqualTo("1");
        assertThat(at("$.a.b c[3].d")).isEqualTo("1.5");
        assertThat(at("/a/b c/3/d")).isEqualTo("1.5");
        assertThat(at("e.f")).isEqualTo("true");
        assertThat(at("$.\"e.f\"")).isEqualTo("true");
        assertThat(at("$.a.\"b c\"[-1].d")).isEqualTo("1.5");
        assertThat(at("$.a.\"b c\"[#-1].d")).isEqualTo("1.5");
    }

    @Test
    void whatIsThereIsWrittenWithoutBlanksAndNumbersKeepTheirDigits() {
        assertThat(at("a")).isEqualTo("{\"b c\":[1,\"xé\\n\",null,{\"d\":1.5}]}");
        assertThat(at("n")).isEqualTo("12345678901234567890123");
        assertThat(at("z")).isEqualTo("100.0");
        assertThat(at("$")).startsWith("{\"a\":{");
    }

    @Test
    void aStringsTextHasNoQuotesAndNullIsNull() {
        assertThat(at("$.a.b c[1]")).isEqualTo("\"xé\\n\"");
        assertThat(textAt("$.a.b c[1]")).isEqualTo("xé\n");
        assertThat(at("$.a.b c[2]")).isEqualTo("null");
        assertThat(textAt("$.a.b c[2]")).isNull();
        assertThat(textAt("$.a.b c")).isEqualTo("[1,\"xé\\n\",null,{\"d\":1.5}]");
    }

    @Test
    void whatIsNotThereIsNull() {
        assertThat(at("none")).isNull();
        assertThat(at("$.a.b c[4]")).isNull();
        assertThat(at("$.a.b c[-5]")).isNull();
        assertThat(at("$.a.b c.d")).isNull();
        assertThat(at("$.n.d")).isNull();
        assertThat(at("/a/b c/x")).isNull();
    }

    @Test
    void pathsThatAreNoneAreToldWithTheirPlace() {
        assertThatThrownBy(() -> JsonPath.of("$x")).hasMessage("a '.' or '[' should stand at character 2");
        assertThatThrownBy(() -> JsonPath.of("$.a[0")).hasMessage("the bracket at character 4 is not closed");
        assertThatThrownBy(() -> JsonPath.of("$.")).hasMessage("a key is missing at character 3");
        assertThatThrownBy(() -> JsonPath.of("$.\"a")).hasMessage("the quote at character 3 is not closed");
        assertThatThrownBy(() -> JsonPath.of("$[x]")).hasMessage("'x' in brackets is no position");
        assertThatThrownBy(() -> JsonPath.of("$.a[*]")).hasMessage("'*' for all elements is not supported");
        assertThatThrownBy(() -> JsonPath.of("a").extract("{\"a\": 1} x", false))
                .hasMessage("something follows its value at byte 9");
    }
}
