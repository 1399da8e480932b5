package dev.millrace.internal.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.column.Tensor;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.column.JavaTypes;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JavaValuesTest {
    @Test
    void anyNumberWhoseValueFitsIsTaken() {
        assertThat(JavaValues.toByte(DataType.INT8, -128L)).isEqualTo((byte) -128);
        assertThat(JavaValues.toByte(DataType.UINT8, 255)).isEqualTo((byte) 255);
        assertThat(JavaValues.toInt(DataType.INT32, 3.0)).isEqualTo(3);
        assertThat(JavaValues.toLong(DataType.UINT64, new BigInteger("18446744073709551615")))
                .isEqualTo(-1);
        assertThat(JavaValues.toDouble(DataType.FLOAT64, 1)).isEqualTo(1.0);
        assertThat(JavaValues.toUnscaled(DataType.decimal(5, 2), 1.5)).isEqualTo(BigInteger.valueOf(150));
        assertThat(JavaValues.toLong(DataType.timestamp(TimeUnit.SECOND, "UTC"), Instant.ofEpochSecond(7, 999_999_999)))
                .isEqualTo(7);
        assertThat(JavaValues.toLong(DataType.duration(TimeUnit.SECOND), Duration.ofMillis(-1)))
                .isEqualTo(-1);
    }

    @Test
    void valuesThatDoNotFitAreRefusedWithValueAndType() {
        assertThatThrownBy(() -> JavaValues.toByte(DataType.INT8, 128))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.USER))
                .hasMessage("The value 128 (Integer) does not fit a column of type int8, which takes -128 to 127.");
        assertThatThrownBy(() -> JavaValues.toLong(DataType.INT64, "x"))
                .hasMessage("The value 'x' (String) does not fit a column of type int64, which takes an integer.");
        assertThatThrownBy(() -> JavaValues.toLong(DataType.INT64, 1.5)).hasMessageContaining("takes an integer");
        assertThatThrownBy(() -> JavaValues.toLong(DataType.INT64, 1e300))
                .hasMessageContaining("-9223372036854775808 to");
        assertThatThrownBy(() -> JavaValues.toLong(DataType.UINT64, -1))
                .hasMessageContaining("0 to 18446744073709551615");
        assertThatThrownBy(() -> JavaValues.toUnscaled(DataType.decimal(3, 1), new BigDecimal("1.25")))
                .hasMessageContaining("at most 1 digits after the point");
        assertThatThrownBy(() -> JavaValues.toUnscaled(DataType.decimal(3, 1), 1000))
                .hasMessageContaining("at most 3 digits");
        assertThatThrownBy(() -> JavaValues.toInt(DataType.DATE, Instant.EPOCH))
                .hasMessageContaining("takes a LocalDate");
        assertThatThrownBy(() -> JavaValues.toLong(DataType.timestamp(TimeUnit.NANOSECOND, "UTC"), Instant.MAX))
                .hasMessageContaining("count of units");
    }

    @Test
    void typesAreInferredFromValues() {
        assertThat(JavaTypes.infer(null)).isEqualTo(DataType.NULL);
        assertThat(JavaTypes.infer(1)).isEqualTo(DataType.INT32);
        assertThat(JavaTypes.infer(1L)).isEqualTo(DataType.INT64);
        assertThat(JavaTypes.infer(LocalDate.EPOCH)).isEqualTo(DataType.DATE);
        assertThat(JavaTypes.infer(Instant.EPOCH)).isEqualTo(DataType.timestamp(TimeUnit.MICROSECOND, "UTC"));
        assertThat(JavaTypes.infer(ZonedDateTime.parse("2026-01-01T00:00:00+01:00[Europe/Berlin]")))
                .isEqualTo(DataType.timestamp(TimeUnit.MICROSECOND, "Europe/Berlin"));
        assertThat(JavaTypes.infer(new BigDecimal("12.345"))).isEqualTo(DataType.decimal(5, 3));
        assertThat(JavaTypes.infer(new BigDecimal("0.001"))).isEqualTo(DataType.decimal(3, 3));
        assertThat(JavaTypes.infer(new BigDecimal("1E+3"))).isEqualTo(DataType.decimal(4, 0));
        assertThat(JavaTypes.infer(new float[2])).isEqualTo(DataType.list(DataType.FLOAT32));
        assertThat(JavaTypes.infer(new byte[2])).isEqualTo(DataType.BINARY);
        assertThat(JavaTypes.infer(List.of(1, 2.5))).isEqualTo(DataType.list(DataType.FLOAT64));
        assertThat(JavaTypes.infer(List.of())).isEqualTo(DataType.list(DataType.NULL));
        assertThat(JavaTypes.infer(new TreeMap<>(Map.of("a", 1, "b", "x"))))
                .isEqualTo(DataType.struct(new Field("a", DataType.INT32), new Field("b", DataType.UTF8)));
        assertThat(JavaTypes.infer(Map.of(1, "x"))).isEqualTo(DataType.map(DataType.INT32, DataType.UTF8));
        assertThat(JavaTypes.infer(Tensor.of(new int[4], 2, 2))).isEqualTo(DataType.tensor(DataType.INT32, 2, 2));
        assertThatThrownBy(() -> JavaTypes.infer(new Object()))
                .hasMessageContaining("java.lang.Object has no column type");
    }
}
