package dev.millrace.internal.sql;

import dev.millrace.internal.text.QueryToken;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.validate.SqlConformanceEnum;

/// Parses queries. Many keywords are also names of columns (`day`, `value`, `year`): if a keyword causes a syntax error
/// and is a name that the query may use, or a valid name in DuckDB, it is quoted and the query is parsed again.
final class QueryParser {
    private static final SqlParser.Config GRAMMAR = SqlParser.config()
            .withQuoting(Quoting.DOUBLE_QUOTE)
            .withUnquotedCasing(Casing.UNCHANGED)
            .withQuotedCasing(Casing.UNCHANGED)
            .withCaseSensitive(false)
            .withConformance(SqlConformanceEnum.LENIENT);
    private static final int MAX_NAMES = 100;
    /// Characters that may be between the position of an error and the name that causes it.
    private static final String NO_NAMES = "<>=!+-*/%|,(";

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
        QueryFiles.quote(text);
        Set<String> all = new HashSet<>(names);
        all.addAll(QueryDialect.rewrite(text));
        return new QueryParser(text, all).parse();
    }

    private Parsed parse() {
        SqlParseException guessedAt = null;
        for (int tries = 0; ; tries++) {
            try {
                return new Parsed(SqlParser.create(text.toString(), GRAMMAR).parseQuery(), text);
            } catch (SqlParseException e) {
                if (guessedAt != null && e.getPos() != null && place(e) <= place(guessedAt) + 2) {
                    throw SqlErrors.parsing(guessedAt, text, names);
                }
                Quoted quoted = tries == MAX_NAMES || e.getPos() == null ? Quoted.NOTHING : quote(e);
                if (quoted == Quoted.NOTHING) {
                    throw SqlErrors.parsing(e, text, names);
                }
                guessedAt = quoted == Quoted.A_GUESS ? e : null;
            }
        }
    }

    private int place(SqlParseException error) {
        return text.offset(error.getPos().getLineNum(), error.getPos().getColumnNum());
    }

    private enum Quoted {
        A_NAME,
        A_GUESS,
        NOTHING
    }

    /// Quotes the word at the position of an error, or one next to it.
    private Quoted quote(SqlParseException error) {
        int place = place(error);
        List<QueryToken> tokens = text.tokens();
        int at = 0;
        while (at < tokens.size() && tokens.get(at).end() <= place) {
            at++;
        }
        if (at == tokens.size()) {
            return Quoted.NOTHING;
        }
        QueryToken there = tokens.get(at);
        if (isName(there)) {
            text.quote(there);
            return Quoted.A_NAME;
        }
        int next = at + 1;
        while (next < tokens.size() && NO_NAMES.contains(tokens.get(next).text())) {
            next++;
        }
        if (next < tokens.size() && isName(tokens.get(next))) {
            text.quote(tokens.get(next));
            return Quoted.A_NAME;
        }
        for (int guess = at; guess >= Math.max(0, at - 1); guess--) {
            boolean call = guess + 1 < tokens.size() && tokens.get(guess + 1).is("(");
            QueryToken word = tokens.get(guess);
            if (word.kind() == QueryToken.Kind.WORD && !call && SqlWords.isReservedHereOnly(word.text())) {
                text.quote(word);
                return Quoted.A_GUESS;
            }
        }
        return Quoted.NOTHING;
    }

    private boolean isName(QueryToken token) {
        return token.kind() == QueryToken.Kind.WORD
                && names.contains(token.text().toLowerCase(Locale.ROOT))
                && SqlWords.isReserved(token.text());
    }
}
