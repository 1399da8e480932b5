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

/// A file in Arrow's IPC file format: record batches in any order, all columns or some. Checked like [IpcReader].
/// Thread-safe; blocks outlive it.
public final class IpcFile implements AutoCloseable {
    private final FileDecoder decoder;
    private final Closeable input;

    private IpcFile(FileDecoder decoder, Closeable input) {
        this.decoder = decoder;
        this.input = input;
    }

    /// Reads a file's batches into memory of `allocator`, only the columns asked for.
    public static IpcFile open(Path path, Allocator allocator) {
        return withChannel(path, channel -> {
            long size = channel.size();
            FileDecoder decoder = new FileDecoder(
                    (from, end) -> IpcInputs.file(path, channel, from, end, allocator), size, allocator);
            return new IpcFile(decoder, channel);
        });
    }

    /// The same of a file that lies anywhere, which stays the caller's to close.
    public static IpcFile open(RandomFile file, Allocator allocator) {
        FileDecoder decoder =
                new FileDecoder((from, end) -> IpcInputs.file(file, from, end, allocator), file.size(), allocator);
        return new IpcFile(decoder, () -> {});
    }

    /// Maps a file: blocks are views of it if it is not compressed, and keep it mapped. Only decompressed buffers are
    /// charged to `allocator`. A change of the file meanwhile changes the blocks.
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

    /// Reads memory that holds a whole file, without copying what is not compressed. This object and the blocks hold
    /// references to `bytes`; the caller keeps its own.
    public static IpcFile of(Buffer bytes, Allocator allocator) {
        return over("Arrow file in memory", bytes, allocator);
    }

    /// The same of a file that was brought into memory; errors name its path.
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

    /// How many record batches there are.
    public int batches() {
        return decoder.batches();
    }

    /// Where in the file a batch begins.
    public long offset(int batch) {
        return decoder.offset(batch);
    }

    /// How many rows a batch has, without reading it.
    public long rows(int batch) {
        return decoder.rows(batch);
    }

    /// A whole batch, which the caller closes.
    public Block read(int batch) {
        return decoder.read(batch, null);
    }

    /// Some columns of a batch, in the file's order; the others are not read.
    public Block read(int batch, List<String> columns) {
        return decoder.read(batch, columns);
    }

    @Override
    public void close() {
        try (input;
                decoder) {
            // Both are closed, whatever the other throws.
        } catch (IOException e) {
            throw new MillraceException(Culprit.RESOURCES, "An Arrow file could not be closed: " + e.getMessage(), e);
        }
    }
}
