package dev.millrace.internal.sql;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.sql.SqlTable;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;

/// What is wrong with a query, where, and what there is instead.
final class SqlErrors {
    private static final int MOST_EXPECTED = 8;

    /// What to write in place of what other databases have.
    private static final Map<String, String> INSTEAD = Map.of(
            "UNNEST", "It stands in FROM: SELECT u.x FROM t, UNNEST(t.list) AS u (x).",
            "GROUPS", "A window's frame is of ROWS or a RANGE.",
            ":", "To cast, write CAST(x AS type).",
            "ON", "For the first row of each key write QUALIFY row_number() OVER (PARTITION BY key ORDER BY x) = 1.",
            "WHERE", "It stands behind FROM.");

    private SqlErrors() {}

    /// The text does not follow the grammar.
    static MillraceException parsing(SqlParseException error, QueryText text) {
        String said = String.valueOf(error.getMessage()).lines().findFirst().orElse("");
        StringBuilder sentence =
                new StringBuilder("SQL, ").append(place(error, text)).append(": ");
        String token = between(said, "Encountered \"", "\" at");
        if (token == null) {
            String keyword = between(said, "Incorrect syntax near the keyword '", "' at line");
            sentence.append(keyword == null ? ended(said) : "'" + keyword + "' cannot stand here.");
            String instead = keyword == null ? null : INSTEAD.get(keyword);
            sentence.append(instead == null ? "" : " " + instead);
        } else if (token.equals("<EOF>")) {
            sentence.append("the query ends too early.");
        } else {
            sentence.append("'").append(token).append("' cannot stand here.");
            String instead = INSTEAD.get(token.toUpperCase(Locale.ROOT));
            if (instead != null) {
                return MillraceException.user(sentence + " " + instead);
            }
            if (isReserved(token)) {
                sentence.append(" It is a word of the language: to use it as a name, write \"")
                        .append(token)
                        .append("\".");
            }
        }
        var expected = error.getExpectedTokenNames();
        if (token != null && !expected.isEmpty() && expected.size() <= MOST_EXPECTED) {
            sentence.append(" Expected: ")
                    .append(String.join(", ", expected).replace("\"", ""))
                    .append(".");
        }
        return MillraceException.user(sentence.toString());
    }

    private static String place(SqlParseException error, QueryText text) {
        return error.getPos() == null
                ? "at its end"
                : text.place(error.getPos().getLineNum(), error.getPos().getColumnNum());
    }

    private static String between(String text, String begin, String end) {
        int from = text.indexOf(begin);
        int to = text.indexOf(end, from + begin.length());
        return from < 0 || to < 0
                ? null
                : text.substring(from + begin.length(), to).strip().split("[ \"]", 2)[0];
    }

    static boolean isReserved(String token) {
        return SqlParser.create("").getMetadata().isReservedWord(token.toUpperCase(Locale.ROOT));
    }

    /// The text is well formed, but names or types are wrong.
    static MillraceException checking(CalciteContextException error, QueryText text, Map<String, SqlTable> tables) {
        Throwable cause = error.getCause() == null ? error : error.getCause();
        String said = ended(String.valueOf(cause.getMessage()));
        String sentence = "SQL, " + text.place(error.getPosLine(), error.getPosColumn()) + ": " + said;
        if (said.startsWith("Column '") || said.startsWith("Table '") || said.startsWith("Object '")) {
            sentence += " " + there(tables);
        }
        return MillraceException.user(sentence);
    }

    static MillraceException planning(Throwable error) {
        String said = String.valueOf(error.getMessage()).lines().findFirst().orElse("");
        return new MillraceException(Culprit.USER, "SQL: the query is not supported: " + ended(said), error);
    }

    private static String there(Map<String, SqlTable> tables) {
        Map<String, Object> columns = new TreeMap<>();
        tables.forEach((name, table) -> columns.put(name, table.dataset().columns()));
        if (columns.isEmpty()) {
            return "There are no tables: give them after the query, as in sql(query, \"trips\", trips).";
        }
        StringBuilder text = new StringBuilder("There is ");
        columns.forEach((name, names) -> text.append(text.length() > 9 ? "; " : "")
                .append(name)
                .append(" with ")
                .append(names));
        return text.append(".").toString();
    }

    private static String ended(String sentence) {
        return sentence.endsWith(".") ? sentence : sentence + ".";
    }
}
