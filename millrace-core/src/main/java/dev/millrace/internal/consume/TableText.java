package dev.millrace.internal.consume;

import dev.millrace.batch.Row;
import dev.millrace.internal.progress.TerminalStream;
import dev.millrace.internal.wording.DisplayWidth;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Rows as an aligned table: names, a line, one row per line. Numbers are right-aligned and never cut.
///
/// Where a table is too wide, the widest columns give way first, so that one long column among short ones gets all the
/// width that the others leave. Where there are more columns than fit, the rest of them follows below.
public final class TableText {
    /// The width where there is no terminal to ask.
    private static final int DEFAULT_WIDTH = 120;

    /// A column is not cut to less.
    private static final int MIN_COLUMN = 12;

    /// Where lines may be longer than the width, a column is not cut to less.
    private static final int MIN_FREE_COLUMN = 40;

    /// What a column takes at most when columns are distributed over tables.
    private static final int FAIR_COLUMN = 24;

    private static final String GAP = "  ";
    private static final String DOTS = "...";

    private TableText() {}

    /// @param width that lines should have
    /// @param folds whether columns that do not fit go below the others; lines are longer otherwise, so that each row
    ///     is one of them
    /// @param types whether the types stand below the names
    public record Layout(int width, boolean folds, boolean types) {
        /// For a stream: as wide as its terminal; one line per row if it is none.
        public static Layout of(TerminalStream stream) {
            return stream.isInteractive() ? new Layout(stream.width(), true, false) : free();
        }

        /// For a reader that is not known.
        public static Layout free() {
            return new Layout(DEFAULT_WIDTH, false, false);
        }

        public Layout withTypes() {
            return new Layout(width, folds, true);
        }
    }

    public static String of(DatasetExecution execution, Optional<Schema> schema, Layout layout) {
        return of(RowCollector.rows(execution), schema, layout);
    }

    /// Without a line break at the end.
    ///
    /// @param schema also of columns that no row has
    public static String of(List<Row> rows, Optional<Schema> schema, Layout layout) {
        List<TextColumn> columns = columns(rows, schema, layout.types);
        StringBuilder text = new StringBuilder();
        for (List<TextColumn> part : layout.folds ? folded(columns, layout.width) : List.of(columns)) {
            text.append(text.isEmpty() ? "" : "\n");
            append(text, part, layout);
        }
        if (rows.isEmpty()) {
            text.append("(no rows)\n");
        }
        return text.substring(0, text.length() - 1);
    }

    /// A line per column and row, and nothing is cut: what does not fit into a line goes on in the next.
    public static String vertical(List<Row> rows, int width) {
        StringBuilder text = new StringBuilder();
        for (int number = 0; number < rows.size(); number++) {
            Row row = rows.get(number);
            text.append("-- row ").append(number + 1).append(" --\n");
            int names = row.columns().stream().mapToInt(DisplayWidth::of).max().orElse(0);
            for (int i = 0; i < row.size(); i++) {
                String rest = CellText.of(row.value(i));
                String before = padded(row.name(i), names, false) + GAP;
                do {
                    String line = DisplayWidth.prefix(rest, Math.max(MIN_COLUMN, width - names - GAP.length()));
                    text.append(before).append(line).append('\n');
                    rest = rest.substring(line.length());
                    before = " ".repeat(names) + GAP;
                } while (!rest.isEmpty());
            }
        }
        return rows.isEmpty() ? "(no rows)" : text.substring(0, text.length() - 1);
    }

    /// A table of Markdown.
    public static String markdown(List<Row> rows, Schema schema) {
        StringBuilder text = new StringBuilder();
        List<TextColumn> columns = columns(rows, Optional.of(schema), false);
        if (columns.isEmpty()) {
            return "(no columns)";
        }
        markdown(text, columns.stream().map(column -> column.cells.getFirst()).toList());
        text.append('|');
        columns.forEach(column -> text.append(column.right ? " ---: |" : " --- |"));
        text.append('\n');
        for (int line = 2; line < rows.size() + 2; line++) {
            int at = line;
            markdown(text, columns.stream().map(column -> column.cells.get(at)).toList());
        }
        return text.substring(0, text.length() - 1);
    }

    private static void markdown(StringBuilder text, List<String> cells) {
        text.append('|');
        cells.forEach(cell -> text.append(' ')
                .append(cell.replace("\\", "\\\\").replace("|", "\\|"))
                .append(" |"));
        text.append('\n');
    }

    /// @param cells the name, the type if it is shown, an empty one for the line, and the values
    private record TextColumn(List<String> cells, int width, boolean right) {}

    private static List<TextColumn> columns(List<Row> rows, Optional<Schema> schema, boolean types) {
        Set<String> names = new LinkedHashSet<>(schema.map(Schema::names).orElse(List.of()));
        rows.forEach(row -> names.addAll(row.columns()));
        return names.stream().map(name -> column(name, rows, schema, types)).toList();
    }

    private static TextColumn column(String name, List<Row> rows, Optional<Schema> schema, boolean types) {
        List<String> cells = new ArrayList<>(List.of(CellText.of(name)));
        if (types) {
            cells.add(schema.flatMap(columns -> columns.fields().stream()
                            .filter(field -> field.name().equals(name))
                            .map(Field::type)
                            .map(Object::toString)
                            .findFirst())
                    .orElse(""));
        }
        cells.add("");
        boolean numbers = false;
        boolean others = false;
        for (Row row : rows) {
            Object value = row.has(name) ? row.get(name) : null;
            numbers |= value instanceof Number;
            others |= value != null && !(value instanceof Number);
            cells.add(CellText.of(value));
        }
        int width = cells.stream().mapToInt(DisplayWidth::of).max().orElse(0);
        return new TextColumn(cells, width, numbers && !others);
    }

    /// The columns in groups that can stand beside each other.
    private static List<List<TextColumn>> folded(List<TextColumn> columns, int width) {
        List<List<TextColumn>> parts = new ArrayList<>();
        if (columns.isEmpty() || widths(columns, width, MIN_COLUMN).sum() + gaps(columns) <= width) {
            return List.of(columns);
        }
        List<TextColumn> part = new ArrayList<>();
        int taken = 0;
        for (TextColumn column : columns) {
            int wanted = column.right ? column.width : Math.min(column.width, FAIR_COLUMN);
            if (!part.isEmpty() && taken + GAP.length() + wanted > width) {
                parts.add(part);
                part = new ArrayList<>();
                taken = 0;
            }
            taken += (part.isEmpty() ? 0 : GAP.length()) + wanted;
            part.add(column);
        }
        parts.add(part);
        return parts;
    }

    private static int gaps(List<TextColumn> columns) {
        return GAP.length() * (columns.size() - 1);
    }

    private static void append(StringBuilder text, List<TextColumn> columns, Layout layout) {
        int[] widths = widths(columns, layout.width, layout.folds ? MIN_COLUMN : MIN_FREE_COLUMN)
                .toArray();
        int lines = columns.isEmpty() ? 0 : columns.getFirst().cells.size();
        int rule = layout.types ? 2 : 1;
        for (int line = 0; line < lines; line++) {
            List<String> cells = new ArrayList<>();
            for (int i = 0; i < widths.length; i++) {
                TextColumn column = columns.get(i);
                cells.add(
                        line == rule
                                ? "-".repeat(widths[i])
                                : padded(cut(column.cells.get(line), widths[i]), widths[i], column.right));
            }
            text.append(String.join(GAP, cells).stripTrailing()).append('\n');
        }
    }

    /// The widths of columns beside each other: none is cut if they fit, else those that are wider than a limit are cut
    /// to it, the largest limit with which they fit.
    private static IntStream widths(List<TextColumn> columns, int width, int least) {
        int limit = columns.stream().mapToInt(TextColumn::width).max().orElse(0);
        int allowed = width - gaps(columns);
        while (limit > least && limited(columns, limit).sum() > allowed) {
            limit--;
        }
        return limited(columns, limit);
    }

    private static IntStream limited(List<TextColumn> columns, int limit) {
        return columns.stream().mapToInt(column -> column.right ? column.width : Math.min(column.width, limit));
    }

    private static String cut(String cell, int width) {
        return DisplayWidth.of(cell) <= width ? cell : DisplayWidth.prefix(cell, width - DOTS.length()) + DOTS;
    }

    private static String padded(String cell, int width, boolean right) {
        String blanks = " ".repeat(Math.max(0, width - DisplayWidth.of(cell)));
        return right ? blanks + cell : cell + blanks;
    }
}
