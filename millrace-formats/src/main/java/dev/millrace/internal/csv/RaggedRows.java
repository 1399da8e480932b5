package dev.millrace.internal.csv;

/// Reports records that do not fit the columns, or skips them.
final class RaggedRows implements RowRecords.Ragged {
    private final CsvFormat format;
    private final int columns;
    private final InputWindow window;
    private final CsvErrors errors;
    private final BrokenRecords broken;

    RaggedRows(CsvFormat format, int columns, InputWindow window, CsvErrors errors, BrokenRecords broken) {
        this.format = format;
        this.columns = columns;
        this.window = window;
        this.errors = errors;
        this.broken = broken;
    }

    @Override
    public void found(int start, int end, int fields) {
        if (fields == columns) {
            broken.found(
                    window.position + start,
                    CsvReader.tooLong("The record", format.options().maxRecordBytes()));
        } else if (!format.options().skipsRaggedRows()) {
            broken.found(
                    window.position + start,
                    "there are " + fields + (fields == 1 ? " field" : " fields") + " and the file has " + columns
                            + (columns == 1 ? " column: " : " columns: ") + errors.shown(window.bytes, start, end)
                            + ". Correct the line, or leave such lines out by ReadCsv.skipRaggedRows().");
        }
    }
}
