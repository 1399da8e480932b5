package dev.millrace.internal.sql;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.text.QueryToken;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Rewrites DuckDB's syntax to Calcite's: `a // b`, `json -> 'key'`, `x::type`, `INTERVAL '3 days'`, `count()`,
/// `[1, 2]`, a trailing `;`, names that are reserved words of the standard.
///
/// Operators become two of the parser's operators with a marker name between them, which [SqlOperators] recognises, so
/// that they have the right precedence: `a // b` is `a * "//" / b`.
final class QueryDialect {
    /// The marker name for `//`.
    static final String INTEGER_DIVISION = "//";
    /// The marker name for `->`.
    static final String JSON_VALUE = "->";
    /// The marker name for `->>`.
    static final String JSON_TEXT = "->>";

    /// The grammar's name of the only supported type of times with a zone.
    private static final String ZONED = "TIMESTAMP WITH LOCAL TIME ZONE";
    private static final Set<String> CASTS = Set.of("CAST", "TRY_CAST", "SAFE_CAST");
    private static final Pattern INTERVAL = Pattern.compile("\\s*(-?[0-9.]+)\\s*([a-zA-Z]+?)[sS]?\\s*");
    private static final Set<String> UNITS =
            Set.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND");

    private final QueryText text;
    private final List<Change> changes = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    private record Change(int begin, int end, String by) {}

    private QueryDialect(QueryText text) {
        this.text = text;
    }

    /// Modifies the text.
    ///
    /// @return the aliases of the query, given by `AS`, in lower case
    static Set<String> rewrite(QueryText text) {
        new CastOperators(text).rewrite();
        QueryDialect dialect = new QueryDialect(text);
        dialect.find(text.tokens());
        dialect.changes.reversed().forEach(change -> text.replace(change.begin, change.end, change.by));
        return dialect.names;
    }

    private void find(List<QueryToken> tokens) {
        int count = withoutEnd(tokens);
        Deque<Boolean> inCast = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            QueryToken token = tokens.get(i);
            QueryToken before = i == 0 ? null : tokens.get(i - 1);
            QueryToken next = i + 1 < count ? tokens.get(i + 1) : null;
            if (token.is("(")) {
                inCast.push(before != null && CASTS.contains(before.text().toUpperCase(Locale.ROOT)));
            } else if (token.is(")")) {
                inCast.poll();
            } else if (token.is("[") && !isOperand(before)) {
                change(token, "ARRAY[");
            } else if (token.is(INTEGER_DIVISION)) {
                change(token, "*\"" + INTEGER_DIVISION + "\"/");
            } else if (token.is(JSON_VALUE) || token.is(JSON_TEXT)) {
                change(token, "||\"" + token.text() + "\"||");
            } else if (token.kind() == QueryToken.Kind.WORD && next != null) {
                word(tokens, i, next, Boolean.TRUE.equals(inCast.peek()));
            }
        }
    }

    private void word(List<QueryToken> tokens, int at, QueryToken next, boolean inCast) {
        QueryToken token = tokens.get(at);
        String word = token.text().toLowerCase(Locale.ROOT);
        if (next.is("(")) {
            if (word.equals("count")
                    && at + 2 < tokens.size()
                    && tokens.get(at + 2).is(")")) {
                changes.add(new Change(next.end(), next.end(), "*"));
            } else if (isOwn(word) && !isOfTheStandard(word, tokens, at + 1)) {
                change(token, "\"" + token.text() + "\"");
            }
        } else if (word.equals("as") && !inCast && isFreeName(next)) {
            names.add(next.text().toLowerCase(Locale.ROOT));
            if (SqlWords.isReserved(next.text())) {
                change(next, "\"" + next.text() + "\"");
            }
        } else if (word.equals("timestamptz") || isZoned(tokens, at)) {
            zoned(tokens, at);
        } else if (word.equals("interval") && next.kind() == QueryToken.Kind.NUMBER) {
            change(next, "'" + next.text() + "'");
        } else if (word.equals("interval") && next.kind() == QueryToken.Kind.TEXT) {
            Matcher amount = INTERVAL.matcher(next.unquoted());
            if (amount.matches() && UNITS.contains(amount.group(2).toUpperCase(Locale.ROOT))) {
                change(next, "'" + amount.group(1) + "' " + amount.group(2));
            }
        }
    }

    private static boolean isFreeName(QueryToken token) {
        return token.kind() == QueryToken.Kind.WORD && !SqlWords.isReservedByDuckDb(token.text());
    }

    /// Whether `TIMESTAMP WITH TIME ZONE` begins here.
    private static boolean isZoned(List<QueryToken> tokens, int at) {
        return at + 3 < tokens.size()
                && tokens.get(at).is("TIMESTAMP")
                && tokens.get(at + 1).is("WITH")
                && tokens.get(at + 2).is("TIME")
                && tokens.get(at + 3).is("ZONE");
    }

    /// A type, or a constant of it.
    private void zoned(List<QueryToken> tokens, int at) {
        QueryToken last = isZoned(tokens, at) ? tokens.get(at + 3) : tokens.get(at);
        QueryToken next = tokens.get(tokens.indexOf(last) + 1);
        if (next.kind() == QueryToken.Kind.TEXT) {
            changes.add(new Change(tokens.get(at).begin(), next.end(), "CAST(" + next.text() + " AS " + ZONED + ")"));
        } else {
            changes.add(new Change(tokens.get(at).begin(), last.end(), ZONED));
        }
    }

    /// Whether brackets after the token are a subscript of it, not a list literal.
    private static boolean isOperand(@Nullable QueryToken before) {
        return before != null
                && switch (before.kind()) {
                    case WORD -> before.is("ARRAY") || !SqlWords.isReservedByDuckDb(before.text());
                    case NAME, TEXT -> true;
                    case NUMBER -> false;
                    case SYMBOL -> before.is(")") || before.is("]");
                };
    }

    private static boolean isOwn(String function) {
        return ScalarFunctions.names().contains(function)
                || AggregateCalls.names().contains(function);
    }

    /// Whether a call uses the standard's syntax, with keywords between its arguments: `trim(BOTH FROM s)`.
    private static boolean isOfTheStandard(String function, List<QueryToken> tokens, int open) {
        if (!function.equals("trim")) {
            return false;
        }
        int depth = 0;
        for (int i = open; i < tokens.size(); i++) {
            depth += tokens.get(i).is("(") ? 1 : tokens.get(i).is(")") ? -1 : 0;
            if (depth == 0) {
                return false;
            }
            if (depth == 1 && tokens.get(i).is("FROM")) {
                return true;
            }
        }
        return false;
    }

    private void change(QueryToken token, String by) {
        changes.add(new Change(token.begin(), token.end(), by));
    }

    /// The number of tokens before the trailing `;`.
    private int withoutEnd(List<QueryToken> tokens) {
        int count = tokens.size();
        while (count > 0 && tokens.get(count - 1).is(";")) {
            count--;
        }
        for (QueryToken token : tokens.subList(0, count)) {
            if (token.is(";")) {
                throw MillraceException.user("SQL, " + text.place(token.begin())
                        + ": here a second query begins. Call sql once for each of them.");
            }
        }
        if (count < tokens.size()) {
            text.replace(tokens.get(count).begin(), tokens.getLast().end(), "");
        }
        return count;
    }
}
