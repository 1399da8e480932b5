package dev.millrace.internal.csv;

import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;

/// Refuses, or leaves out, records that do not fit the columns.
final class RaggedRows implements Rows.Ragged {
    private final CsvFormat format;
    private final int columns;
    private final FileRange range;
    private final ReadContext context;
    private final Window window;

    RaggedRows(CsvFormat format, int columns, FileRange range, ReadContext context, Window window) {
        this.format = format;
        this.columns = columns;
        this.range = range;
        this.context = context;
        this.window = window;
    }

    @Override
    public void found(int start, int end, int fields) {
        CsvErrors errors =
                new CsvErrors(range, context.allocator(), format.options().charset());
        if (fields == columns) {
            throw errors.at(
                    window.position + start,
                    CsvReader.tooLong("The record", format.options().maxRecordBytes()));
        }
        if (!format.options().skipsRaggedRows()) {
            throw errors.at(
                    window.position + start,
                    "there are " + fields + (fields == 1 ? " field" : " fields") + " and the file has " + columns
                            + (columns == 1 ? " column: " : " columns: ") + errors.shown(window.bytes, start, end)
                            + ". Correct the line, or leave such lines out by ReadCsv.skipRaggedRows().");
        }
    }
}
