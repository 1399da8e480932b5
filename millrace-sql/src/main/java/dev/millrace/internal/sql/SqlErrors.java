package dev.millrace.internal.sql;

import dev.millrace.SqlTable;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.text.QueryToken;
import dev.millrace.internal.wording.SimilarNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParseException;
import org.jspecify.annotations.Nullable;

/// Creates errors that say what is wrong with a query, where, and what to write instead.
final class SqlErrors {
    private static final int MAX_EXPECTED = 8;
    /// The number of words before the error that are checked for a misspelling.
    private static final int WORDS_BEFORE = 3;

    /// Replacements for features of other databases.
    private static final Map<String, String> INSTEAD = Map.of(
            "UNNEST", "It stands in FROM: SELECT u.x FROM t, UNNEST(t.list) AS u (x).",
            "GROUPS", "A window's frame is of ROWS or a RANGE.",
            "ON", "For the first row of each key write QUALIFY row_number() OVER (PARTITION BY key ORDER BY x) = 1.",
            "WHERE", "It stands behind FROM.");

    private SqlErrors() {}

    /// A syntax error.
    ///
    /// @param names of tables and columns, in lower case
    static MillraceException parsing(SqlParseException error, QueryText text, Set<String> names) {
        if (isTooDeep(error)) {
            return tooDeep(error);
        }
        String misspelt = misspelt(error, text, names);
        if (misspelt != null) {
            return MillraceException.user(misspelt);
        }
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
            if (SqlWords.isReserved(token)) {
                sentence.append(" It is a word of the language: to use it as a name, write \"")
                        .append(token)
                        .append("\".");
            }
        }
        var expected = error.getExpectedTokenNames();
        if (token != null && !expected.isEmpty() && expected.size() <= MAX_EXPECTED) {
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

    private static @Nullable String between(String text, String begin, String end) {
        int from = text.indexOf(begin);
        int to = text.indexOf(end, from + begin.length());
        return from < 0 || to < 0
                ? null
                : text.substring(from + begin.length(), to).strip().split("[ \"]", 2)[0];
    }

    /// A hint if the word at the position of an error, or one of the few before it, is similar to a keyword, but is
    /// neither a keyword nor a known name; otherwise null.
    private static @Nullable String misspelt(SqlParseException error, QueryText text, Set<String> names) {
        if (error.getPos() == null) {
            return null;
        }
        int place = text.offset(error.getPos().getLineNum(), error.getPos().getColumnNum());
        List<QueryToken> words = text.tokens().stream()
                .filter(token -> token.begin() <= place && token.kind() == QueryToken.Kind.WORD)
                .toList();
        for (QueryToken word : words.subList(Math.max(0, words.size() - WORDS_BEFORE), words.size())
                .reversed()) {
            String near = SimilarNames.nearest(word.text(), SqlWords.CLAUSES);
            boolean known = SqlWords.isReserved(word.text())
                    || names.contains(word.text().toLowerCase(Locale.ROOT));
            if (near != null && !known) {
                return "SQL, " + text.place(word.begin()) + ": '" + word.text() + "' cannot stand here. Did you mean "
                        + near + "?";
            }
        }
        return null;
    }

    /// A validation error: the syntax is correct, but names or types are wrong.
    static MillraceException checking(CalciteContextException error, QueryText text, Map<String, SqlTable> tables) {
        Throwable cause = error.getCause() == null ? error : error.getCause();
        String said = ended(String.valueOf(cause.getMessage())).replaceFirst("^Object '", "Table '");
        String sentence = "SQL, " + text.place(error.getPosLine(), error.getPosColumn()) + ": ";
        String function = between(said, "No match found for function signature ", "(");
        if (function != null) {
            return MillraceException.user(sentence + unknown(function, said));
        }
        sentence += said;
        if (said.startsWith("Column '") || said.startsWith("Table '")) {
            String name = Objects.requireNonNullElse(between(said, " '", "'"), "");
            List<String> known = new ArrayList<>(tables.keySet());
            if (said.startsWith("Column '")) {
                known.clear();
                tables.values().forEach(table -> known.addAll(table.dataset().columns()));
            }
            boolean elsewhere = known.stream().anyMatch(name::equalsIgnoreCase);
            sentence += (elsewhere ? "" : SimilarNames.suggestion(name, known)) + " " + there(tables);
        }
        return MillraceException.user(sentence);
    }

    /// A function that does not exist, or not for these argument types.
    private static String unknown(String function, String said) {
        Set<String> known = SqlOperators.functionNames();
        String call = said.substring(said.indexOf(function)).replace("<", "").replace(">", "");
        if (known.contains(function.toUpperCase(Locale.ROOT))) {
            return "the function " + ended(call) + " There is one of this name, for other arguments.";
        }
        String near = SimilarNames.nearest(function, known);
        return "there is no function " + function + "."
                + (near == null ? "" : " Did you mean " + near.toLowerCase(Locale.ROOT) + "?");
    }

    private static boolean isTooDeep(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof StackOverflowError) {
                return true;
            }
        }
        return false;
    }

    static MillraceException tooDeep(Throwable error) {
        return new MillraceException(
                Culprit.USER,
                "SQL: the query is nested too deeply for the stack of this thread: a long chain of operators, or of"
                        + " subqueries in each other. Write long lists of values with IN, name parts of the query in WITH"
                        + " and materialise them as datasets, or call sql in a thread with a larger stack.",
                error);
    }

    static MillraceException planning(Throwable error) {
        if (isTooDeep(error)) {
            return tooDeep(error);
        }
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
