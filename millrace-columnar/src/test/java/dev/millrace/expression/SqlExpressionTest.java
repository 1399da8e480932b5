package dev.millrace.expression;

import static dev.millrace.expression.Expressions.call;
import static dev.millrace.expression.Expressions.coalesce;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.list;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.sql;
import static dev.millrace.expression.Expressions.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/// Expressions written in SQL are the trees that the methods make.
class SqlExpressionTest {
    private static final Schema SCHEMA = Schema.of(
            new Field("id", DataType.INT64), new Field("name", DataType.UTF8), new Field("a b", DataType.INT32));

    private static void fails(String text, String sentence) {
        assertThatThrownBy(() -> sql(text, SCHEMA))
                .isInstanceOf(MillraceException.class)
                .hasMessage(sentence)
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.USER);
    }

    @Test
    void conditionsAreTheTreesOfTheMethods() {
        assertThat(sql("id > 2 AND name LIKE 'a%'"))
                .isEqualTo(col("id").gt(2).and(col("name").like("a%")));
        assertThat(sql("a = 1 or b <> 2 and not c >= 3"))
                .isEqualTo(col("a").eq(1).or(col("b").ne(2).and(col("c").ge(3).not())));
        assertThat(sql("a BETWEEN 1 AND 2 AND b NOT BETWEEN 3 AND 4"))
                .isEqualTo(col("a").between(1, 2).and(col("b").between(3, 4).not()));
        assertThat(sql("a IN (1, 2)")).isEqualTo(col("a").isIn(1, 2));
        assertThat(sql("a NOT IN ('x', 'y')")).isEqualTo(col("a").isIn("x", "y").not());
        assertThat(sql("a IN (1, NULL, b)"))
                .isEqualTo(col("a").eq(1).or(col("a").eq(null)).or(col("a").eq(col("b"))));
        assertThat(sql("a IS NULL OR b IS NOT NULL"))
                .isEqualTo(col("a").isNull().or(col("b").isNotNull()));
        assertThat(sql("a IS NOT TRUE")).isEqualTo(coalesce(col("a"), false).not());
        assertThat(sql("a IS DISTINCT FROM b"))
                .isEqualTo(col("a").eqNullSafe(col("b")).not());
        assertThat(sql("a IS NOT DISTINCT FROM b")).isEqualTo(col("a").eqNullSafe(col("b")));
        assertThat(sql("a = b IS NULL")).isEqualTo(col("a").eq(col("b")).isNull());
    }

    @Test
    void patternsMayHaveAnEscapeAndIgnoreCase() {
        assertThat(sql("a LIKE '10$%' ESCAPE '$'")).isEqualTo(col("a").like("10$%", '$'));
        assertThat(sql("a NOT ILIKE 'Ab%'"))
                .isEqualTo(col("a").lower().like("ab%").not());
    }

    @Test
    void productsBindTighterThanSumsAndSignsTighterThanProducts() {
        assertThat(sql("a + b * -c % 2"))
                .isEqualTo(col("a").plus(col("b").times(col("c").negate()).mod(2)));
        assertThat(sql("(a + b) * 2 - 1"))
                .isEqualTo(col("a").plus(col("b")).times(2).minus(1));
        assertThat(sql("a / 2")).isEqualTo(col("a").cast(DataType.FLOAT64).dividedBy(lit(2).cast(DataType.FLOAT64)));
        assertThat(sql("a || 'x' || b")).isEqualTo(col("a").concat("x").concat(col("b")));
    }

    @Test
    void constantsHaveTheTypesOfAQuery() {
        assertThat(sql("-5")).isEqualTo(lit(-5));
        assertThat(sql("-2147483648")).isEqualTo(lit(Integer.MIN_VALUE));
        assertThat(sql("3000000000")).isEqualTo(lit(3_000_000_000L));
        assertThat(sql("-9223372036854775808")).isEqualTo(lit(Long.MIN_VALUE));
        assertThat(sql("99999999999999999999")).isEqualTo(lit(new BigDecimal("99999999999999999999")));
        assertThat(sql("-1.50")).isEqualTo(lit(new BigDecimal("-1.50")));
        assertThat(sql("1e3")).isEqualTo(lit(1000.0));
        assertThat(sql("'it''s'")).isEqualTo(lit("it's"));
        assertThat(sql("TRUE")).isEqualTo(lit(true));
        assertThat(sql("DATE '2024-02-29'")).isEqualTo(lit(LocalDate.of(2024, 2, 29)));
        assertThat(sql("timestamp '2024-02-29 13:45:30.5'"))
                .isEqualTo(lit(LocalDateTime.of(2024, 2, 29, 13, 45, 30, 500_000_000)));
        assertThat(sql("TIME '13:45:00'")).isEqualTo(lit(LocalTime.of(13, 45)));
        assertThat(sql("TIMESTAMPTZ '2024-02-29 13:45:30+01:00'"))
                .isEqualTo(lit(LocalDateTime.of(2024, 2, 29, 12, 45, 30).atZone(ZoneId.of("UTC"))));
        assertThat(sql("[1, a]")).isEqualTo(list(1, col("a")));
    }

    @Test
    void castsCasesFieldsAndElements() {
        assertThat(sql("CAST(a AS decimal(12, 2))")).isEqualTo(col("a").cast(DataType.decimal(12, 2)));
        assertThat(sql("TRY_CAST(a AS BIGINT)")).isEqualTo(col("a").tryCast(DataType.INT64));
        assertThat(sql("-a::int")).isEqualTo(col("a").cast(DataType.INT32).negate());
        assertThat(sql("a::timestamp with time zone"))
                .isEqualTo(col("a").cast(DataType.timestamp(TimeUnit.MICROSECOND, "UTC")));
        assertThat(sql("CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3 END"))
                .isEqualTo(when(col("a")).then(1).when(col("b")).then(2).otherwise(3));
        assertThat(sql("CASE (a) WHEN 1 THEN 'x' END")).isEqualTo(sql("CASE a WHEN 1 THEN 'x' END"));
        assertThat(sql("CASE (a + 1) * 2 WHEN (4) THEN (b) ELSE (c) END"))
                .isEqualTo(when(col("a").plus(1).times(2).eq(4)).then(col("b")).otherwise(col("c")));
        assertThat(sql("CASE a WHEN 1 THEN 'x' END"))
                .isEqualTo(when(col("a").eq(1)).then("x").otherwise(null));
        assertThat(sql("place.\"the city\".zip"))
                .isEqualTo(col("place").field("the city").field("zip"));
        assertThat(sql("m['k']")).isEqualTo(col("m").get("k"));
        assertThat(sql("l[1]")).isEqualTo(col("l").slice(0, 1).get(0));
    }

    @Test
    void functionsAreFoundByTheirNamesInAnyCase() {
        assertThat(sql("Upper(name)")).isEqualTo(col("name").upper());
        assertThat(sql("date_trunc('month', t)")).isEqualTo(col("t").truncate("month"));
        assertThat(sql("extract(year FROM t)")).isEqualTo(call("year", col("t")));
        assertThat(sql("trim(LEADING 'x' FROM name)")).isEqualTo(col("name").ltrim("x"));
        assertThat(sql("substring(name FROM 2 FOR 3)")).isEqualTo(sql("substring(name, 2, 3)"));
        assertThat(sql("position('a' IN name)")).isEqualTo(sql("strpos(name, 'a')"));
        assertThat(sql("t + INTERVAL '3' DAY - INTERVAL 2 hours"))
                .isEqualTo(col("t").plusDays(3L).plusHours(-2L));
        assertThat(sql("t > current_date - interval '1 month'")).isInstanceOf(Comparison.class);
    }

    @Test
    void whatIsNoExpressionIsToldWithItsPlace() {
        fails(
                "id > ",
                "Expression, line 1, column 6: the text ends too early: a value is expected.\n  id > \n       ^");
        fails(
                "id > )",
                "Expression, line 1, column 6: ')' cannot stand here: a value is expected.\n  id > )\n       ^");
        fails(
                "id > 2\n  AND (name = 'a'",
                "Expression, line 2, column 18: the text ends too early: ')' is expected.\n"
                        + "    AND (name = 'a'\n                   ^");
        fails(
                "id 2",
                "Expression, line 1, column 4: '2' cannot stand here: an operator or the end is expected.\n  id 2\n     ^");
        fails("name = 'x", "Expression, line 1, column 8: the quote ' is not closed.\n  name = 'x\n         ^");
        fails("", "Expression, line 1, column 1: the text ends too early: a value is expected.\n  \n  ^");
        fails(
                "id IS 5",
                "Expression, line 1, column 7: '5' cannot stand here: NULL, TRUE, FALSE or DISTINCT FROM is expected.\n"
                        + "  id IS 5\n        ^");
        fails(
                "DATE '2024-1-5'",
                "Expression, line 1, column 6: '2024-1-5' is no DATE. Write it like DATE '2024-02-29'.\n"
                        + "  DATE '2024-1-5'\n       ^");
        fails("1.2.3 > 1", "Expression, line 1, column 1: '1.2.3' is no number.\n  1.2.3 > 1\n  ^");
        fails(
                "id > select",
                "Expression, line 1, column 6: a query cannot stand in an expression. Use session.sql(...).\n"
                        + "  id > select\n       ^");
        fails(
                "end = 1",
                "Expression, line 1, column 1: 'end' cannot stand here: a value is expected. It is a word of the language:"
                        + " to use it as a name, write \"end\".\n  end = 1\n  ^");
    }

    @Test
    void namesThatAreNotThereAreToldWithThoseThatAre() {
        assertThat(sql("\"a b\" = 1", SCHEMA)).isEqualTo(col("a b").eq(1));
        fails(
                "id > 2 AND nme = 'a'",
                "Expression, line 1, column 12: there is no column 'nme'. Did you mean 'name'? The columns are [id, name,"
                        + " a b].\n  id > 2 AND nme = 'a'\n             ^");
        fails(
                "ID > 2",
                "Expression, line 1, column 1: there is no column 'ID'. Did you mean 'id'? The columns are [id, name, a"
                        + " b].\n  ID > 2\n  ^");
        fails(
                "lowr(name) = 'a'",
                "Expression, line 1, column 1: there is no function 'lowr'. Did you mean 'lower'?\n"
                        + "  lowr(name) = 'a'\n  ^");
        fails(
                "sum(id) > 1",
                "Expression, line 1, column 1: 'sum' is an aggregate, and an expression has the values of one row. Use"
                        + " aggregate(...), groupBy(...).aggregate(...), or a query.\n  sum(id) > 1\n  ^");
        fails("upper(name, 1)", "Expression, line 1, column 1: upper takes 1 argument, not 2.\n  upper(name, 1)\n  ^");
        fails(
                "name LIKE name",
                "Expression, line 1, column 6: LIKE needs a text that is a constant, not name.\n"
                        + "  name LIKE name\n       ^");
        fails(
                "id::number",
                "Expression, line 1, column 5: there is no type 'number'. The types are [BIGINT, BLOB, BOOL, BOOLEAN,"
                        + " CHAR, DATE, DOUBLE, FLOAT, INT, INTEGER, REAL, SMALLINT, STRING, TEXT, TIME, TIMESTAMP,"
                        + " TIMESTAMPTZ, TINYINT, UBIGINT, UINTEGER, USMALLINT, UTINYINT, VARBINARY, VARCHAR] and"
                        + " DECIMAL(digits, digits behind the point).\n  id::number\n      ^");
    }

    @Test
    void deepTextsAreRead() {
        int depth = 20_000;
        assertThat(sql("(".repeat(depth) + "id" + ")".repeat(depth))).isEqualTo(col("id"));
    }
}
