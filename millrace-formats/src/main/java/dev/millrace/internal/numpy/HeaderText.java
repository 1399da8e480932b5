package dev.millrace.internal.numpy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The Python dictionary in an `.npy` header: `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`.
final class HeaderText {
    private final String text;
    private int at;

    /// Null if it is not a plain string.
    private @Nullable String descr;
    /// The text of `descr` as written in the header. This and what follows is null until it was found.
    private @Nullable String descrText;

    private @Nullable Boolean columnMajor;
    private long @Nullable [] shape;

    /// What a header says.
    ///
    /// @param descr the type of elements; null if it is not a plain string
    /// @param descrText the text of `descr` as written in the header
    record Parts(@Nullable String descr, String descrText, boolean columnMajor, long[] shape) {}

    private HeaderText(String text) {
        this.text = text;
    }

    /// @throws IllegalArgumentException if the header is invalid, with the reason
    static Parts parse(String text) {
        HeaderText header = new HeaderText(text);
        header.dictionary();
        String descrText = header.descrText;
        Boolean columnMajor = header.columnMajor;
        long[] shape = header.shape;
        if (descrText == null || columnMajor == null || shape == null) {
            throw new IllegalArgumentException("descr, fortran_order or shape is missing");
        }
        return new Parts(header.descr, descrText, columnMajor, shape);
    }

    private void dictionary() {
        expect('{');
        while (peek() != '}') {
            String key = string();
            expect(':');
            switch (key) {
                case "descr" -> readDescr();
                case "fortran_order" -> columnMajor = bool();
                case "shape" -> shape = tuple();
                default -> throw new IllegalArgumentException("there is an unknown key '" + key + "'");
            }
            if (peek() == ',') {
                at++;
            } else if (peek() != '}') {
                throw unexpected();
            }
        }
    }

    private void readDescr() {
        int from = at;
        if (peek() == '\'' || peek() == '"') {
            descr = string();
            descrText = "'" + descr + "'";
            return;
        }
        // A structured type is a list of tuples; only its text is needed.
        if (peek() != '[') {
            throw unexpected();
        }
        int depth = 0;
        do {
            char c = peek();
            if (c == '\'' || c == '"') {
                string();
                continue;
            }
            depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
            at++;
        } while (depth > 0);
        descrText = text.substring(from, at).strip();
    }

    private boolean bool() {
        peek();
        for (String word : List.of("True", "False")) {
            if (text.startsWith(word, at)) {
                at += word.length();
                return word.equals("True");
            }
        }
        throw unexpected();
    }

    private long[] tuple() {
        expect('(');
        List<Long> sizes = new ArrayList<>();
        while (peek() != ')') {
            int from = at;
            while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                at++;
            }
            if (from == at || at - from > 18) {
                throw unexpected();
            }
            sizes.add(Long.parseLong(text, from, at, 10));
            if (at < text.length() && text.charAt(at) == 'L') {
                at++;
            }
            if (peek() == ',') {
                at++;
            } else if (peek() != ')') {
                throw unexpected();
            }
        }
        at++;
        return sizes.stream().mapToLong(Long::longValue).toArray();
    }

    private String string() {
        char quote = peek();
        if (quote != '\'' && quote != '"') {
            throw unexpected();
        }
        int end = text.indexOf(quote, at + 1);
        if (end < 0) {
            throw new IllegalArgumentException("a quote is not closed");
        }
        String value = text.substring(at + 1, end);
        at = end + 1;
        return value;
    }

    private void expect(char c) {
        if (peek() != c) {
            throw unexpected();
        }
        at++;
    }

    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        if (at == text.length()) {
            throw new IllegalArgumentException("it ends too early");
        }
        return text.charAt(at);
    }

    private IllegalArgumentException unexpected() {
        return new IllegalArgumentException(
                "unexpected '" + text.charAt(Math.min(at, text.length() - 1)) + "' at character " + at);
    }
}
