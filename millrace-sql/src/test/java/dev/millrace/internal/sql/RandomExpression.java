package dev.millrace.internal.sql;

import dev.millrace.internal.sql.RandomTables.Kind;
import java.util.List;
import java.util.Random;

/// Random expressions of a kind over the columns in scope, without what the two engines are known to do differently:
/// no overflow, no division by zero, no sum of reals that depends on the order of the rows.
final class RandomExpression {
    /// @param text as it is written, `t1.a_id`
    record Reference(String text, Kind kind) {}

    private final Random random;
    private final RandomTables constants;
    private final List<Reference> scope;

    RandomExpression(Random random, List<Reference> scope) {
        this.random = random;
        this.constants = new RandomTables(random);
        this.scope = scope;
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    String column(Kind kind) {
        List<Reference> fitting =
                scope.stream().filter(reference -> reference.kind() == kind).toList();
        return fitting.isEmpty()
                ? constants.constant(kind)
                : fitting.get(random.nextInt(fitting.size())).text();
    }

    private String leaf(Kind kind) {
        return switch (random.nextInt(12)) {
            case 0 -> constants.constant(kind);
            case 1 -> random.nextInt(3) == 0 ? nothing(kind) : constants.constant(kind);
            default -> column(kind);
        };
    }

    private static String nothing(Kind kind) {
        String type = RandomTables.COLUMNS.stream()
                .filter(column -> column.kind() == kind)
                .findFirst()
                .orElseThrow()
                .type();
        return "CAST(NULL AS " + type + ")";
    }

    /// Of any kind in which values can be compared and written.
    Kind kind() {
        return Kind.values()[random.nextInt(Kind.values().length)];
    }

    String of(Kind kind, int depth) {
        if (depth == 0 || random.nextInt(4) == 0) {
            return leaf(kind);
        }
        return switch (random.nextInt(8)) {
            case 0 -> "coalesce(" + of(kind, depth - 1) + ", " + of(kind, depth - 1) + ")";
            case 1 ->
                "CASE WHEN " + truth(depth - 1) + " THEN " + of(kind, depth - 1)
                        + (random.nextInt(3) == 0 ? "" : " ELSE " + of(kind, depth - 1)) + " END";
            case 2 -> pick("greatest(", "least(") + of(kind, depth - 1) + ", " + of(kind, depth - 1) + ")";
            case 3 -> "nullif(" + of(kind, depth - 1) + ", " + of(kind, 0) + ")";
            default ->
                switch (kind) {
                    case WHOLE -> whole(depth);
                    case DECIMAL -> decimal(depth);
                    case REAL -> real(depth);
                    case TEXT -> text(depth);
                    case DATE -> date(depth);
                    case TIME -> time(depth);
                    case TRUTH -> truth(depth);
                };
        };
    }

    private String whole(int depth) {
        String a = of(Kind.WHOLE, depth - 1);
        return switch (random.nextInt(16)) {
            case 0, 1 -> "(" + a + pick(" + ", " - ") + of(Kind.WHOLE, depth - 1) + ")";
            case 2 -> "(" + a + " * " + pick("2", "3", "-1") + ")";
            case 3 -> "(" + a + " // " + pick("2", "3", "-4") + ")";
            case 4 -> "(" + a + " % " + pick("2", "3", "5") + ")";
            case 5 -> pick("abs(", "(-") + a + ")";
            case 6 -> pick("length(", "strlen(", "char_length(") + of(Kind.TEXT, depth - 1) + ")";
            case 7 ->
                pick("year(", "month(", "day(", "dayofweek(", "dayofyear(", "week(") + of(Kind.DATE, depth - 1) + ")";
            case 8 -> pick("hour(", "minute(", "second(", "day(") + of(Kind.TIME, depth - 1) + ")";
            case 9 -> "CAST(" + of(Kind.TRUTH, depth - 1) + " AS INTEGER)";
            case 10 -> "CAST(" + of(pick("d", "r").equals("d") ? Kind.DECIMAL : Kind.REAL, depth - 1) + " AS BIGINT)";
            case 11 -> "(" + of(Kind.DATE, depth - 1) + " - " + of(Kind.DATE, depth - 1) + ")";
            case 12 ->
                "date_diff('" + pick("day", "month", "year") + "', " + of(Kind.DATE, depth - 1) + ", "
                        + of(Kind.DATE, depth - 1) + ")";
            case 13 -> "strpos(" + of(Kind.TEXT, depth - 1) + ", " + pick("'a'", "'b'", "'x'") + ")";
            case 14 -> "TRY_CAST(" + of(Kind.TEXT, depth - 1) + " AS INTEGER)";
            default ->
                "extract(" + pick("quarter", "month", "isodow", "doy") + " FROM " + of(Kind.DATE, depth - 1) + ")";
        };
    }

    private String decimal(int depth) {
        String a = of(Kind.DECIMAL, depth - 1);
        return switch (random.nextInt(8)) {
            case 0, 1 ->
                "(" + a + pick(" + ", " - ") + of(random.nextBoolean() ? Kind.DECIMAL : Kind.WHOLE, depth - 1) + ")";
            case 2 -> "(" + column(Kind.DECIMAL) + " * " + pick("2", "3", "0.5", column(Kind.WHOLE)) + ")";
            case 3 -> pick("abs(", "(-") + a + ")";
            case 4 -> "CAST(" + of(random.nextBoolean() ? Kind.WHOLE : Kind.REAL, depth - 1) + " AS DECIMAL(12, 2))";
            case 5 -> pick("round(", "trunc(") + column(Kind.DECIMAL) + ", 1)";
            case 6 -> pick("floor(", "ceil(", "round(", "trunc(") + column(Kind.DECIMAL) + ")";
            default -> "CASE WHEN " + truth(depth - 1) + " THEN " + a + " ELSE " + of(Kind.WHOLE, depth - 1) + " END";
        };
    }

    private String real(int depth) {
        String a = of(Kind.REAL, depth - 1);
        return switch (random.nextInt(8)) {
            case 0 -> "(" + a + pick(" + ", " - ") + of(Kind.REAL, depth - 1) + ")";
            case 1 -> "(" + a + " * " + pick("2", "0.5e0", "-1") + ")";
            case 2 ->
                "(" + of(pick("d", "w").equals("d") ? Kind.DECIMAL : Kind.WHOLE, depth - 1) + " / "
                        + pick("2", "4", "-8") + ")";
            case 3 -> pick("floor(", "ceil(", "abs(", "trunc(", "(-") + a + ")";
            case 4 -> "CAST(" + of(pick("d", "w").equals("d") ? Kind.DECIMAL : Kind.WHOLE, depth - 1) + " AS DOUBLE)";
            case 5 -> "(" + a + " + " + of(Kind.WHOLE, depth - 1) + ")";
            case 6 -> "sqrt(abs(" + a + "))";
            default -> "CASE WHEN " + truth(depth - 1) + " THEN " + a + " ELSE " + of(Kind.WHOLE, depth - 1) + " END";
        };
    }

    private String text(int depth) {
        String a = of(Kind.TEXT, depth - 1);
        return switch (random.nextInt(16)) {
            case 0 -> pick("upper(", "lower(", "trim(", "ltrim(", "rtrim(", "reverse(") + a + ")";
            case 1 -> "(" + a + " || " + of(Kind.TEXT, depth - 1) + ")";
            case 2 -> "substring(" + a + ", " + (random.nextInt(5) - 1) + ", " + random.nextInt(4) + ")";
            case 3 -> "replace(" + a + ", " + pick("'a'", "'b'", "''") + ", " + pick("'oo'", "''") + ")";
            case 4 -> pick("left(", "right(") + a + ", " + (random.nextInt(5) - 2) + ")";
            case 5 -> pick("lpad(", "rpad(") + a + ", " + random.nextInt(5) + ", '*-')";
            case 6 -> "repeat(" + a + ", " + pick("0", "2", column(Kind.WHOLE)) + ")";
            case 7 -> "concat(" + a + ", " + of(kind(), depth - 1) + ")";
            case 8 -> "concat_ws('-', " + a + ", " + of(kind(), depth - 1) + ", " + of(Kind.TEXT, 0) + ")";
            case 9 -> "regexp_replace(" + a + ", '[a-c]', '<\\0>'" + pick("", ", 'g'", ", 'gi'") + ")";
            case 10 -> "regexp_extract(" + a + ", '([a-z])([a-z]?)', " + random.nextInt(3) + ")";
            case 11 -> "trim(" + a + ", " + pick("'a'", "'xb'", "'É '") + ")";
            case 12 -> "split_part(" + a + ", " + pick("'a'", "'-'") + ", " + pick("1", "2", "-1") + ")";
            case 13 -> "substring(md5(" + a + "), 1, 4)";
            default -> "CAST(" + of(kind(), depth - 1) + " AS VARCHAR)";
        };
    }

    private String date(int depth) {
        String a = of(Kind.DATE, depth - 1);
        return switch (random.nextInt(7)) {
            case 0, 1 -> "(" + a + pick(" + ", " - ") + pick("1", "7", "30") + ")";
            case 2 -> "CAST(" + of(Kind.TIME, depth - 1) + " AS DATE)";
            case 3 -> "CAST(" + a + pick(" + ", " - ") + "INTERVAL '1' " + pick("DAY", "MONTH", "YEAR") + " AS DATE)";
            case 4 -> "CAST(date_trunc('" + pick("month", "week", "quarter", "year") + "', " + a + ") AS DATE)";
            case 5 -> "last_day(" + a + ")";
            default -> "CAST('2024-01-" + (10 + random.nextInt(20)) + "' AS DATE)";
        };
    }

    private String time(int depth) {
        String a = of(Kind.TIME, depth - 1);
        return switch (random.nextInt(5)) {
            case 0, 1 ->
                "(" + a + pick(" + ", " - ") + "INTERVAL '" + pick("1", "90") + "' " + pick("MINUTE", "HOUR", "DAY")
                        + ")";
            case 2 -> "CAST(" + of(Kind.DATE, depth - 1) + " AS TIMESTAMP)";
            case 3 -> "date_trunc('" + pick("hour", "minute", "day", "month") + "', " + a + ")";
            default -> "(" + a + " + INTERVAL '1' MONTH)";
        };
    }

    String truth(int depth) {
        if (depth == 0) {
            Kind kind = kind();
            return switch (random.nextInt(4)) {
                case 0 -> column(Kind.TRUTH);
                case 1 -> "(" + column(kind) + " IS " + pick("", "NOT ") + "NULL)";
                default -> "(" + column(kind) + comparison() + leaf(kind) + ")";
            };
        }
        Kind kind = kind();
        return switch (random.nextInt(13)) {
            case 0, 1 -> "(" + truth(depth - 1) + " AND " + truth(depth - 1) + ")";
            case 2, 3 -> "(" + truth(depth - 1) + " OR " + truth(depth - 1) + ")";
            case 4 -> "(NOT " + truth(depth - 1) + ")";
            case 5 -> "(" + of(kind, depth - 1) + " IS " + pick("", "NOT ") + "NULL)";
            case 6 ->
                "(" + of(kind, depth - 1) + pick(" BETWEEN ", " NOT BETWEEN ") + of(kind, 0) + " AND " + of(kind, 0)
                        + ")";
            case 7 ->
                "(" + of(kind, depth - 1) + pick(" IN (", " NOT IN (") + constants.constant(kind) + ", "
                        + constants.constant(kind) + (random.nextInt(4) == 0 ? ", NULL" : "") + "))";
            case 8 ->
                "(" + of(Kind.TEXT, depth - 1) + pick(" LIKE ", " NOT LIKE ", " ILIKE ")
                        + pick("'%a%'", "'a_'", "'_b%'", "'%'", "'2024%'", "''") + ")";
            case 9 ->
                pick("starts_with(", "ends_with(", "contains(") + of(Kind.TEXT, depth - 1) + ", "
                        + pick("'a'", "'b'", "''") + ")";
            case 10 -> "(" + truth(depth - 1) + pick(" IS TRUE", " IS NOT TRUE", " IS FALSE", " IS NOT FALSE") + ")";
            case 11 -> "(" + of(number(), depth - 1) + comparison() + of(number(), depth - 1) + ")";
            default -> "(" + of(kind, depth - 1) + comparison() + of(kind, depth - 1) + ")";
        };
    }

    Kind number() {
        return List.of(Kind.WHOLE, Kind.DECIMAL, Kind.REAL).get(random.nextInt(3));
    }

    String comparison() {
        return pick(" = ", " <> ", " < ", " <= ", " > ", " >= ", " IS DISTINCT FROM ", " IS NOT DISTINCT FROM ");
    }
}
