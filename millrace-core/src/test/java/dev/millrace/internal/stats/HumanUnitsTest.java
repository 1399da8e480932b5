package dev.millrace.internal.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanUnitsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 ns",
        "850, 850 ns",
        "999.4, 999 ns",
        "999.6, 1 µs",
        "1_770_000, 1.77 ms",
        "2_200_000, 2.2 ms",
        "12_345_678_901, 12.3 s",
        "59_940_000_000, 59.9 s",
        "60_000_000_000, 1 min",
        "125_000_000_000, 2 min 5 s",
        "3_600_000_000_000, 1 h",
        "11_520_000_000_000, 3 h 12 min",
        "7_199_000_000_000, 2 h",
    })
    void timesTakeTheUnitThatKeepsThemBelowAThousand(String nanos, String shown) {
        assertThat(HumanUnits.time(number(nanos))).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "1023, 1023 B",
        "1024, 1 KiB",
        "8000, 7.81 KiB",
        "134_217_728, 128 MiB",
        "134_000_000, 128 MiB",
        "1_073_741_823, 1 GiB",
        "9_223_372_036_854_775_807, 8 EiB",
    })
    void bytesAreBinary(String bytes, String shown) {
        assertThat(HumanUnits.bytes(number(bytes))).isEqualTo(shown);
    }

    @Test
    void countsAreExactBelowAMillion() {
        assertThat(HumanUnits.count(0)).isEqualTo("0");
        assertThat(HumanUnits.count(666_667)).isEqualTo("666,667");
        assertThat(HumanUnits.count(999_999.7)).isEqualTo("1 M");
        assertThat(HumanUnits.count(12_345_678)).isEqualTo("12.3 M");
        assertThat(HumanUnits.count(1e18)).isEqualTo("1 E");
    }

    @Test
    void ratesHaveAUnitAndNeverDivideByZero() {
        assertThat(HumanUnits.rowsPerSecond(1000, 55_000_000)).isEqualTo("18.2 k rows/s");
        assertThat(HumanUnits.rowsPerSecond(123, 1_000_000_000L)).isEqualTo("123 rows/s");
        assertThat(HumanUnits.rowsPerSecond(1, 3_000_000_000L)).isEqualTo("0.33 rows/s");
        assertThat(HumanUnits.rowsPerSecond(1, 0)).isEqualTo("-");
    }

    @Test
    void percentIsFullOnlyAtTheEnd() {
        assertThat(HumanUnits.percent(0.449)).isEqualTo("45 %");
        assertThat(HumanUnits.percent(0.9999)).isEqualTo("99 %");
        assertThat(HumanUnits.percent(1)).isEqualTo("100 %");
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace("_", ""));
    }
}
