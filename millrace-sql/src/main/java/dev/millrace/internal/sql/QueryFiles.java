package dev.millrace.internal.sql;

import dev.millrace.internal.source.FileEndings;
import dev.millrace.internal.text.QueryToken;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Finds the file paths that a query uses as tables, `FROM 'trips.parquet'`: each becomes a quoted name.
final class QueryFiles {
    private QueryFiles() {}

    /// The paths of a query, each once.
    static List<String> paths(String query) {
        List<String> paths = new ArrayList<>();
        for (QueryToken token : find(QueryToken.of(query))) {
            if (!paths.contains(token.unquoted())) {
                paths.add(token.unquoted());
            }
        }
        return paths;
    }

    /// Turns the paths into quoted names.
    static void quote(QueryText text) {
        for (QueryToken token : find(text.tokens()).reversed()) {
            text.replace(token.begin(), token.end(), "\"" + token.unquoted() + "\"");
        }
    }

    private static List<QueryToken> find(List<QueryToken> tokens) {
        List<QueryToken> found = new ArrayList<>();
        for (int i = 1; i < tokens.size(); i++) {
            QueryToken token = tokens.get(i);
            QueryToken before = tokens.get(i - 1);
            boolean closed = token.text().length() > 2 && token.text().endsWith("'");
            if (token.kind() == QueryToken.Kind.TEXT
                    && closed
                    && (before.is("FROM") || before.is("JOIN"))
                    && isPath(token.unquoted())) {
                found.add(token);
            }
        }
        return found;
    }

    /// Text literals also follow FROM in functions: extract(day FROM '2024-01-31').
    private static boolean isPath(String text) {
        if (text.isBlank() || text.contains("\"") || text.contains("\n")) {
            return false;
        }
        try {
            return FileEndings.format(text) != null || text.contains("/") || Files.exists(Path.of(text));
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
