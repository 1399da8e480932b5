package dev.millrace.internal.sql;

import dev.millrace.internal.text.QueryToken;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Rewrites `x::type` to `CAST(x AS type)`. The operand is what precedes the operator: a qualified name, a constant, a
/// call, parentheses, `CASE ... END`, each with subscripts in brackets.
final class CastOperators {
    private static final Set<String> BEFORE_TEXT = Set.of("DATE", "TIME", "TIMESTAMP");
    /// Words before parentheses that are not function names.
    private static final Set<String> NO_CALLS = Set.of(
            "SELECT",
            "WHERE",
            "ON",
            "AND",
            "OR",
            "NOT",
            "IN",
            "BETWEEN",
            "LIKE",
            "WHEN",
            "THEN",
            "ELSE",
            "CASE",
            "BY",
            "HAVING",
            "DISTINCT",
            "ALL",
            "ANY",
            "SOME",
            "AS",
            "FROM",
            "JOIN",
            "RETURN",
            "ILIKE",
            "IS",
            "QUALIFY");

    private final QueryText text;

    CastOperators(QueryText text) {
        this.text = text;
    }

    void rewrite() {
        List<QueryToken> tokens = text.tokens();
        int at = find(tokens);
        while (at > 0) {
            int begin = operand(tokens, at - 1);
            int last = type(tokens, at + 1);
            if (begin < 0 || last < 0) {
                return;
            }
            text.replace(tokens.get(last).end(), tokens.get(last).end(), ")");
            text.replace(tokens.get(at).begin(), tokens.get(at).end(), " AS ");
            text.replace(tokens.get(begin).begin(), tokens.get(begin).begin(), "CAST(");
            tokens = text.tokens();
            at = find(tokens);
        }
    }

    private static int find(List<QueryToken> tokens) {
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.get(i).is("::")) {
                return i;
            }
        }
        return -1;
    }

    /// The first token of the operand that ends with token `last`, or -1.
    private static int operand(List<QueryToken> tokens, int last) {
        int begin = last;
        while (begin >= 0 && tokens.get(begin).is("]")) {
            begin = opening(tokens, begin, "[", "]") - 1;
        }
        if (begin < 0) {
            return -1;
        }
        QueryToken token = tokens.get(begin);
        if (token.is("END")) {
            return opening(tokens, begin, "CASE", "END");
        }
        if (token.is(")")) {
            begin = opening(tokens, begin, "(", ")");
            boolean call = begin > 0 && isName(tokens.get(begin - 1)) && !isNoCall(tokens.get(begin - 1));
            return call ? qualified(tokens, begin - 1) : begin;
        }
        if (token.kind() == QueryToken.Kind.TEXT) {
            boolean typed = begin > 0
                    && BEFORE_TEXT.contains(tokens.get(begin - 1).text().toUpperCase(Locale.ROOT));
            return typed ? begin - 1 : begin;
        }
        return token.kind() == QueryToken.Kind.SYMBOL ? -1 : qualified(tokens, begin);
    }

    private static int qualified(List<QueryToken> tokens, int name) {
        int begin = name;
        while (begin > 1 && tokens.get(begin - 1).is(".") && isName(tokens.get(begin - 2))) {
            begin -= 2;
        }
        return begin;
    }

    private static boolean isName(QueryToken token) {
        return token.kind() == QueryToken.Kind.WORD || token.kind() == QueryToken.Kind.NAME;
    }

    private static boolean isNoCall(QueryToken token) {
        return token.kind() == QueryToken.Kind.WORD
                && NO_CALLS.contains(token.text().toUpperCase(Locale.ROOT));
    }

    private static int opening(List<QueryToken> tokens, int closing, String open, String close) {
        int depth = 0;
        for (int i = closing; i >= 0; i--) {
            depth += tokens.get(i).is(close) ? 1 : tokens.get(i).is(open) ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return -1;
    }

    /// The last token of the type that begins with token `first`, or -1.
    private static int type(List<QueryToken> tokens, int first) {
        if (first >= tokens.size() || !isName(tokens.get(first))) {
            return -1;
        }
        int last = first;
        if (tokens.get(first).is("DOUBLE") && is(tokens, first + 1, "PRECISION")) {
            last++;
        }
        if (is(tokens, last + 1, "(")) {
            while (last + 1 < tokens.size() && !tokens.get(last).is(")")) {
                last++;
            }
        }
        boolean zoned = is(tokens, last + 1, "WITH") || is(tokens, last + 1, "WITHOUT");
        return zoned && is(tokens, last + 2, "TIME") && is(tokens, last + 3, "ZONE") ? last + 3 : last;
    }

    private static boolean is(List<QueryToken> tokens, int at, String word) {
        return at < tokens.size() && tokens.get(at).is(word);
    }
}
