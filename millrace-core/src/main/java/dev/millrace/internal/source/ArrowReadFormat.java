package dev.millrace.internal.source;

import dev.millrace.arrow.IpcFile;
import dev.millrace.arrow.IpcReader;
import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.storage.ByteFeed;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Arrow IPC files. A file in the file format is split between its record batches; one in the stream format is read by
/// the part that contains its beginning. A compressed file in the file format is decompressed as a whole.
public record ArrowReadFormat() implements ReadFormat {
    /// A file may claim rows without values at no cost to itself.
    private static final long MAX_EMPTY_ROWS = 1 << 24;

    private static final byte[] FILE_MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);

    @Override
    public String name() {
        return "Arrow";
    }

    @Override
    public String verb() {
        return "readArrow";
    }

    @Override
    public List<String> endings() {
        return List.of(".arrow", ".arrows", ".feather", ".ipc");
    }

    @Override
    public boolean isSplittable() {
        return true;
    }

    @Override
    public double expansion() {
        return 1;
    }

    @Override
    public Schema schema(FileRange first, ReadContext context) throws IOException {
        if (isFileFormat(first, context.allocator())) {
            try (IpcFile arrow = open(first, context.allocator())) {
                return arrow.schema();
            }
        }
        try (IpcReader arrow = IpcReader.of(first.path(), first.bytes(0), context.allocator())) {
            return arrow.schema();
        }
    }

    @Override
    public OptionalLong rows(FileRange whole, ReadContext context) throws IOException {
        if (whole.isCompressed() || !isFileFormat(whole, context.allocator())) {
            return OptionalLong.empty();
        }
        try (IpcFile arrow = open(whole, context.allocator())) {
            return OptionalLong.of(
                    IntStream.range(0, arrow.batches()).mapToLong(arrow::rows).sum());
        }
    }

    @Override
    public SplitReader open(FileRange range, WantedColumns wanted, ReadContext context) throws IOException {
        if (isFileFormat(range, context.allocator())) {
            return new Batches(this, range, wanted, context);
        }
        return range.from() == 0 ? new Stream(this, range, wanted, context) : () -> null;
    }

    private static boolean isFileFormat(FileRange range, Allocator allocator) throws IOException {
        Buffer start = allocator.allocate(FILE_MAGIC.length);
        try (ByteFeed feed = range.bytes(0)) {
            MemorySegment target = start.segment();
            for (long done = 0; done < target.byteSize(); ) {
                int count = feed.read(target.asSlice(done));
                if (count < 0) {
                    return false;
                }
                done += count;
            }
            return MemorySegment.ofArray(FILE_MAGIC).mismatch(target) < 0;
        } finally {
            start.release();
        }
    }

    /// @throws MillraceException culprit DATA, for a batch that claims very many rows and has no values at all
    private static void requireValues(FileRange range, Schema schema, long rows) {
        boolean isEmpty =
                schema.fields().stream().allMatch(field -> field.type().equals(DataType.NULL));
        if (isEmpty && rows > MAX_EMPTY_ROWS) {
            throw MillraceException.data("Arrow file " + range.path() + " is corrupt: a record batch claims to have "
                    + rows + " rows, and there are no values in it. At most " + MAX_EMPTY_ROWS
                    + " such rows are read.");
        }
    }

    private static IpcFile open(FileRange range, Allocator allocator) throws IOException {
        if (!range.isCompressed()) {
            return IpcFile.open(range.file(), allocator);
        }
        Buffer whole = range.readAll(allocator, 0);
        try {
            return IpcFile.of(range.path(), whole, allocator);
        } finally {
            whole.release();
        }
    }

    private static final class Batches extends ChunkedReader {
        private final FileRange range;
        private final IpcFile arrow;
        private final List<String> wanted;
        private int at;

        Batches(ArrowReadFormat format, FileRange range, WantedColumns columns, ReadContext context)
                throws IOException {
            super(context.chunkBytes());
            this.range = range;
            this.arrow = ArrowReadFormat.open(range, context.allocator());
            try (ResourceScope scope = new ResourceScope()) {
                scope.add(arrow);
                columns.requireKnown(arrow.schema().names(), range, format);
                scope.keep();
            }
            this.wanted = columns.wanted().names().stream()
                    .filter(arrow.schema()::contains)
                    .toList();
        }

        @Override
        @Nullable
        Block nextBlock() {
            while (at < arrow.batches()) {
                int batch = at++;
                long offset = arrow.offset(batch);
                // A batch that a damaged footer places before the file belongs to its beginning, where it is detected
                // as an error.
                if ((offset >= range.from() || range.from() == 0) && offset < range.to()) {
                    requireValues(range, arrow.schema(), arrow.rows(batch));
                    return wanted.isEmpty()
                            ? Block.of(Schema.empty(), List.of(), arrow.rows(batch))
                            : arrow.read(batch, wanted);
                }
            }
            return null;
        }

        @Override
        void closeInput() {
            arrow.close();
        }
    }

    private static final class Stream extends ChunkedReader {
        private final FileRange range;
        private final IpcReader arrow;

        Stream(ArrowReadFormat format, FileRange range, WantedColumns columns, ReadContext context) throws IOException {
            super(context.chunkBytes());
            this.range = range;
            this.arrow = IpcReader.of(range.path(), range.bytes(0), context.allocator());
            try (ResourceScope scope = new ResourceScope()) {
                scope.add(arrow);
                columns.requireKnown(arrow.schema().names(), range, format);
                scope.keep();
            }
        }

        @Override
        @Nullable
        Block nextBlock() {
            Block block = arrow.next();
            if (block == null) {
                return null;
            }
            try (ResourceScope scope = new ResourceScope()) {
                scope.add(block);
                requireValues(range, block.schema(), block.rows());
                return scope.keep(block);
            }
        }

        @Override
        void closeInput() {
            arrow.close();
        }
    }
}
