package dev.millrace.internal.expression;

import static dev.millrace.expression.Expressions.*;
import static dev.millrace.type.DataType.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.expression.Expression;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Scalar functions against DuckDB, where both mean the same.
class DuckDbScalarTest {
    private static final int ROWS = 300;
    private final long seed = Seeds.seed();
    private final Random random = new Random(seed);

    private static Map<String, Expression> cases() {
        Map<String, Expression> cases = new LinkedHashMap<>();
        cases.put("lower(s)", col("s").lower());
        cases.put("upper(s)", col("s").upper());
        cases.put("trim(s)", col("s").trim());
        cases.put("ltrim(s)", col("s").ltrim());
        cases.put("rtrim(s)", col("s").rtrim());
        cases.put("length(s)", col("s").length());
        cases.put("strlen(s)", col("s").byteLength());
        cases.put("substring(s, 2, 3)", col("s").substring(1, 4));
        cases.put("substring(s, 3)", col("s").substring(2));
        cases.put("starts_with(s, 'a')", col("s").startsWith("a"));
        cases.put("ends_with(s, 'x')", col("s").endsWith("x"));
        cases.put("contains(s, 'bc')", col("s").contains("bc"));
        cases.put("strpos(s, 'b') - 1", col("s").indexOf("b"));
        cases.put("replace(s, 'b', '--')", col("s").replace("b", "--"));
        for (String pattern :
                List.of("", "%", "_", "%b", "b%", "%b%", "a%c", "_b%", "%_b", "%a%b%", "é_", "%é%", "a%a")) {
            cases.put("s like '" + pattern + "'", col("s").like(pattern));
        }
        cases.put("s like '%$%%' escape '$'", col("s").like("%$%%", '$'));
        cases.put("s like '_$_' escape '$'", col("s").like("_$_", '$'));
        cases.put("regexp_matches(s, '[a-c]{2}')", col("s").regexMatches("[a-c]{2}"));
        cases.put("regexp_replace(s, '[aeiou]', '_', 'g')", col("s").regexReplace("[aeiou]", "_"));
        cases.put("regexp_replace(s, '([a-c])b', '<\\1>')", col("s").regexReplaceFirst("([a-c])b", "<$1>"));
        cases.put("trim(s, 'aé ')", col("s").trim("aé "));
        cases.put("ltrim(s, 'ab')", col("s").ltrim("ab"));
        cases.put("rtrim(s, 'cxé')", col("s").rtrim("cxé"));
        cases.put("trim(s, left(s, 1))", col("s").trim(col("s").substring(0, 1)));
        cases.put("repeat(s, 3)", col("s").repeat(3));
        cases.put("repeat(s, cast(i % 4 as int))", col("s").repeat(col("i").mod(4)));
        cases.put("md5(s)", col("s").md5());
        cases.put("lpad(s, 6, '*-')", col("s").lpad(6, "*-"));
        cases.put("rpad(s, 6, '*-')", col("s").rpad(6, "*-"));
        cases.put("reverse(s)", col("s").reverse());
        cases.put("translate(s, 'aéb', 'x')", col("s").translate("aéb", "x"));
        cases.put("unicode(s)", col("s").codePoint());
        cases.put("nfc_normalize(s)", col("s").normalize("NFC"));
        cases.put("split_part(s, 'b', 2)", col("s").splitPart("b", 1));
        cases.put("split_part(s, 'bc', -1)", col("s").splitPart("bc", -1));
        cases.put("split_part(s, '', 3)", col("s").splitPart("", 2));
        cases.put("regexp_extract_all(s, '(a)?b', 1)::varchar", text(col("s").regexExtractAll("(a)?b", 1)));
        cases.put("regexp_extract_all(s, '[a-c]*')::varchar", text(col("s").regexExtractAll("[a-c]*", 0)));
        for (String pattern : List.of("b", "", "[a-c]+", "b*", "^a", "x$", "é?")) {
            cases.put("string_split_regex(s, '" + pattern + "')::varchar", text(col("s").regexSplit(pattern)));
        }
        cases.put("len(regexp_extract_all(s, 'b+'))", col("s").regexCount("b+"));
        // DuckDB compares bytes, Millrace characters.
        String ascii = "regexp_replace(s, '[^ -~]', '', 'g')";
        Expression plain = col("s").regexReplace("[^ -~]", "");
        for (String other : List.of("abc", "Zebar", "abcx abc", "cabbacx")) {
            cases.put("levenshtein(" + ascii + ", '" + other + "')", plain.levenshteinDistance(other));
            cases.put("damerau_levenshtein(" + ascii + ", '" + other + "')", plain.damerauLevenshteinDistance(other));
            cases.put("jaro_similarity(" + ascii + ", '" + other + "')", plain.jaroSimilarity(other));
            cases.put("jaro_winkler_similarity(" + ascii + ", '" + other + "')", plain.jaroWinklerSimilarity(other));
            cases.put(
                    "jaccard(" + ascii + " || '.', '" + other + "')",
                    plain.concat(".").jaccardSimilarity(other));
        }
        cases.put(
                "hamming(" + ascii + " || '.', reverse(" + ascii + " || '.'))",
                plain.concat(".").hammingDistance(plain.concat(".").reverse()));
        cases.put(
                "list_inner_product([coalesce(x, 0.5), 1, coalesce(i, 3)], [coalesce(i, 3), 2, coalesce(x, 0.5)])",
                vector().dotProduct(other()));
        cases.put(
                "list_cosine_similarity([coalesce(x, 0.5), 1, coalesce(i, 3)], [coalesce(i, 3), 2, coalesce(x, 0.5)])",
                vector().cosineSimilarity(other()));
        cases.put(
                "list_cosine_distance([coalesce(x, 0.5), 1, coalesce(i, 3)], [coalesce(i, 3), 2, coalesce(x, 0.5)])",
                vector().cosineDistance(other()));
        cases.put(
                "list_distance([coalesce(x, 0.5), 1, coalesce(i, 3)], [coalesce(i, 3), 2, coalesce(x, 0.5)])",
                vector().euclideanDistance(other()));
        cases.put("s || '/' || s", concat(col("s"), "/", col("s")));
        cases.put("s < 'm'", col("s").lt("m"));
        cases.put("s = 'abc'", col("s").eq("abc"));
        cases.put("s in ('abc', 'é', 'x')", col("s").isIn("abc", "é", "x"));
        cases.put("coalesce(s, 'none')", col("s").ifNull("none"));
        cases.put("try_cast(s as double)", col("s").tryCast(FLOAT64));
        cases.put("len(string_split(s, 'b'))", col("s").split("b").size());
        cases.put("i + 1", col("i").plus(1));
        cases.put("i * i - 7", col("i").times(col("i")).minus(7));
        cases.put("i / 7", col("i").dividedBy(7));
        cases.put("i // 7", col("i").intDiv(7));
        cases.put("i % 7", col("i").mod(7));
        cases.put("abs(i)", col("i").abs());
        cases.put("sign(i)", col("i").sign());
        cases.put("-i", col("i").negate());
        cases.put("i between -10 and 10", col("i").between(-10, 10));
        cases.put("i is distinct from 3", col("i").eqNullSafe(3).not());
        cases.put("i > 3 and x < 0", col("i").gt(3).and(col("x").lt(0)));
        cases.put("i > 3 or x < 0", col("i").gt(3).or(col("x").lt(0)));
        cases.put(
                "case when i > 50 then 'big' when i > 0 then 'small' else s end",
                when(col("i").gt(50))
                        .then("big")
                        .when(col("i").gt(0))
                        .then("small")
                        .otherwise(col("s")));
        cases.put("least(i, 5)", least(col("i"), 5));
        cases.put("greatest(x, 0.5)", greatest(col("x"), 0.5));
        cases.put("cast(i as varchar)", col("i").cast(UTF8));
        cases.put("cast(i as double)", col("i").cast(FLOAT64));
        cases.put("try_cast(i as tinyint)", col("i").tryCast(INT8));
        cases.put("sqrt(abs(x))", col("x").abs().sqrt());
        cases.put("exp(x / 100)", col("x").dividedBy(100).exp());
        cases.put("ln(abs(x) + 1)", col("x").abs().plus(1).log());
        cases.put("log10(abs(x) + 1)", col("x").abs().plus(1).log10());
        cases.put("log2(abs(x) + 1)", col("x").abs().plus(1).log2());
        cases.put("pow(abs(x), 0.5)", col("x").abs().pow(0.5));
        cases.put("floor(x)", col("x").floor());
        cases.put("ceil(x)", col("x").ceil());
        cases.put("round(x, 2)", col("x").round(2));
        cases.put("round(x, -1)", col("x").round(-1));
        cases.put(
                "sin(x) + cos(x) + tan(x)", col("x").sin().plus(col("x").cos()).plus(col("x").tan()));
        cases.put("atan2(x, 2.0)", col("x").atan2(2.0));
        cases.put("trunc(x)", col("x").trunc());
        cases.put("trunc(m)", col("m").trunc());
        cases.put("cbrt(x)", col("x").cbrt());
        cases.put("sinh(x / 40)", col("x").dividedBy(40).sinh());
        cases.put("cosh(x / 40)", col("x").dividedBy(40).cosh());
        cases.put("tanh(x)", col("x").tanh());
        cases.put("asinh(x)", col("x").asinh());
        cases.put("acosh(abs(x) + 1)", col("x").abs().plus(1).acosh());
        cases.put("atanh(x / 101)", col("x").dividedBy(101).atanh());
        cases.put("cot(abs(x) + 0.5) / 1e3", col("x").abs().plus(0.5).cot().dividedBy(1e3));
        cases.put("degrees(x)", col("x").degrees());
        cases.put("radians(x)", col("x").radians());
        cases.put("isinf(x)", col("x").isInf());
        cases.put(
                "isinf(case when i > 0 then 'inf'::double when i < -100 then '-inf'::double else x end)",
                when(col("i").gt(0))
                        .then(Double.POSITIVE_INFINITY)
                        .when(col("i").lt(-100))
                        .then(Double.NEGATIVE_INFINITY)
                        .otherwise(col("x"))
                        .isInf());
        cases.put("i & 12", col("i").bitAnd(12));
        cases.put("i | 5", col("i").bitOr(5));
        cases.put("xor(i, i * 3)", col("i").bitXor(col("i").times(3)));
        cases.put("~i", col("i").bitNot());
        cases.put("bit_count(i)", col("i").bitCount());
        cases.put("abs(i) << 3", col("i").abs().shiftLeft(3));
        cases.put("i >> (abs(i) % 31)", col("i").shiftRight(col("i").abs().mod(31)));
        cases.put("cast(i as bigint) & 255", col("i").cast(INT64).bitAnd(255));
        cases.put(
                "cast(abs(i) as utinyint) & 15::utinyint",
                col("i").abs().cast(UINT8).bitAnd(lit(15).cast(UINT8)));
        cases.put("~cast(abs(i) as utinyint)", col("i").abs().cast(UINT8).bitNot());
        cases.put("bit_count(cast(i as smallint))", col("i").cast(INT16).bitCount());
        cases.put("sha1(s)", col("s").sha1());
        cases.put("sha256(s)", col("s").sha256());
        for (String unit : List.of("year", "quarter", "month", "week", "day")) {
            String first = "date_trunc('" + unit + "', d)";
            String up = "case when " + first + " = d then d else " + first + " + interval 1 " + unit + " end";
            cases.put("cast(" + up + " as date)", col("d").ceil(unit));
        }
        for (String unit : List.of("year", "quarter", "month", "week", "day", "hour", "minute", "second")) {
            String down = "date_trunc('" + unit + "', t)::timestamp";
            String next = "(" + down + " + interval 1 " + unit + ")";
            cases.put(down, col("t").truncate(unit));
            cases.put("case when " + down + " = t then t else " + next + " end", col("t").ceil(unit));
            cases.put(
                    "case when t - " + down + " < " + next + " - t then " + down + " else " + next + " end",
                    col("t").round(unit));
            cases.put(
                    "date_sub('" + unit + "', t, timestamp '2001-02-15 13:14:15.5')",
                    col("t").unitsUntil(unit, LocalDateTime.of(2001, 2, 15, 13, 14, 15, 500_000_000)));
            // DuckDB takes the last day of a short month for a day that it does not have.
            if (!List.of("month", "quarter", "year").contains(unit)) {
                cases.put("date_sub('" + unit + "', t, d::timestamp)", col("t").unitsUntil(unit, col("d")));
            }
        }
        cases.put("date_sub('month', d, date '2004-02-15')", col("d").unitsUntil("month", LocalDate.of(2004, 2, 15)));
        cases.put("millisecond(t) % 1000", col("t").millisecond());
        cases.put("microsecond(t) % 1000000", col("t").microsecond());
        cases.put("microsecond(t) % 1000000 * 1000", col("t").nanosecond());
        cases.put("epoch_us(t)", col("t").epochMicros());
        cases.put("year(d)", col("d").year());
        cases.put("quarter(d)", col("d").quarter());
        cases.put("month(d)", col("d").month());
        cases.put("day(d)", col("d").day());
        cases.put("isodow(d)", col("d").dayOfWeek());
        cases.put("dayofyear(d)", col("d").dayOfYear());
        cases.put("week(d)", col("d").week());
        cases.put("cast(date_trunc('month', d) as date)", col("d").truncate("month"));
        cases.put("cast(date_trunc('quarter', d) as date)", col("d").truncate("quarter"));
        cases.put("cast(date_trunc('week', d) as date)", col("d").truncate("week"));
        cases.put("cast(d + interval 3 month as date)", col("d").plusMonths(3));
        cases.put("date_diff('day', d, date '2024-01-01')", col("d").daysUntil(LocalDate.of(2024, 1, 1)));
        cases.put("strftime(d, '%d/%m/%Y')", col("d").format("dd/MM/yyyy"));
        cases.put("cast(d as varchar)", col("d").cast(UTF8));
        cases.put("hour(t)", col("t").hour());
        cases.put("minute(t)", col("t").minute());
        cases.put("second(t)", col("t").second());
        cases.put("year(t)", col("t").year());
        cases.put("cast(floor(epoch(t)) as bigint)", col("t").epochSeconds());
        cases.put("cast(floor(epoch_us(t) / 1000) as bigint)", col("t").epochMillis());
        cases.put("date_trunc('hour', t)", col("t").truncate("hour"));
        cases.put("cast(date_trunc('day', t) as timestamp)", col("t").truncate("day"));
        cases.put("cast(date_trunc('year', t) as timestamp)", col("t").truncate("year"));
        cases.put("cast(t as date)", col("t").cast(DATE));
        cases.put("t + interval 90 minute", col("t").plusMinutes(90));
        cases.put("t > timestamp '2000-01-01 00:00:00'", col("t").gt(LocalDateTime.of(2000, 1, 1, 0, 0)));
        cases.put("m + 1.5", col("m").plus(new BigDecimal("1.5")));
        cases.put("m * m", col("m").times(col("m")));
        cases.put("m > 10", col("m").gt(10));
        cases.put("cast(m as double)", col("m").cast(FLOAT64));
        cases.put("try_cast(s as date)", col("s").tryCast(DATE));
        return cases;
    }

    private static Expression vector() {
        return list(col("x").ifNull(0.5), 1.0, col("i").ifNull(3).cast(FLOAT64));
    }

    private static Expression other() {
        return list(col("i").ifNull(3).cast(FLOAT64), 2.0, col("x").ifNull(0.5));
    }

    /// A list of texts as DuckDB writes it.
    private static Expression text(Expression list) {
        return udf("text", UTF8, (List<String> elements) -> elements == null ? null : written(elements), list);
    }

    private static String written(List<String> elements) {
        List<String> texts = new ArrayList<>();
        for (String element : elements) {
            boolean quoted = element != null && (element.isEmpty() || element.matches(".*[, '].*"));
            texts.add(element == null ? "NULL" : quoted ? "'" + element + "'" : element);
        }
        return "[" + String.join(", ", texts) + "]";
    }

    @Test
    void scalarFunctionsAgree() throws Exception {
        DataType stamp = DataType.timestamp(TimeUnit.MICROSECOND);
        Object[][] rows = new Object[6][ROWS];
        for (int i = 0; i < ROWS; i++) {
            rows[0][i] = orNull(word());
            rows[1][i] = orNull(random.nextInt(-200, 201));
            rows[2][i] = orNull(random.nextInt(-100_000, 100_001) / 1000.0 + 0.0001);
            rows[3][i] = orNull(LocalDate.ofEpochDay(random.nextInt(-40_000, 40_000)));
            rows[4][i] = orNull(LocalDateTime.of(1970, 1, 1, 0, 0)
                    .plusSeconds(random.nextInt())
                    .plusNanos(1000L * random.nextInt(1_000_000)));
            rows[5][i] = orNull(BigDecimal.valueOf(random.nextInt(-100_000, 100_000), 2));
        }
        try (BlockOf block = new BlockOf()
                        .with("s", UTF8, rows[0])
                        .with("i", INT32, rows[1])
                        .with("x", FLOAT64, rows[2])
                        .with("d", DATE, rows[3])
                        .with("t", stamp, rows[4])
                        .with("m", DataType.decimal(12, 2), rows[5]);
                Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
            load(duck, rows);
            for (Map.Entry<String, Expression> entry : cases().entrySet()) {
                List<Object> expected = query(duck, entry.getKey());
                List<Object> actual = block.eval(entry.getValue());
                for (int i = 0; i < ROWS; i++) {
                    Object a = normal(actual.get(i));
                    Object e = normal(expected.get(i));
                    boolean same = a instanceof Double x && e instanceof Double y
                            ? x.equals(y) || Math.abs(x - y) <= 1e-12 * Math.max(1, Math.abs(y))
                            : java.util.Objects.equals(a, e);
                    assertThat(same)
                            .as(
                                    "%s: %s gives %s, DuckDB %s (s=%s i=%s x=%s d=%s t=%s m=%s; seed %d)",
                                    entry.getKey(),
                                    entry.getValue(),
                                    a,
                                    e,
                                    rows[0][i],
                                    rows[1][i],
                                    rows[2][i],
                                    rows[3][i],
                                    rows[4][i],
                                    rows[5][i],
                                    seed)
                            .isTrue();
                }
            }
        }
    }

    private Object orNull(Object value) {
        return random.nextInt(8) == 0 ? null : value;
    }

    private String word() {
        String[] words = {
            "",
            "a",
            "abc",
            "  abc ",
            "Éa",
            "grün",
            "x",
            "12.5",
            "-3",
            "abcabcabcx",
            "1e2",
            "2024-02-29",
            "b,b",
            "日本b",
            "Zebra"
        };
        return words[random.nextInt(words.length)];
    }

    private static void load(Connection duck, Object[][] rows) throws Exception {
        try (Statement statement = duck.createStatement()) {
            statement.execute(
                    "create table v(n int, s varchar, i int, x double, d date, t timestamp, m decimal(12, 2))");
        }
        try (PreparedStatement insert =
                duck.prepareStatement("insert into v values (?, ?, ?, ?, cast(? as date), cast(? as timestamp), ?)")) {
            for (int i = 0; i < ROWS; i++) {
                insert.setInt(1, i);
                for (int c = 0; c < rows.length; c++) {
                    Object value = rows[c][i];
                    boolean time = value instanceof LocalDate || value instanceof LocalDateTime;
                    insert.setObject(c + 2, time ? value.toString().replace('T', ' ') : value);
                }
                insert.executeUpdate();
            }
        }
    }

    private static List<Object> query(Connection duck, String sql) throws Exception {
        List<Object> values = new ArrayList<>();
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery("select " + sql + " from v order by n")) {
            while (result.next()) {
                Object value = result.getObject(1);
                // A Timestamp is local time: one that the machine's zone skipped would come out moved.
                values.add(value instanceof Timestamp ? result.getObject(1, LocalDateTime.class) : value);
            }
        } catch (SQLException e) {
            throw new AssertionError(sql + ": " + e.getMessage(), e);
        }
        return values;
    }

    private static Object normal(Object value) {
        return switch (value) {
            case null -> null;
            case Number number -> number.doubleValue() + 0.0;
            case Date date -> date.toLocalDate();
            default -> value;
        };
    }
}
