package dev.millrace.internal.notebook;

import dev.millrace.Dataset;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.internal.stats.HumanUnits;
import dev.millrace.stats.Hint;
import dev.millrace.stats.OperatorStats;
import dev.millrace.stats.RunStats;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Values as HTML that notebooks show: plain tables that take the notebook's own style. Texts of the data are escaped,
/// and cut where they are long.
public final class HtmlTables {
    private static final int MAX_TEXT = 300;

    private HtmlTables() {}

    /// Its first rows under its columns and their types.
    ///
    /// @param rows 0: nothing runs
    public static String dataset(Dataset dataset, int rows) {
        if (rows == 0) {
            return schema(dataset.schema());
        }
        List<Row> first = dataset.take(rows);
        Schema schema = dataset.schema();
        StringBuilder html = new StringBuilder("<table><thead><tr>");
        for (Field field : schema.fields()) {
            html.append("<th>")
                    .append(escaped(field.name()))
                    .append("<br><small>")
                    .append(escaped(field.type().toString()))
                    .append("</small></th>");
        }
        html.append("</tr></thead><tbody>");
        for (Row row : first) {
            html.append("<tr>");
            for (Field field : schema.fields()) {
                html.append("<td>").append(value(row.get(field.name()))).append("</td>");
            }
            html.append("</tr>");
        }
        html.append("</tbody></table>");
        if (first.size() == rows) {
            html.append("<p><small>the first ").append(rows).append(" rows</small></p>");
        }
        return html.toString();
    }

    public static String schema(Schema schema) {
        StringBuilder html = new StringBuilder("<table><thead><tr><th>column</th><th>type</th></tr></thead><tbody>");
        for (Field field : schema.fields()) {
            cells(html, "", field.name(), field.type().toString());
        }
        return html.append("</tbody></table>").toString();
    }

    /// A line for each operator, and the hints.
    public static String run(RunStats run) {
        StringBuilder html = new StringBuilder("<p><b>")
                .append(escaped(run.name()))
                .append("</b>: ")
                .append(escaped(run.state().toString()))
                .append(" in ")
                .append(HumanUnits.time(run.elapsedNanos()))
                .append(", ")
                .append(HumanUnits.count(run.outputRows()))
                .append(" rows, peak memory ")
                .append(HumanUnits.bytes(run.peakMemoryBytes()))
                .append("</p><table><thead><tr><th>operator</th><th>tasks</th><th>rows in</th><th>rows out</th>")
                .append(
                        "<th>task time</th><th>CPU time</th><th>held back</th><th>peak memory</th></tr></thead><tbody>");
        for (OperatorStats each : run.operators()) {
            cells(
                    html,
                    " style=\"text-align:right\"",
                    each.title(),
                    HumanUnits.count(each.tasksFinished()),
                    HumanUnits.count(each.inputRows()),
                    HumanUnits.count(each.outputRows()),
                    HumanUnits.time(each.wall().total()),
                    HumanUnits.time(each.cpu().total()),
                    HumanUnits.time(each.heldNanos().values().stream()
                            .mapToLong(Long::longValue)
                            .sum()),
                    HumanUnits.bytes(each.peakBytes()));
        }
        html.append("</tbody></table>");
        for (Hint hint : run.hints()) {
            html.append("<p><b>hint:</b> ").append(escaped(hint.sentence())).append("</p>");
        }
        return html.toString();
    }

    /// Any text, as it is.
    public static String text(String text) {
        return "<pre>" + escaped(text) + "</pre>";
    }

    private static void cells(StringBuilder html, String style, String first, String... others) {
        html.append("<tr><td style=\"text-align:left\">").append(escaped(first)).append("</td>");
        for (String each : others) {
            html.append("<td").append(style).append('>').append(escaped(each)).append("</td>");
        }
        html.append("</tr>");
    }

    private static String value(@Nullable Object value) {
        return switch (value) {
            case null -> "<i>null</i>";
            case Tensor tensor ->
                Objects.requireNonNullElseGet(Thumbnails.html(tensor), () -> escaped(cut(tensor.toString())));
            case byte[] bytes -> HumanUnits.bytes((long) bytes.length);
            case float[] array -> escaped(cut(Arrays.toString(array)));
            case double[] array -> escaped(cut(Arrays.toString(array)));
            case long[] array -> escaped(cut(Arrays.toString(array)));
            case Object other -> escaped(cut(other.toString()));
        };
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "\u2026";
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
