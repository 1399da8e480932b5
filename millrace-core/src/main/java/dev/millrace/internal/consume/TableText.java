package dev.millrace.internal.consume;

import dev.millrace.batch.Row;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Rows as an aligned table: names, a line, one row per line. Numbers are right-aligned; long values are truncated.
public final class TableText {
    private static final int WIDEST = 40;

    private TableText() {}

    public static String of(DatasetExecution execution, Optional<Schema> schema) {
        return of(RowCollector.rows(execution), schema);
    }

    static String of(List<Row> rows, Optional<Schema> schema) {
        Set<String> names = new LinkedHashSet<>(schema.map(Schema::names).orElse(List.of()));
        rows.forEach(row -> names.addAll(row.columns()));
        List<List<String>> columns = new ArrayList<>();
        for (String name : names) {
            columns.add(column(name, rows));
        }
        StringBuilder text = new StringBuilder();
        for (int line = 0; line < rows.size() + 2; line++) {
            int at = line;
            List<String> cells = columns.stream().map(column -> column.get(at)).toList();
            text.append(String.join("  ", cells).stripTrailing()).append('\n');
        }
        if (rows.isEmpty()) {
            text.append("(no rows)\n");
        }
        return text.substring(0, text.length() - 1);
    }

    /// The name, a line, and each value, all of the same width.
    private static List<String> column(String name, List<Row> rows) {
        List<Object> values =
                rows.stream().map(row -> row.has(name) ? row.get(name) : null).toList();
        boolean right = values.stream().anyMatch(Number.class::isInstance)
                && values.stream().allMatch(value -> value == null || value instanceof Number);
        List<String> cells = new ArrayList<>(List.of(name, ""));
        values.forEach(value -> cells.add(cell(value)));
        int width = cells.stream().mapToInt(String::length).max().orElse(0);
        cells.set(1, "-".repeat(width));
        cells.replaceAll(
                cell -> right ? " ".repeat(width - cell.length()) + cell : cell + " ".repeat(width - cell.length()));
        return cells;
    }

    private static String cell(Object value) {
        String text = switch (value) {
            case null -> "null";
            case byte[] bytes -> bytes.length + " bytes";
            case Map<?, ?> map -> map.toString();
            default -> String.valueOf(value);
        };
        String line = text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
        return line.length() <= WIDEST ? line : line.substring(0, WIDEST - 3) + "...";
    }
}
