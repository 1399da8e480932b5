package dev.millrace.internal.csv;

import dev.millrace.error.MillraceException;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.type.DataType;
import java.io.IOException;

/// The beginning of a file, used for schema inference.
final class CsvSample {
    private final CsvFormat format;
    private final FileRange range;
    private final CsvPreamble preamble;
    private final ReadContext context;

    CsvSample(CsvFormat format, FileRange range, CsvPreamble preamble, ReadContext context) {
        this.format = format;
        this.range = range;
        this.preamble = preamble;
        this.context = context;
    }

    DataType[] types() throws IOException {
        int most = format.options().maxRecordBytes();
        int columns = preamble.names().size();
        try (InputWindow window =
                new InputWindow(FilePeek.at(range, 0), 0, format.options().sampleBytes(), context.allocator())) {
            window.skipTo(preamble.end());
            window.fill();
            RecordScanner scanner = new RecordScanner(format.dialect());
            scanner.scan(window.bytes, window.size, window.last);
            while (scanner.count == 0 && !window.last && window.size < most) {
                window.grow(most);
                window.fill();
                scanner.scan(window.bytes, window.size, window.last);
            }
            RowRecords rows = new RowRecords(format.dialect(), columns, most);
            // Records that do not fit are ignored here; the reader reports them.
            rows.take(window.bytes, scanner, Long.MAX_VALUE, (_, _, _) -> {});
            CsvTypeInference guess = new CsvTypeInference(format.options());
            ColumnFields fields = new ColumnFields(
                    format.dialect(),
                    format.options().charset(),
                    format.options().keepsQuoted());
            DataType[] types = new DataType[columns];
            for (int column = 0; column < columns; column++) {
                fields.of(window.bytes, window.spare(), rows, column, scanner);
                types[column] = guess.of(fields);
                String name = preamble.names().get(column);
                if (types[column].equals(DataType.FLOAT64)
                        && !format.options().types().containsKey(name)) {
                    requireInt64(fields, guess.rowBeyondInt64(fields), name);
                }
            }
            return types;
        }
    }

    /// Integers beyond int64 are not inferred as floats, which would lose digits: the user must choose a type.
    private void requireInt64(ColumnFields fields, int beyond, String name) {
        if (beyond >= 0) {
            throw MillraceException.data("'" + range.path() + "': the column '" + name + "' has integers, of which "
                    + fields.text(beyond).strip() + " is beyond int64. Name its type: ReadCsv.column(\"" + name
                    + "\", DataType.UTF8), DataType.UINT64, DataType.decimal(38, 0) or DataType.FLOAT64.");
        }
    }
}
