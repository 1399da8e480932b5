package dev.millrace.cli;

import java.util.ArrayList;
import java.util.List;

/// Splits text into statements at semicolons that are not in quotes or comments.
///
/// @param complete without their semicolons; empty ones are left out
/// @param rest what follows the last semicolon, stripped
/// @param restIsOpen whether the rest ends inside of quotes or a comment
record SqlStatements(List<String> complete, String rest, boolean restIsOpen) {
    static SqlStatements of(String text) {
        List<String> complete = new ArrayList<>();
        int from = 0;
        int at = 0;
        boolean open = false;
        while (at < text.length()) {
            int end = endOfToken(text, at);
            if (end < 0) {
                open = true;
                break;
            }
            if (text.charAt(at) == ';') {
                add(complete, text.substring(from, at));
                from = end;
            }
            at = end;
        }
        return new SqlStatements(List.copyOf(complete), meaning(text.substring(from)), open);
    }

    /// All of them, also the last one if it has no semicolon.
    List<String> all() {
        List<String> all = new ArrayList<>(complete);
        add(all, rest);
        return all;
    }

    private static void add(List<String> statements, String text) {
        if (!meaning(text).isEmpty()) {
            statements.add(text.strip());
        }
    }

    /// The text; empty if it has nothing but blanks and comments.
    private static String meaning(String text) {
        for (int at = 0; at < text.length(); ) {
            int end = endOfToken(text, at);
            boolean comment = text.startsWith("--", at) || text.startsWith("/*", at);
            if (end < 0 && comment && text.startsWith("--", at)) {
                return "";
            }
            if (end < 0 || (!comment && !Character.isWhitespace(text.charAt(at)))) {
                return text.strip();
            }
            at = end;
        }
        return "";
    }

    /// The end of the quoted text, comment or character that begins at a position; -1 if it does not end.
    private static int endOfToken(String text, int at) {
        char first = text.charAt(at);
        if (first == '\'' || first == '"') {
            int end = text.indexOf(first, at + 1);
            return end < 0 ? -1 : end + 1;
        }
        if (text.startsWith("--", at)) {
            int end = text.indexOf('\n', at);
            return end < 0 ? text.length() : end + 1;
        }
        if (text.startsWith("/*", at)) {
            int end = text.indexOf("*/", at + 2);
            return end < 0 ? -1 : end + 2;
        }
        return at + 1;
    }
}
