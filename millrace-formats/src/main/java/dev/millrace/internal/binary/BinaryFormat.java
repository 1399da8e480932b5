package dev.millrace.internal.binary;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.block.Block;
import dev.millrace.column.BinaryColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads files of any kind, one row per file, into the column `bytes`.
public record BinaryFormat() implements ReadFormat {
    private static final Schema SCHEMA = Schema.of("bytes", DataType.BINARY);

    @Override
    public String name() {
        return "Binary";
    }

    @Override
    public String verb() {
        return "readBinaryFiles";
    }

    /// The empty suffix matches every file.
    @Override
    public List<String> endings() {
        return List.of("");
    }

    /// The bytes are those of the file, not decompressed.
    @Override
    public boolean unpacks() {
        return false;
    }

    @Override
    public Schema schema(FileRange first, ReadContext context) {
        return SCHEMA;
    }

    @Override
    public double expansion() {
        return 1;
    }

    @Override
    public SplitReader open(FileRange range, WantedColumns wanted, ReadContext context) {
        return new SplitReader() {
            private boolean done;

            @Override
            public @Nullable Block next() throws IOException {
                if (done) {
                    return null;
                }
                done = true;
                return wanted.contains("bytes")
                        ? row(range, context.allocator())
                        : Block.of(Schema.empty(), List.of(), 1);
            }
        };
    }

    /// The column is backed by the buffer that the file was read into.
    private static Block row(FileRange range, Allocator allocator) throws IOException {
        Buffer data = range.readAll(allocator, 0);
        Buffer offsets;
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(data);
            offsets = allocator.allocate(2 * Long.BYTES);
            scope.keep();
        }
        boolean wide = data.size() > Integer.MAX_VALUE;
        if (wide) {
            offsets.segment().setAtIndex(JAVA_LONG, 0, 0);
            offsets.segment().setAtIndex(JAVA_LONG, 1, data.size());
        } else {
            offsets.segment().setAtIndex(JAVA_INT, 0, 0);
            offsets.segment().setAtIndex(JAVA_INT, 1, (int) data.size());
        }
        BinaryColumn column = new BinaryColumn(1, offsets, wide ? Long.BYTES : Integer.BYTES, data, null, 0, 0);
        return Block.of(SCHEMA, List.of(column), 1);
    }
}
