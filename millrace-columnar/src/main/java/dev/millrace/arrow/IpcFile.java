package dev.millrace.arrow;

import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.arrow.FileDecoder;
import dev.millrace.internal.arrow.IpcInputs;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.storage.RandomFile;
import dev.millrace.type.Schema;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// A file in Arrow's IPC file format, with random access to record batches and columns. Validated like [IpcReader].
/// Thread-safe; blocks outlive it.
public final class IpcFile implements AutoCloseable {
    private final FileDecoder decoder;
    private final Closeable input;

    private IpcFile(FileDecoder decoder, Closeable input) {
        this.decoder = decoder;
        this.input = input;
    }

    /// Reads batches into memory of `allocator`, only the requested columns.
    public static IpcFile open(Path path, Allocator allocator) {
        return withChannel(path, channel -> {
            long size = channel.size();
            FileDecoder decoder = new FileDecoder(
                    (from, end) -> IpcInputs.file(path, channel, from, end, allocator), size, allocator);
            return new IpcFile(decoder, channel);
        });
    }

    /// The same for a file in any storage, which the caller closes.
    public static IpcFile open(RandomFile file, Allocator allocator) {
        FileDecoder decoder =
                new FileDecoder((from, end) -> IpcInputs.file(file, from, end, allocator), file.size(), allocator);
        return new IpcFile(decoder, () -> {});
    }

    /// Memory-maps a file: blocks of an uncompressed file are views of it and keep it mapped. Only decompressed buffers
    /// are charged to `allocator`. If the file is modified meanwhile, the blocks change too.
    public static IpcFile map(Path path, Allocator allocator) {
        return withChannel(path, channel -> {
            Arena arena = Arena.ofShared();
            Buffer mapped;
            try (ResourceScope scope = new ResourceScope()) {
                scope.add(arena);
                MemorySegment segment = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
                mapped = Buffer.foreign(segment, arena::close);
                scope.keep();
            }
            try (channel) {
                return over("Arrow file " + path, mapped, allocator);
            } finally {
                mapped.release();
            }
        });
    }

    /// Reads memory that contains a whole file, without copying uncompressed data. This object and the blocks hold
    /// references to `bytes`; the caller keeps its own.
    public static IpcFile of(Buffer bytes, Allocator allocator) {
        return over("Arrow file in memory", bytes, allocator);
    }

    /// The same for a file that was loaded into memory; errors name its path.
    public static IpcFile of(String path, Buffer bytes, Allocator allocator) {
        return over("Arrow file " + path, bytes, allocator);
    }

    private static IpcFile over(String name, Buffer bytes, Allocator allocator) {
        FileDecoder decoder = new FileDecoder(
                (from, end) -> IpcInputs.memory(name, bytes, from, end, allocator), bytes.size(), allocator);
        return new IpcFile(decoder, bytes.retain()::release);
    }

    private interface Opening {
        IpcFile open(FileChannel channel) throws IOException;
    }

    private static IpcFile withChannel(Path path, Opening opening) {
        try (ResourceScope scope = new ResourceScope()) {
            FileChannel channel = scope.add(FileChannel.open(path, StandardOpenOption.READ));
            return scope.keep(opening.open(channel));
        } catch (IOException e) {
            throw new MillraceException(
                    Culprit.RESOURCES, "Arrow file " + path + " could not be opened: " + e.getMessage(), e);
        }
    }

    /// Names and types of the columns.
    public Schema schema() {
        return decoder.schema();
    }

    /// The number of record batches.
    public int batches() {
        return decoder.batches();
    }

    /// The position of a batch in the file.
    public long offset(int batch) {
        return decoder.offset(batch);
    }

    /// The number of rows of a batch, without reading it.
    public long rows(int batch) {
        return decoder.rows(batch);
    }

    /// A whole batch, which the caller closes.
    public Block read(int batch) {
        return decoder.read(batch, null);
    }

    /// Some columns of a batch, in the order of the file; the others are not read.
    public Block read(int batch, List<String> columns) {
        return decoder.read(batch, columns);
    }

    @Override
    public void close() {
        try (input;
                decoder) {
            // Both are closed, even if one of them throws.
        } catch (IOException e) {
            throw new MillraceException(Culprit.RESOURCES, "An Arrow file could not be closed: " + e.getMessage(), e);
        }
    }
}
