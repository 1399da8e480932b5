package dev.millrace.internal.sql;

import java.util.Locale;
import java.util.Set;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlConformanceEnum;

/// Parses queries. Many words of the language are names of columns too (`day`, `value`, `year`): where one cannot stand
/// as a word and is a name that the query may use, it is put into quotes and the query is parsed again.
final class QueryParser {
    private static final SqlParser.Config GRAMMAR = SqlParser.config()
            .withQuoting(Quoting.DOUBLE_QUOTE)
            .withUnquotedCasing(Casing.UNCHANGED)
            .withQuotedCasing(Casing.UNCHANGED)
            .withCaseSensitive(false)
            .withConformance(SqlConformanceEnum.LENIENT);
    private static final int MOST_NAMES = 100;
    /// What may stand between the place of an error and the name that is the reason.
    private static final String NO_NAMES = " \t<>=!+-*/%|,(";

    private final QueryText text;
    private final Set<String> names;

    private QueryParser(QueryText text, Set<String> names) {
        this.text = text;
        this.names = names;
    }

    record Parsed(SqlNode query, QueryText text) {}

    /// @param names of tables and columns, in lower case
    static Parsed parse(String sql, Set<String> names) {
        QueryText text = new QueryText(sql);
        text.quoteCalls(ScalarFunctions.names());
        return new QueryParser(text, names).parse();
    }

    private Parsed parse() {
        for (int tries = 0; ; tries++) {
            try {
                return new Parsed(SqlParser.create(text.toString(), GRAMMAR).parseQuery(), text);
            } catch (SqlParseException e) {
                if (tries == MOST_NAMES || e.getPos() == null || !quote(e.getPos())) {
                    throw SqlErrors.parsing(e, text);
                }
            }
        }
    }

    /// Puts the word at a place into quotes, or the one after it; false if neither is a name.
    private boolean quote(SqlParserPos place) {
        int line = place.getLineNum() - 1;
        if (line < 0 || line >= text.lines()) {
            return false;
        }
        int begin = place.getColumnNum() - 1;
        return quote(line, begin) || quoteNext(line, QueryText.wordEnd(text.line(line), begin));
    }

    private boolean quoteNext(int from, int after) {
        int at = after;
        for (int line = from; line < text.lines(); line++) {
            CharSequence there = text.line(line);
            while (at < there.length() && NO_NAMES.indexOf(there.charAt(at)) >= 0) {
                at++;
            }
            if (at < there.length()) {
                return quote(line, at);
            }
            at = 0;
        }
        return false;
    }

    private boolean quote(int line, int begin) {
        int end = QueryText.wordEnd(text.line(line), begin);
        if (begin >= end) {
            return false;
        }
        String word = text.line(line).subSequence(begin, end).toString();
        if (!names.contains(word.toLowerCase(Locale.ROOT)) || !SqlErrors.isReserved(word)) {
            return false;
        }
        text.quote(line, begin, end);
        return true;
    }
}
