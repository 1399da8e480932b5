package dev.millrace.internal.csv;

import dev.millrace.block.Block;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.WriteCsv;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.io.OutputStream;

/// One CSV file being written, row by row.
final class CsvWriter implements FileFormat.Writer {
    private static final int FLUSH_ABOVE = 1 << 16;

    private final OutputStream out;
    private final WriteCsv options;
    private final TextBuffer text;

    CsvWriter(OutputStream out, Schema schema, WriteCsv options) throws IOException {
        this.out = out;
        this.options = options;
        this.text = new TextBuffer(options);
        if (options.header()) {
            for (int i = 0; i < schema.size(); i++) {
                Field field = schema.field(i);
                separate(i);
                text.appendText(field.name(), schema.size() == 1);
            }
            text.plain().append((byte) '\n');
        }
    }

    @Override
    public void write(Block block) throws IOException {
        int columns = block.schema().size();
        FieldWriter[] writers = new FieldWriter[columns];
        for (int i = 0; i < columns; i++) {
            writers[i] = FieldWriter.of(block.column(i));
        }
        byte[] nullText = TextBuffer.utf8(options.nullText());
        for (long row = 0; row < block.rows(); row++) {
            for (int i = 0; i < columns; i++) {
                separate(i);
                if (!writers[i].isNull(row)) {
                    writers[i].write(row, text);
                } else if (columns == 1 && nullText.length == 0) {
                    // An empty line would not be read as a row.
                    text.plain().append((byte) '"');
                    text.plain().append((byte) '"');
                } else {
                    text.plain().append(nullText);
                }
            }
            text.plain().append((byte) '\n');
            if (text.plain().size() > FLUSH_ABOVE) {
                text.writeTo(out);
            }
        }
    }

    private void separate(int column) {
        if (column > 0) {
            text.plain().append((byte) options.delimiter());
        }
    }

    @Override
    public void close() throws IOException {
        try (out) {
            text.writeTo(out);
        }
    }
}
