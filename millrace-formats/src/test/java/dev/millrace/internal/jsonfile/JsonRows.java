package dev.millrace.internal.jsonfile;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadJson;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a file reads as, in Java values.
final class JsonRows {
    private JsonRows() {}

    /// @param columns to read; null: all
    static List<List<Object>> read(MemoryRange range, ReadJson options, ReadContext context, String... columns) {
        try {
            JsonFormat format = new JsonFormat(options);
            Schema all = format.settle(format.schema(MemoryRange.whole(range.content()), context));
            List<Field> fields = columns == null
                    ? all.fields()
                    : Arrays.stream(columns)
                            .filter(all::contains)
                            .map(name -> all.field(all.indexOf(name)))
                            .toList();
            List<List<Object>> rows = new ArrayList<>();
            WantedColumns wanted = new WantedColumns(Schema.of(fields), all, false);
            try (SplitReader reader = format.open(range, wanted, context)) {
                for (Block next = reader.next(); next != null; next = reader.next()) {
                    try (Block block = next) {
                        for (long i = 0; i < block.rows(); i++) {
                            List<Object> row = new ArrayList<>();
                            for (Column column : block.columns()) {
                                row.add(column.value(i));
                            }
                            rows.add(row);
                        }
                    }
                }
            }
            return rows;
        } catch (MillraceException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
