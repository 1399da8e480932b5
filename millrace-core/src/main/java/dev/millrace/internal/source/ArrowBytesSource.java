package dev.millrace.internal.source;

import dev.millrace.arrow.IpcReader;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Arrow IPC data in memory of the program, in the stream or the file format, read as one split. It is copied when it
/// is read: blocks may outlive it.
public final class ArrowBytesSource implements Source {
    private static final long serialVersionUID = 1L;

    private final byte @Nullable [] bytes;
    private final transient @Nullable MemorySegment segment;
    private final Schema columns;

    private ArrowBytesSource(byte @Nullable [] bytes, @Nullable MemorySegment segment, Schema columns) {
        this.bytes = bytes;
        this.segment = segment;
        this.columns = columns;
    }

    public static ArrowBytesSource of(byte[] data) {
        return new ArrowBytesSource(data, null, schemaOf(MemorySegment.ofArray(data)));
    }

    public static ArrowBytesSource of(MemorySegment data) {
        return new ArrowBytesSource(null, data, schemaOf(data));
    }

    private static Schema schemaOf(MemorySegment data) {
        try (IpcReader reader = open(data, Allocator.collected("the schema of Arrow data"))) {
            return reader.schema();
        }
    }

    private static IpcReader open(MemorySegment data, Allocator allocator) {
        Buffer copy = allocator.allocate(data.byteSize());
        try {
            copy.segment().copyFrom(data);
            return IpcReader.of(copy, allocator);
        } finally {
            copy.release();
        }
    }

    /// Whether the data is an array of its own, and not memory that others gave.
    public boolean isOnHeap() {
        return bytes != null;
    }

    private MemorySegment data() {
        return bytes == null
                ? Objects.requireNonNull(segment, "the data is an array or a segment")
                : MemorySegment.ofArray(bytes);
    }

    @Override
    public String name() {
        return "ArrowBytes";
    }

    @Override
    public Optional<Schema> schema() {
        return Optional.of(columns);
    }

    @Override
    public OptionalLong sizeBytes() {
        return OptionalLong.of(data().byteSize());
    }

    @Override
    public Optional<Source> project(List<String> names) {
        Schema wanted = Schema.of(names.stream()
                .map(name -> columns.field(columns.require(name, "fromArrow")))
                .toList());
        return Optional.of(new ArrowBytesSource(bytes, segment, wanted));
    }

    @Override
    public boolean isLocal() {
        return bytes == null;
    }

    @Override
    public Iterator<Split> splits(SplitRequest request) {
        return List.<Split>of(new BytesSplit(this)).iterator();
    }

    private record BytesSplit(ArrowBytesSource source) implements Split {
        @Override
        public String description() {
            return "Arrow data in memory";
        }

        @Override
        public SplitReader open(ReadContext context) {
            IpcReader reader = ArrowBytesSource.open(source.data(), context.allocator());
            return new ChunkedReader(context.chunkBytes()) {
                @Override
                @Nullable
                Block nextBlock() {
                    try (Block block = reader.next()) {
                        return block == null ? null : Blocks.widen(context.allocator(), block, source.columns);
                    }
                }

                @Override
                void closeInput() {
                    reader.close();
                }
            };
        }
    }
}
