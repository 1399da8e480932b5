package dev.millrace.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.text.QueryToken;
import dev.millrace.internal.wording.SimilarNames;
import dev.millrace.type.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses the values of an SQL expression: constants, columns, calls, `CASE`, and the postfix operators `.field`,
/// `[position]` and `::type`.
final class ValueParser {
    /// Reserved words, which are columns only in double quotes.
    private static final Set<String> RESERVED = Set.of(
            "AND",
            "OR",
            "NOT",
            "IN",
            "IS",
            "LIKE",
            "ILIKE",
            "BETWEEN",
            "ESCAPE",
            "CASE",
            "WHEN",
            "THEN",
            "ELSE",
            "END",
            "AS",
            "DISTINCT",
            "FROM",
            "SELECT",
            "WHERE",
            "CAST",
            "TRY_CAST",
            "INTERVAL");
    private static final Set<String> CONSTANTS =
            Set.of("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP");

    private static final String VALUE = "a value";

    private final TokenCursor cursor;
    private final ExpressionParser expressions;
    /// Null if the columns are not known.
    private final @Nullable Schema schema;

    ValueParser(TokenCursor cursor, ExpressionParser expressions, @Nullable Schema schema) {
        this.cursor = cursor;
        this.expressions = expressions;
        this.schema = schema;
    }

    /// A value with its postfix operators.
    Expression value() {
        Expression value = primary();
        while (true) {
            if (cursor.accepts(".")) {
                value = value.field(name("the name of a field"));
            } else if (cursor.accepts("::")) {
                value = value.cast(ParsedType.take(cursor));
            } else if (cursor.accepts("[")) {
                value = element(value);
                cursor.expect("]");
            } else {
                return value;
            }
        }
    }

    /// A comma-separated list up to the closing token, which is not consumed.
    List<Expression> list(String closing) {
        List<Expression> elements = new ArrayList<>();
        if (!cursor.sees(closing)) {
            do {
                elements.add(expressions.whole());
            } while (cursor.accepts(","));
        }
        return elements;
    }

    /// The call of a function; its errors are reported with their position.
    Expression call(QueryToken name, List<Expression> arguments) {
        try {
            return NamedFunctions.call(name.text(), arguments);
        } catch (MillraceException e) {
            throw cursor.error(name, e.getMessage());
        }
    }

    private String name(String expected) {
        QueryToken token = cursor.peek();
        if (token == null || token.kind() != QueryToken.Kind.WORD && token.kind() != QueryToken.Kind.NAME) {
            throw cursor.unexpected(expected);
        }
        cursor.take(expected);
        return token.kind() == QueryToken.Kind.NAME ? token.unquoted() : token.text();
    }

    /// An element of a list, counted from 1 or from the end; for a map the value of a key, which is a text.
    private Expression element(Expression value) {
        QueryToken token = cursor.peek();
        return switch (expressions.sum()) {
            case Literal(String key, var _) -> value.get(key);
            // A slice applies to lists only, so that the position is not mistaken for a key of a map.
            case Literal(Integer position, var _)
            when position > 0 -> value.slice(position - 1, position).get(0);
            case Literal(Integer position, var _)
            when position < 0 -> value.slice(0, Integer.MAX_VALUE).get(position);
            default ->
                throw cursor.error(
                        token,
                        "a position in a list is a whole number from 1, or from -1 from its end; a key is a text.");
        };
    }

    private Expression primary() {
        QueryToken token = cursor.peek();
        if (token == null) {
            throw cursor.unexpected(VALUE);
        }
        return switch (token.kind()) {
            case NUMBER -> number(cursor.take(VALUE));
            case TEXT -> Literal.of(cursor.take(VALUE).unquoted());
            case NAME -> column(cursor.take(VALUE));
            case WORD -> word(token);
            case SYMBOL -> {
                if (cursor.accepts("(")) {
                    Expression inside = expressions.whole();
                    cursor.expect(")");
                    yield inside;
                }
                if (cursor.accepts("[")) {
                    List<Expression> elements = list("]");
                    cursor.expect("]");
                    yield new MakeList(elements);
                }
                throw cursor.unexpected(VALUE);
            }
        };
    }

    private Expression word(QueryToken token) {
        String word = token.text().toUpperCase(Locale.ROOT);
        QueryToken next = cursor.peek(1);
        // What is in brackets behind CASE is the value that it compares.
        boolean called = next != null && next.is("(") && !word.equals("CASE");
        if (!called && next != null && next.kind() == QueryToken.Kind.TEXT && isTime(word)) {
            cursor.take(VALUE);
            return time(word, cursor.take("a time"));
        }
        if (called) {
            cursor.take(VALUE);
            cursor.take("'('");
            Expression value = called(token, word);
            cursor.expect(")");
            return value;
        }
        return switch (word) {
            case "TRUE" -> constant(true);
            case "FALSE" -> constant(false);
            case "NULL" -> constant(null);
            case "CASE" -> conditional();
            case "SELECT" -> throw cursor.error(token, "a query cannot stand in an expression. Use session.sql(...).");
            case "INTERVAL" ->
                throw cursor.error(
                        token, "an interval stands behind + or -, with a time before it: t + INTERVAL '3' DAY.");
            default -> {
                if (RESERVED.contains(word)) {
                    throw cursor.error(
                            token,
                            "'" + token.text() + "' cannot stand here: a value is expected. It is a word of the"
                                    + " language: to use it as a name, write \"" + token.text() + "\".");
                }
                cursor.take(VALUE);
                yield CONSTANTS.contains(word) && !isColumn(token.text()) ? call(token, List.of()) : column(token);
            }
        };
    }

    private Expression constant(@Nullable Object value) {
        cursor.take(VALUE);
        return Literal.of(value);
    }

    private boolean isColumn(String name) {
        return schema != null && schema.indexOf(name) >= 0;
    }

    private Expression column(QueryToken token) {
        String name = token.kind() == QueryToken.Kind.NAME ? token.unquoted() : token.text();
        if (schema != null && schema.indexOf(name) < 0) {
            throw cursor.error(
                    token,
                    "there is no column '" + name + "'." + SimilarNames.suggestion(name, schema.names())
                            + " The columns are " + schema.names() + ".");
        }
        return new ColumnReference(name);
    }

    /// The arguments of a call, some of which are separated by keywords.
    private Expression called(QueryToken function, String name) {
        return switch (name) {
            case "CAST", "TRY_CAST" -> {
                Expression input = expressions.whole();
                cursor.expect("AS");
                yield new Cast(input, ParsedType.take(cursor), name.equals("CAST"));
            }
            case "EXTRACT" -> {
                QueryToken part = cursor.take("a part of a time");
                cursor.expect("FROM");
                String text = part.kind() == QueryToken.Kind.TEXT ? part.unquoted() : part.text();
                Expression time = expressions.whole();
                try {
                    yield NamedFunctions.call("date_part", List.of(Literal.of(text), time));
                } catch (MillraceException e) {
                    throw cursor.error(part, e.getMessage());
                }
            }
            case "POSITION" -> {
                Expression part = expressions.sum();
                cursor.expect("IN");
                yield NamedFunctions.call("strpos", List.of(expressions.whole(), part));
            }
            case "SUBSTRING" -> call(function, substring());
            case "TRIM" -> trimmed(function);
            default -> call(function, list(")"));
        };
    }

    private List<Expression> substring() {
        List<Expression> arguments = new ArrayList<>(List.of(expressions.whole()));
        boolean words = cursor.sees("FROM");
        while (words ? cursor.accepts("FROM") || cursor.accepts("FOR") : cursor.accepts(",")) {
            arguments.add(expressions.whole());
        }
        return arguments;
    }

    /// `trim(text)`, `trim(text, characters)`, `trim(BOTH characters FROM text)`.
    private Expression trimmed(QueryToken function) {
        String end = cursor.accepts("LEADING")
                ? "ltrim"
                : cursor.accepts("TRAILING") ? "rtrim" : cursor.accepts("BOTH") ? "trim" : "";
        List<Expression> arguments = cursor.sees("FROM") ? new ArrayList<>() : new ArrayList<>(list(")"));
        if (cursor.accepts("FROM")) {
            arguments.addFirst(expressions.whole());
        } else if (!end.isEmpty()) {
            throw cursor.unexpected("'FROM'");
        }
        return end.isEmpty() ? call(function, arguments) : NamedFunctions.call(end, arguments);
    }

    private Expression conditional() {
        cursor.expect("CASE");
        Expression compared = cursor.sees("WHEN") ? null : expressions.whole();
        List<Conditional.Branch> branches = new ArrayList<>();
        while (cursor.accepts("WHEN")) {
            Expression when = expressions.whole();
            cursor.expect("THEN");
            branches.add(new Conditional.Branch(compared == null ? when : compared.eq(when), expressions.whole()));
        }
        if (branches.isEmpty()) {
            throw cursor.unexpected("'WHEN'");
        }
        Expression otherwise = cursor.accepts("ELSE") ? expressions.whole() : Literal.of(null);
        cursor.expect("END");
        return new Conditional(branches, otherwise);
    }

    private Literal number(QueryToken token) {
        String text = token.text();
        try {
            if (text.indexOf('e') >= 0 || text.indexOf('E') >= 0) {
                return Literal.of(Double.valueOf(text));
            }
            return Literal.of(text.indexOf('.') >= 0 ? new BigDecimal(text) : narrow(new BigInteger(text)));
        } catch (NumberFormatException e) {
            throw cursor.error(token, "'" + text + "' is no number.");
        } catch (MillraceException e) {
            throw cursor.error(token, e.getMessage());
        }
    }

    /// The constant in the smallest possible type: int32, int64, or a decimal.
    static Number narrow(BigInteger number) {
        return number.bitLength() < Integer.SIZE
                ? Integer.valueOf(number.intValueExact())
                : number.bitLength() < Long.SIZE ? Long.valueOf(number.longValueExact()) : new BigDecimal(number);
    }

    private static boolean isTime(String word) {
        return word.equals("DATE") || word.equals("TIME") || word.equals("TIMESTAMP") || word.equals("TIMESTAMPTZ");
    }

    private Literal time(String type, QueryToken token) {
        String text = token.unquoted().strip().replaceFirst("(?<=[0-9]) (?=[0-9])", "T");
        boolean dateOnly = text.indexOf('T') < 0;
        try {
            return Literal.of(
                    switch (type) {
                        case "DATE" -> LocalDate.parse(text);
                        case "TIME" -> LocalTime.parse(text);
                        case "TIMESTAMP" -> dateOnly ? LocalDate.parse(text).atStartOfDay() : LocalDateTime.parse(text);
                        default -> OffsetDateTime.parse(text).atZoneSameInstant(ZoneId.of("UTC"));
                    });
        } catch (DateTimeException e) {
            throw cursor.error(token, token.text() + " is no " + type + ". Write it like " + example(type) + ".");
        }
    }

    private static String example(String type) {
        return switch (type) {
            case "DATE" -> "DATE '2024-02-29'";
            case "TIME" -> "TIME '13:45:30'";
            case "TIMESTAMP" -> "TIMESTAMP '2024-02-29 13:45:30'";
            default -> "TIMESTAMPTZ '2024-02-29 13:45:30+01:00'";
        };
    }
}
