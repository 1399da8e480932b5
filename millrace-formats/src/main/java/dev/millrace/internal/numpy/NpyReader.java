package dev.millrace.internal.numpy;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.internal.binary.FeedReader;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Buffer;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.SplitReader;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the rows of an `.npy` file whose first byte is in the range. An array in Fortran order is read as a whole,
/// with the first range of the file.
final class NpyReader implements SplitReader {
    private static final long EMPTY_ROWS = 1 << 12;
    /// The maximum that is allocated on the claim of a header alone.
    private static final long UNCONFIRMED = 16 << 20;

    private final ReadContext context;
    private final FeedReader in;
    private final NpyHeader header;
    private final NpyColumns columns;
    private final boolean wanted;
    private long row;
    private final long end;

    NpyReader(FileRange range, boolean wanted, ReadContext context) throws IOException {
        this.context = context;
        this.wanted = wanted;
        this.in = FeedReader.of(range, context.allocator());
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(in);
            this.header = NpyHeader.read(in);
            this.columns = new NpyColumns(header, range.path());
            boolean first = range.from() == 0;
            boolean whole = !header.isByRows() || header.rowBytes() == 0;
            this.row = first ? 0 : whole ? header.rows() : rowFrom(range.from());
            this.end = whole || range.to() == Long.MAX_VALUE ? header.rows() : rowFrom(range.to());
            if (wanted && row > 0 && row < end) {
                in.skip(row * header.rowBytes(), "the array");
            }
            scope.keep();
        }
    }

    /// The first row that begins at or after `position`.
    private long rowFrom(long position) {
        long bytes = Math.max(0, position - header.dataStart());
        return Math.min(header.rows(), (bytes + header.rowBytes() - 1) / header.rowBytes());
    }

    @Override
    public @Nullable Block next() throws IOException {
        if (row >= end) {
            return null;
        }
        long rowBytes = header.rowBytes();
        long rows = Math.min(
                end - row, wanted ? rowBytes == 0 ? EMPTY_ROWS : Math.max(1, context.chunkBytes() / rowBytes) : end);
        Block block = wanted ? read(rows) : Block.of(Schema.empty(), List.of(), rows);
        row += rows;
        return block;
    }

    private Block read(long rows) throws IOException {
        String what = "row " + row + " of an array of " + header.rows();
        long bytes = rows * header.rowBytes();
        Column column;
        if (header.isByRows()) {
            if (bytes > UNCONFIRMED && in.size() == Long.MAX_VALUE) {
                in.require(bytes, what);
            }
            Buffer raw;
            try (ResourceScope scope = new ResourceScope()) {
                raw = scope.add(context.allocator().allocate(bytes));
                in.read(raw.segment(), what);
                scope.keep();
            }
            column = columns.take(context.allocator(), raw, rows);
        } else {
            long all = header.rows() * header.rowBytes();
            in.require(all, what);
            column = columns.copy(context.allocator(), in.window().asSlice(in.at(), all), row, rows);
        }
        return Block.of(Schema.of(NumpyFormat.COLUMN, columns.valueType()), List.of(column), rows);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
