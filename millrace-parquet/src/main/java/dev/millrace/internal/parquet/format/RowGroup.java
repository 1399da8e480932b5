package dev.millrace.internal.parquet.format;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/// A row group: one chunk per leaf column, in the order of the schema.
public record RowGroup(List<ColumnChunk> columns, long bytes, long rows) implements Serializable {
    static RowGroup read(ThriftReader in) {
        List<ColumnChunk> columns = List.of();
        long bytes = 0;
        long rows = -1;
        in.beginStruct();
        while (in.nextField()) {
            switch (in.fieldId()) {
                case 1 -> columns = in.structs(ColumnChunk::read);
                case 2 -> bytes = in.i64();
                case 3 -> rows = in.i64();
                default -> in.skip();
            }
        }
        if (rows < 0) {
            throw new MalformedParquet("a row group has " + rows + " rows");
        }
        return new RowGroup(columns, bytes, rows);
    }

    /// The same row group; leaf columns whose order of bounds is unknown lose their bounds.
    RowGroup ordered(boolean[] known) {
        List<ColumnChunk> chunks = new ArrayList<>(columns);
        for (int i = 0; i < Math.min(known.length, chunks.size()); i++) {
            if (!known[i]) {
                chunks.set(i, chunks.get(i).withoutBounds());
            }
        }
        return new RowGroup(chunks, bytes, rows);
    }

    public long compressedBytes() {
        long sum = 0;
        for (ColumnChunk column : columns) {
            sum += column.compressedBytes();
        }
        return sum;
    }
}
