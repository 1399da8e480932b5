package dev.millrace.cli;

import dev.millrace.batch.Row;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows as a table for a terminal: names, types, a line, the rows.
///
/// @param isCut whether there are more rows
record ResultTable(String text, boolean isCut) {
    private static final int WIDEST = 40;

    /// @param rows one more than `most` if there are more
    static ResultTable of(Schema schema, List<Row> rows, int most) {
        List<Row> shown = rows.subList(0, Math.min(most, rows.size()));
        List<List<String>> columns = new ArrayList<>();
        for (int i = 0; i < schema.fields().size(); i++) {
            columns.add(column(schema.field(i), i, shown));
        }
        StringBuilder text = new StringBuilder();
        for (int line = 0; line < shown.size() + 3; line++) {
            int at = line;
            text.append(String.join(
                                    "  ",
                                    columns.stream().map(cells -> cells.get(at)).toList())
                            .stripTrailing())
                    .append('\n');
        }
        if (rows.isEmpty()) {
            text.append("(no rows)\n");
        }
        return new ResultTable(text.toString(), rows.size() > most);
    }

    /// Cells of equal width, numbers right-aligned.
    private static List<String> column(Field field, int position, List<Row> rows) {
        List<String> cells = new ArrayList<>(List.of(field.name(), field.type().toString(), ""));
        rows.forEach(row -> cells.add(cell(row.value(position))));
        int width = cells.stream().mapToInt(String::length).max().orElse(0);
        cells.set(2, "-".repeat(width));
        boolean right = field.type().isNumeric() || field.type() instanceof DataType.Decimal;
        cells.replaceAll(cell -> {
            String blanks = " ".repeat(width - cell.length());
            return right ? blanks + cell : cell + blanks;
        });
        return cells;
    }

    private static String cell(@Nullable Object value) {
        String text = switch (value) {
            case null -> "null";
            case byte[] bytes -> bytes.length + " bytes";
            default -> String.valueOf(value);
        };
        String line = text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
        return line.length() <= WIDEST ? line : line.substring(0, WIDEST - 3) + "...";
    }
}
