package dev.millrace.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.text.QueryToken;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The position of a parser in the tokens of a text, and the errors that name this position.
final class TokenCursor {
    private final String text;
    private final List<QueryToken> tokens;
    private int at;

    TokenCursor(String text) {
        this.text = text;
        this.tokens = QueryToken.of(text);
        tokens.stream().filter(QueryToken::isUnclosed).findFirst().ifPresent(token -> {
            throw error(token, "the quote " + token.text().charAt(0) + " is not closed.");
        });
    }

    /// The next token; null at the end.
    @Nullable
    QueryToken peek() {
        return peek(0);
    }

    @Nullable
    QueryToken peek(int ahead) {
        return at + ahead < tokens.size() ? tokens.get(at + ahead) : null;
    }

    /// Consumes the next token, which must exist.
    ///
    /// @param expected what is expected here, for the error
    QueryToken take(String expected) {
        if (at == tokens.size()) {
            throw unexpected(expected);
        }
        return tokens.get(at++);
    }

    boolean sees(String word) {
        QueryToken token = peek();
        return token != null && token.is(word);
    }

    boolean sees(QueryToken.Kind kind) {
        QueryToken token = peek();
        return token != null && token.kind() == kind;
    }

    /// Consumes the words if they are next, and returns whether they are.
    boolean accepts(String... words) {
        for (int i = 0; i < words.length; i++) {
            QueryToken token = peek(i);
            if (token == null || !token.is(words[i])) {
                return false;
            }
        }
        at += words.length;
        return true;
    }

    void expect(String word) {
        if (!accepts(word)) {
            throw unexpected("'" + word + "'");
        }
    }

    /// The error for a token that is not allowed here, or for the end of the text.
    MillraceException unexpected(String expected) {
        QueryToken token = peek();
        return token == null
                ? error(text.length(), "the text ends too early: " + expected + " is expected.")
                : error(token, "'" + token.text() + "' cannot stand here: " + expected + " is expected.");
    }

    /// @param token null: the end of the text
    MillraceException error(@Nullable QueryToken token, String sentence) {
        return error(token == null ? text.length() : token.begin(), sentence);
    }

    /// An error with line and column, followed by the line with a mark below the position.
    private MillraceException error(int place, String sentence) {
        int begin = text.lastIndexOf('\n', place - 1) + 1;
        int end = text.indexOf('\n', place);
        String line = text.substring(begin, end < 0 ? text.length() : end);
        long number = text.substring(0, begin).chars().filter(c -> c == '\n').count() + 1;
        String blanks = line.substring(0, place - begin).replaceAll("[^\t]", " ");
        return MillraceException.user("Expression, line " + number + ", column " + (place - begin + 1) + ": " + sentence
                + "\n  " + line + "\n  " + blanks + "^");
    }
}
