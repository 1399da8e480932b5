package dev.millrace.internal.csv;

import dev.millrace.block.Block;
import dev.millrace.memory.Allocator;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadCsv;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.testing.BytesRange;
import dev.millrace.type.Schema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Reads CSV from memory as lists of Java values, and ends at zero bytes held.
final class CsvText {
    private CsvText() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Schema schema(String text, ReadCsv options) throws Exception {
        try (Allocator memory = Allocator.root("test", 1L << 30)) {
            CsvFormat format = new CsvFormat(options);
            return format.settle(
                    format.schema(BytesRange.whole("test.csv", bytes(text)), new ReadContext(memory, 1 << 20)));
        }
    }

    static List<List<Object>> rows(String text, ReadCsv options) throws Exception {
        return rows(bytes(text), options, 1 << 20);
    }

    static List<List<Object>> rows(byte[] file, ReadCsv options, int chunk) throws Exception {
        try (Allocator memory = Allocator.root("test", 1L << 30)) {
            CsvFormat format = new CsvFormat(options);
            ReadContext context = new ReadContext(memory, chunk);
            return part(
                    BytesRange.whole("test.csv", file),
                    format.settle(format.schema(BytesRange.whole("test.csv", file), context)),
                    format,
                    context);
        }
    }

    static List<List<Object>> part(BytesRange range, Schema schema, CsvFormat format, ReadContext context)
            throws Exception {
        List<List<Object>> rows = new ArrayList<>();
        try (SplitReader reader = format.open(range, WantedColumns.all(schema), context)) {
            for (Block block = reader.next(); block != null; block = reader.next()) {
                try (Block closed = block) {
                    for (long row = 0; row < closed.rows(); row++) {
                        List<Object> values = new ArrayList<>();
                        for (int column = 0; column < closed.schema().size(); column++) {
                            values.add(closed.column(column).value(row));
                        }
                        rows.add(values);
                    }
                }
            }
        }
        return rows;
    }
}
