package dev.millrace.cli;

import dev.millrace.Dataset;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.source.FileEndings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/// Completes what stands before the cursor: commands and their arguments; behind FROM and JOIN tables, and files in
/// quotes; else the columns of the tables that the statement names, of all tables if it names none, and words of SQL.
final class SqlCompleter implements Completer {
    private static final List<String> WORDS = List.of(
            ("SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET JOIN LEFT RIGHT FULL INNER CROSS ON USING AS AND"
                            + " OR NOT IN IS NULL BETWEEN LIKE ILIKE EXISTS CASE WHEN THEN ELSE END UNION ALL INTERSECT"
                            + " EXCEPT DISTINCT WITH OVER PARTITION ASC DESC CAST EXPLAIN count( sum( avg( min( max("
                            + " coalesce( round( lower( upper( substring( extract( row_number(")
                    .split(" "));
    private static final Pattern BEHIND_FROM = Pattern.compile("(?is).*\\b(from|join)\\s+(\\S*\\s*,\\s*)*$");
    private static final Pattern QUOTED_TABLE = Pattern.compile("(?i)\\b(?:from|join)\\s+'([^']+)'");
    private static final int MOST_FILES = 200;

    private final SqlConsole console;
    /// Of files that statements name, by path; a file that cannot be read has none.
    private final Map<String, List<String>> columnsOfFiles = new HashMap<>();

    SqlCompleter(SqlConsole console) {
        this.console = console;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        for (String text : complete(line.line(), line.cursor(), line.word())) {
            boolean isOpen = text.endsWith("/") || text.endsWith("(") || text.endsWith(".") || text.endsWith("=");
            candidates.add(new Candidate(text, text, null, null, null, null, !isOpen));
        }
    }

    /// The texts that may replace the word before the cursor; the reader leaves out those that do not begin like it.
    Set<String> complete(String line, int cursor, String word) {
        String before = line.substring(0, Math.max(0, cursor - word.length()));
        if (line.stripLeading().startsWith("\\")) {
            return ofCommand(before.strip(), word);
        }
        if (word.startsWith("'")) {
            return files(word.substring(1), "'");
        }
        Set<String> found = new LinkedHashSet<>();
        if (BEHIND_FROM.matcher(before).matches()) {
            console.tables().keySet().forEach(table -> found.add(identifier(table)));
            found.addAll(files("", "'"));
            return found;
        }
        int dot = word.lastIndexOf('.');
        if (dot > 0) {
            Dataset table = console.tables().get(word.substring(0, dot).replace("\"", ""));
            if (table != null) {
                table.columns().forEach(column -> found.add(word.substring(0, dot + 1) + identifier(column)));
            }
            return found;
        }
        columns(line).forEach(column -> found.add(identifier(column)));
        console.tables().keySet().forEach(table -> found.add(identifier(table)));
        boolean lower = !word.isEmpty() && word.equals(word.toLowerCase(Locale.ROOT));
        WORDS.forEach(keyword -> found.add(lower ? keyword.toLowerCase(Locale.ROOT) : keyword));
        return found;
    }

    private Set<String> ofCommand(String before, String word) {
        return switch (before) {
            case "" -> new TreeSet<>(SqlConsole.COMMANDS);
            case "\\format" -> new TreeSet<>(RowPrinter.FORMATS);
            case "\\d" -> {
                Set<String> names = new LinkedHashSet<>(console.tables().keySet());
                names.addAll(files(word, ""));
                yield names;
            }
            case "\\i", "\\o" -> files(word, "");
            default -> before.startsWith("\\table") ? files(word, "") : Set.of();
        };
    }

    /// Those of the tables in the statement.
    private Set<String> columns(String line) {
        Set<String> columns = new LinkedHashSet<>();
        console.tables().forEach((name, table) -> {
            if (Pattern.compile("(?i)\\b" + Pattern.quote(name) + "\\b")
                    .matcher(line)
                    .find()) {
                columns.addAll(table.columns());
            }
        });
        Matcher files = QUOTED_TABLE.matcher(line);
        while (files.find()) {
            columns.addAll(columnsOfFiles.computeIfAbsent(files.group(1), this::columnsOf));
        }
        if (columns.isEmpty()) {
            console.tables().values().forEach(table -> columns.addAll(table.columns()));
        }
        return columns;
    }

    private List<String> columnsOf(String path) {
        try {
            return console.session().readTable(path).columns();
        } catch (MillraceException _) {
            return List.of();
        }
    }

    /// Table files and folders that begin like this.
    private static Set<String> files(String begun, String quote) {
        Set<String> found = new TreeSet<>();
        if (begun.contains("://")) {
            return found;
        }
        int slash = begun.lastIndexOf('/');
        String folder = begun.substring(0, slash + 1);
        try (Stream<Path> files = Files.list(Path.of(folder.isEmpty() ? "." : folder))) {
            files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .limit(MOST_FILES)
                    .forEach(file -> {
                        String name = folder + file.getFileName();
                        if (Files.isDirectory(file)) {
                            found.add(quote + name + "/");
                        } else if (quote.isEmpty() || FileEndings.format(name) != null) {
                            found.add(quote + name + quote);
                        }
                    });
        } catch (IOException | RuntimeException _) {
            // There is nothing to complete in a folder that cannot be listed.
        }
        return found;
    }

    private static String identifier(String name) {
        return name.matches("[A-Za-z_][A-Za-z0-9_]*") ? name : "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
