package dev.millrace.internal.sink;

import dev.millrace.arrow.IpcWriter;
import dev.millrace.block.Block;
import dev.millrace.compression.IpcCompression;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.FileFormat;
import dev.millrace.type.Schema;
import java.nio.channels.WritableByteChannel;
import java.util.List;

/// Arrow's IPC file format: one record batch per chunk.
public record ArrowFormat(IpcCompression compression) implements FileFormat {
    @Override
    public String name() {
        return "Arrow";
    }

    @Override
    public String extension() {
        return "arrow";
    }

    @Override
    public List<String> endings() {
        return List.of(".arrow", ".arrows", ".feather", ".ipc");
    }

    @Override
    public Writer open(WritableByteChannel out, Schema schema, Allocator allocator) {
        IpcWriter writer = IpcWriter.file(out, schema, compression, allocator);
        return new Writer() {
            @Override
            public void write(Block block) {
                writer.write(block);
            }

            @Override
            public void close() {
                writer.close();
            }
        };
    }
}
