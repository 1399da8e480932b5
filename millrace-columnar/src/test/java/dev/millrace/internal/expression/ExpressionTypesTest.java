package dev.millrace.internal.expression;

import static dev.millrace.expression.Expressions.*;
import static dev.millrace.type.DataType.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.time.Duration;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionTypesTest {
    private static final Schema SCHEMA = Schema.of(
            new Field("int8", INT8),
            new Field("int16", INT16),
            new Field("int32", INT32),
            new Field("int64", INT64),
            new Field("uint8", UINT8),
            new Field("uint32", UINT32),
            new Field("uint64", UINT64),
            new Field("float16", FLOAT16),
            new Field("float32", FLOAT32),
            new Field("float64", FLOAT64),
            new Field("money", DataType.decimal(10, 2)),
            new Field("rate", DataType.decimal(6, 4)),
            new Field("name", UTF8),
            new Field("word", DataType.dictionary(UTF8)),
            new Field("flag", BOOL),
            new Field("day", DATE),
            new Field("at", DataType.timestamp(TimeUnit.MILLISECOND)),
            new Field("instant", DataType.timestamp(TimeUnit.SECOND, "Europe/Paris")),
            new Field("took", DataType.duration(TimeUnit.NANOSECOND)),
            new Field("tags", DataType.list(UTF8)),
            new Field("point", DataType.struct(new Field("x", FLOAT64))));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        int8    | int8    | int8    | float64
        int8    | int32   | int32   | float64
        int32   | int64   | int64   | float64
        uint8   | int8    | int16   | float64
        uint32  | int32   | int64   | float64
        uint64  | int8    | int64   | float64
        int8    | float16 | float16 | float16
        int16   | float16 | float32 | float32
        int16   | float32 | float32 | float32
        int32   | float32 | float64 | float64
        float32 | float64 | float64 | float64
        money   | float32 | float64 | float64
        money   | rate    | decimal(13, 4) | decimal(21, 9)
        money   | int32   | decimal(13, 2) | decimal(21, 13)
        took    | took    | duration[ns] | float64
        """)
    void operandsMeetInOneType(String left, String right, String sum, String quotient) {
        assertThat(typeOf(col(left).plus(col(right)))).hasToString(sum);
        assertThat(typeOf(col(right).plus(col(left)))).hasToString(sum);
        assertThat(typeOf(col(left).dividedBy(col(right)))).hasToString(quotient);
        assertThat(typeOf(col(left).lt(col(right)))).isEqualTo(BOOL);
    }

    @Test
    void literalsKeepTheirJavaTypeAndNullAdapts() {
        assertThat(typeOf(col("int8").plus(1))).isEqualTo(INT32);
        assertThat(typeOf(col("int32").plus(1))).isEqualTo(INT32);
        assertThat(typeOf(col("int32").plus(1L))).isEqualTo(INT64);
        assertThat(typeOf(col("float32").times(2.0f))).isEqualTo(FLOAT32);
        assertThat(typeOf(col("float32").times(2.0))).isEqualTo(FLOAT64);
        assertThat(typeOf(col("uint64").mod(10))).isEqualTo(UINT64);
        assertThat(typeOf(col("money").times(3))).hasToString("decimal(11, 2)");
        assertThat(typeOf(col("int8").plus(null))).isEqualTo(INT8);
        assertThat(typeOf(when(col("flag")).then(1).otherwise(null))).isEqualTo(INT32);
        assertThat(typeOf(coalesce(null, col("word"), "x"))).isEqualTo(UTF8);
    }

    @Test
    void timesAddUp() {
        assertThat(typeOf(col("day").plus(Duration.ofDays(1)))).hasToString("timestamp[us]");
        assertThat(typeOf(col("at").minus(col("took")))).hasToString("timestamp[ns]");
        assertThat(typeOf(col("at").minus(col("day")))).hasToString("duration[ms]");
        assertThat(typeOf(col("day").minus(LocalDate.EPOCH))).hasToString("duration[s]");
        assertThat(typeOf(col("took").times(2))).hasToString("duration[ns]");
        assertThat(typeOf(col("instant").truncate("week"))).hasToString("timestamp[s, Europe/Paris]");
        assertThat(typeOf(col("instant").year())).isEqualTo(INT32);
    }

    @Test
    void aMissingColumnListsThoseThereAre() {
        assertThatThrownBy(
                        () -> ExpressionTypes.typeOf(col("fair").plus(1).gt(5), Schema.of("fare", INT64, "km", INT64)))
                .isInstanceOf(MillraceException.class)
                .hasMessage("(fair + 1) > 5: there is no column 'fair'. The columns are [fare, km].")
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.USER);
    }

    @Test
    void operandsThatDoNotGoTogetherAreNamed() {
        fails(
                col("int64").plus(col("name")),
                "int64 + name: int64 is int64 and name is utf8, which do not go together."
                        + " Cast one of them, e.g. cast(name as int64).");
        fails(
                col("name").eq(5),
                "name = 5: name is utf8 and 5 is int32, which do not go together."
                        + " Cast one of them, e.g. cast(name as int32).");
        fails(
                col("at").lt(col("instant")),
                "at < instant: at is timestamp[ms] and instant is timestamp[s, Europe/Paris],"
                        + " which do not go together. Cast one of them, e.g. cast(instant as timestamp[ms]).");
        fails(
                col("int64").and(col("flag")),
                "int64 and flag: int64 is int64, but a condition must be bool. Compare it, or cast it to bool.");
        fails(
                col("tags").lt(col("tags")),
                "tags < tags: values of type list<utf8> have no order; only = and != compare them."
                        + " Compare a field or element instead.");
        fails(
                col("name").isIn("a", 1),
                "name in ('a', 1): name is utf8 and 1 is int32, which do not go together."
                        + " Cast one of them, e.g. cast(name as int32).");
        fails(col("point").field("y"), "point.y: there is no field 'y'. The fields are [x].");
        fails(col("name").sqrt(), "sqrt(name): name is utf8, but sqrt needs a number there. Cast it.");
        fails(col("int64").lower(), "lower(int64): int64 is int64, but lower needs a string there. Cast it.");
        fails(
                col("name").regexMatches("("),
                "regex_matches(name, '('): '(' is no regular expression: Unclosed group near position 1.");
        fails(
                col("name").like("a%$", '$'),
                "like(name, 'a%$', '$'): 'a%$' is no pattern: it ends with the escape character.");
        fails(
                col("day").truncate("fortnight"),
                "truncate(day, 'fortnight'): 'fortnight' is no unit. Use year, quarter, month,"
                        + " week, day, hour, minute or second.");
        fails(col("uint8").negate(), "-uint8: uint8 is uint8, which has no negative values. Cast it to a signed type.");
        fails(
                col("point").cast(INT32),
                "cast(point as int32): there is no way from struct<x: float64> to int32."
                        + " Write a udf that makes the value.");
        assertThatThrownBy(() -> col("a").isIn(1, null)).hasMessageContaining("was given a null, which equals nothing");
        assertThatThrownBy(() -> lit(new Object())).hasMessageContaining("is no literal");
        assertThatThrownBy(() -> ExpressionTypes.requireCondition(col("int64"), SCHEMA, "filter"))
                .hasMessageStartingWith("filter needs a condition, but int64 is int64.");
    }

    private static DataType typeOf(Expression expression) {
        return ExpressionTypes.typeOf(expression, SCHEMA);
    }

    private static void fails(Expression expression, String message) {
        assertThatThrownBy(() -> typeOf(expression))
                .isInstanceOf(MillraceException.class)
                .hasMessage(message);
    }
}
