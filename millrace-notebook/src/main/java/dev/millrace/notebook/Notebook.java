package dev.millrace.notebook;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.notebook.HtmlTables;
import dev.millrace.internal.stats.StatsText;
import dev.millrace.stats.RunStats;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Looking at datasets, schemas and stats. In Jupyter with the kernel JJava they show as HTML by themselves, and
/// `%%sql` runs a query; in jshell `show(...)` prints tables:
///
/// ```
/// jshell --class-path ... --startup DEFAULT --startup millrace.jsh
/// ```
///
/// Thread-safe.
public final class Notebook {
    private static final int ROWS = 10;
    private static final Map<String, Dataset> TABLES = new LinkedHashMap<>();
    private static volatile int rows = ROWS;
    private static @Nullable Session session;

    private Notebook() {}

    /// How many rows of a dataset are shown, 10 at first. Showing rows runs the dataset as far as these need it; with 0
    /// only its schema is shown and nothing runs.
    public static void rows(int count) {
        if (count < 0) {
            throw MillraceException.user("A notebook shows 0 or more rows, not " + count + ".");
        }
        rows = count;
    }

    /// The session of `%%sql` and [#sql].
    public static synchronized void use(Session other) {
        session = other;
        TABLES.clear();
    }

    /// Gives a dataset a name in queries.
    public static synchronized void table(String name, Dataset dataset) {
        TABLES.put(name, dataset);
    }

    /// A query over the tables, and over files in quotes.
    public static synchronized Dataset sql(String query) {
        if (session == null) {
            throw MillraceException.user("Say once which session queries run in: Notebook.use(session).");
        }
        return session.sql(query.strip(), Map.copyOf(TABLES));
    }

    /// A dataset, schema, plan or run as HTML; anything else as text.
    public static String html(Object value) {
        return switch (value) {
            case Dataset dataset -> HtmlTables.dataset(dataset, rows);
            case Schema schema -> HtmlTables.schema(schema);
            case RunStats run -> HtmlTables.run(run);
            default -> HtmlTables.text(String.valueOf(value));
        };
    }

    /// The plans of a dataset as HTML.
    public static String plan(Dataset dataset) {
        return HtmlTables.text(dataset.explain());
    }

    /// The same as text, for terminals.
    public static String text(Object value) {
        return switch (value) {
            case Dataset dataset -> rows == 0 ? columns(dataset.schema()) : dataset.showString(rows);
            case Schema schema -> columns(schema);
            case RunStats run -> StatsText.format(run);
            default -> String.valueOf(value);
        };
    }

    /// Prints what [#text] says.
    public static void show(Object value) {
        System.out.println(text(value));
    }

    private static String columns(Schema schema) {
        int width = Math.max(
                6,
                schema.fields().stream()
                        .mapToInt(field -> field.name().length())
                        .max()
                        .orElse(0));
        StringBuilder text = new StringBuilder("column")
                .append(" ".repeat(width - 4))
                .append("type\n")
                .append("-".repeat(width))
                .append("  ----");
        for (Field field : schema.fields()) {
            text.append('\n')
                    .append(field.name())
                    .append(" ".repeat(width + 2 - field.name().length()))
                    .append(field.type());
        }
        return text.toString();
    }
}
