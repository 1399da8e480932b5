package dev.millrace.expression;

import dev.millrace.internal.text.QueryToken;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An interval in an SQL expression: `INTERVAL '3' DAY`, `INTERVAL 3 DAY`, `INTERVAL '3 days'`. It is not a value of
/// its own, but may be added to and subtracted from a time.
///
/// @param unit in lower case
record ParsedInterval(long amount, String unit) {
    private static final Pattern AMOUNT = Pattern.compile("\\s*(-?[0-9]{1,18})\\s*([a-zA-Z]*)\\s*");
    private static final List<String> UNITS =
            List.of("year", "quarter", "month", "week", "day", "hour", "minute", "second");

    /// Whether an interval begins here.
    static boolean sees(TokenCursor cursor) {
        QueryToken next = cursor.peek(1);
        return cursor.sees("INTERVAL")
                && next != null
                && (next.kind() == QueryToken.Kind.TEXT || next.kind() == QueryToken.Kind.NUMBER);
    }

    static ParsedInterval take(TokenCursor cursor) {
        cursor.expect("INTERVAL");
        QueryToken token = cursor.take("an amount of time");
        Matcher amount = AMOUNT.matcher(token.kind() == QueryToken.Kind.TEXT ? token.unquoted() : token.text());
        if (!amount.matches()) {
            throw cursor.error(token, "an interval has a whole number and a unit: INTERVAL '3' DAY.");
        }
        QueryToken word = token;
        String unit = amount.group(2);
        if (unit.isEmpty()) {
            word = cursor.take("a unit of time");
            unit = word.text();
        }
        String lower = unit.toLowerCase(Locale.ROOT);
        String singular = lower.endsWith("s") ? lower.substring(0, lower.length() - 1) : lower;
        if (!UNITS.contains(singular)) {
            throw cursor.error(word, "'" + unit + "' is no unit of time. Use one of " + UNITS + ".");
        }
        return new ParsedInterval(Long.parseLong(amount.group(1)), singular);
    }

    /// @param sign -1 to subtract it
    Expression addTo(Expression time, int sign) {
        long signed = sign * amount;
        return switch (unit) {
            case "year" -> time.plusYears(signed);
            case "quarter" -> time.plusMonths(Math.multiplyExact(signed, 3L));
            case "month" -> time.plusMonths(signed);
            case "week" -> time.plusWeeks(signed);
            case "day" -> time.plusDays(signed);
            case "hour" -> time.plusHours(signed);
            case "minute" -> time.plusMinutes(signed);
            case "second" -> time.plusSeconds(signed);
            default -> throw new IllegalStateException(unit);
        };
    }
}
