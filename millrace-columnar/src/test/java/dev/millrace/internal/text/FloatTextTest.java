package dev.millrace.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Seeds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FloatTextTest {
    @Test
    void numbersArePlainUpToSixteenDigitsAndElseHaveAnExponent() {
        assertThat(FloatText.of(1e7)).isEqualTo("10000000.0");
        assertThat(FloatText.of(9007199254740992d)).isEqualTo("9007199254740992.0");
        assertThat(FloatText.of(1e16)).isEqualTo("1e+16");
        assertThat(FloatText.of(-1.25e100)).isEqualTo("-1.25e+100");
        assertThat(FloatText.of(0.0001)).isEqualTo("0.0001");
        assertThat(FloatText.of(1.5e-7)).isEqualTo("1.5e-07");
        assertThat(FloatText.of(-0.0)).isEqualTo("-0.0");
        assertThat(FloatText.of(Double.MIN_VALUE)).isEqualTo("5e-324");
        assertThat(FloatText.of(Float.MIN_VALUE)).isEqualTo("1e-45");
        assertThat(FloatText.of(1.0e-7)).isEqualTo("1e-07");
        assertThat(FloatText.of(2.5e-7)).isEqualTo("2.5e-07");
        assertThat(FloatText.of(123456790f)).isEqualTo("123456790.0");
        assertThat(FloatText.of(Double.NaN)).isEqualTo("nan");
        assertThat(FloatText.of(Float.NEGATIVE_INFINITY)).isEqualTo("-inf");
    }

    @Test
    void numbersOfAllSizesAreWrittenAsDuckDbWritesThem() throws Exception {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                PreparedStatement cast = duck.prepareStatement("SELECT CAST(CAST(? AS DOUBLE) AS VARCHAR)")) {
            for (int i = 0; i < 300; i++) {
                double number = i % 2 == 0
                        ? Math.scalb(random.nextGaussian(), random.nextInt(200) - 100)
                        : random.nextInt(1_000_000) / Math.pow(10, random.nextInt(12));
                cast.setDouble(1, number);
                try (ResultSet result = cast.executeQuery()) {
                    result.next();
                    assertThat(FloatText.of(number)).as("seed " + seed).isEqualTo(result.getString(1));
                }
                // DuckDB has a digit too many in some floats.
                assertThat(Float.parseFloat(FloatText.of((float) number)))
                        .as("seed " + seed)
                        .isEqualTo((float) number);
            }
        }
    }
}
