package dev.millrace.internal.text;

import java.util.ArrayList;
import java.util.List;

/// A token of a query; blanks and comments are not tokens. `//` is an operator, as in DuckDB.
///
/// @param begin the position of its first character; `end` is the position after its last
public record QueryToken(Kind kind, String text, int begin, int end) {
    /// The kind of a token.
    public enum Kind {
        /// A keyword or a name.
        WORD,
        /// A name in double quotes.
        NAME,
        /// A text in single quotes.
        TEXT,
        NUMBER,
        SYMBOL
    }

    /// Symbols of several characters, longer ones first.
    private static final List<String> SYMBOLS = List.of("->>", "->", "::", "//", "<=", ">=", "<>", "!=", "==", "||");

    /// The tokens of a query or an expression, in order.
    public static List<QueryToken> of(CharSequence query) {
        String text = query.toString();
        List<QueryToken> tokens = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int comment = commentEnd(text, at);
            if (comment > at) {
                at = comment;
            } else if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else {
                QueryToken token = at(text, at);
                tokens.add(token);
                at = token.end;
            }
        }
        return tokens;
    }

    /// Whether it is this keyword, not case-sensitive, or this symbol.
    public boolean is(String word) {
        return (kind == Kind.WORD || kind == Kind.SYMBOL) && text.equalsIgnoreCase(word);
    }

    /// A text or a name without its quotes.
    public String unquoted() {
        String quote = text.substring(0, 1);
        int end = text.length() > 1 && text.endsWith(quote) ? text.length() - 1 : text.length();
        return text.substring(1, end).replace(quote + quote, quote);
    }

    /// Whether the closing quote of a text or a name is missing.
    public boolean isUnclosed() {
        return (kind == Kind.TEXT || kind == Kind.NAME)
                && text.chars().filter(c -> c == text.charAt(0)).count() % 2 == 1;
    }

    private static int commentEnd(String text, int at) {
        boolean line = text.startsWith("--", at);
        if (!line && !text.startsWith("/*", at)) {
            return at;
        }
        int close = text.indexOf(line ? "\n" : "*/", at + 2);
        return close < 0 ? text.length() : close + (line ? 1 : 2);
    }

    private static QueryToken at(String text, int begin) {
        char c = text.charAt(begin);
        if (c == '\'' || c == '"') {
            return token(c == '"' ? Kind.NAME : Kind.TEXT, text, begin, quotedEnd(text, begin));
        }
        if (Character.isLetter(c) || c == '_' || c == '$') {
            return token(Kind.WORD, text, begin, wordEnd(text, begin));
        }
        if (isDigit(text, begin) || c == '.' && isDigit(text, begin + 1)) {
            return token(Kind.NUMBER, text, begin, numberEnd(text, begin));
        }
        for (String symbol : SYMBOLS) {
            if (text.startsWith(symbol, begin)) {
                return token(Kind.SYMBOL, text, begin, begin + symbol.length());
            }
        }
        return token(Kind.SYMBOL, text, begin, begin + 1);
    }

    private static QueryToken token(Kind kind, String text, int begin, int end) {
        return new QueryToken(kind, text.substring(begin, end), begin, end);
    }

    /// The position after the closing quote; a doubled quote is part of the text.
    private static int quotedEnd(String text, int begin) {
        char quote = text.charAt(begin);
        for (int at = begin + 1; at < text.length(); at++) {
            if (text.charAt(at) == quote) {
                if (at + 1 == text.length() || text.charAt(at + 1) != quote) {
                    return at + 1;
                }
                at++;
            }
        }
        return text.length();
    }

    private static int wordEnd(String text, int begin) {
        int end = begin;
        while (end < text.length()
                && (Character.isLetterOrDigit(text.charAt(end)) || "_$".indexOf(text.charAt(end)) >= 0)) {
            end++;
        }
        return end;
    }

    private static int numberEnd(String text, int begin) {
        int end = begin;
        while (isDigit(text, end) || end < text.length() && text.charAt(end) == '.') {
            end++;
        }
        if (end < text.length() && (text.charAt(end) == 'e' || text.charAt(end) == 'E')) {
            int digits = end + 1 < text.length() && "+-".indexOf(text.charAt(end + 1)) >= 0 ? end + 2 : end + 1;
            if (isDigit(text, digits)) {
                end = digits;
                while (isDigit(text, end)) {
                    end++;
                }
            }
        }
        return end;
    }

    private static boolean isDigit(String text, int at) {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }
}
