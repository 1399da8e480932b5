package dev.millrace.internal.tfrecord;

import dev.millrace.block.Block;
import dev.millrace.column.BinaryBuilder;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.SplitReader;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the records of a file as bytes.
final class RawReader implements SplitReader {
    private final TfRecordReader records;
    private final boolean wanted;
    private final ReadContext context;

    RawReader(FileRange range, boolean wanted, ReadContext context) throws IOException {
        this.records = new TfRecordReader(range, context.allocator());
        this.wanted = wanted;
        this.context = context;
    }

    @Override
    public @Nullable Block next() throws IOException {
        if (!records.next()) {
            return null;
        }
        try (BinaryBuilder bytes = new BinaryBuilder(context.allocator(), 0)) {
            long rows = 0;
            long size = 0;
            do {
                rows++;
                size += records.length();
                if (wanted) {
                    bytes.append(records.memory(), records.start(), records.length());
                }
            } while (size < context.chunkBytes() && records.next());
            return wanted
                    ? Block.of(Schema.of(TfRecordFormat.COLUMN, DataType.BINARY), List.of(bytes.build()), rows)
                    : Block.of(Schema.empty(), List.of(), rows);
        }
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
