package dev.millrace.cli;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The paths that a query has as tables, `FROM 'trips.parquet'`, and the query with names in their place. Every
/// character keeps its place, so that errors name it rightly.
///
/// @param paths each is the name of its table
record QueryFiles(String query, List<String> paths) {
    QueryFiles {
        paths = List.copyOf(paths);
    }

    static QueryFiles of(String query) {
        StringBuilder text = new StringBuilder(query);
        List<String> paths = new ArrayList<>();
        String word = "";
        for (int at = 0; at < query.length(); ) {
            char c = query.charAt(at);
            int end = end(query, at);
            boolean closed = end > at + 1 && query.charAt(end - 1) == '\'';
            if (c == '\'' && closed && (word.equals("FROM") || word.equals("JOIN"))) {
                String path = query.substring(at + 1, end - 1);
                if (isPath(path)) {
                    text.setCharAt(at, '"');
                    text.setCharAt(end - 1, '"');
                    if (!paths.contains(path)) {
                        paths.add(path);
                    }
                }
            }
            if (!Character.isWhitespace(c) && !query.startsWith("--", at) && !query.startsWith("/*", at)) {
                word = query.substring(at, end).toUpperCase(Locale.ROOT);
            }
            at = end;
        }
        return new QueryFiles(text.toString(), paths);
    }

    /// Where what begins here ends: a text, a quoted name, a comment, a word, else one character.
    private static int end(String query, int at) {
        char c = query.charAt(at);
        if (c == '\'' || c == '"') {
            int close = query.indexOf(c, at + 1);
            return close < 0 ? query.length() : close + 1;
        }
        if (query.startsWith("--", at) || query.startsWith("/*", at)) {
            String closing = c == '-' ? "\n" : "*/";
            int close = query.indexOf(closing, at + 2);
            return close < 0 ? query.length() : close + closing.length();
        }
        int end = at;
        while (end < query.length() && (Character.isLetterOrDigit(query.charAt(end)) || query.charAt(end) == '_')) {
            end++;
        }
        return Math.max(end, at + 1);
    }

    /// Texts stand behind FROM in functions too: extract(day FROM '2024-01-31').
    private static boolean isPath(String text) {
        if (text.isBlank() || text.contains("\"") || text.contains("\n")) {
            return false;
        }
        try {
            return TableFiles.format(text) != null || text.contains("/") || Files.exists(Path.of(text));
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
