package dev.millrace.arrow;

import dev.millrace.block.Block;
import dev.millrace.compression.IpcCompression;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.arrow.BlockWriter;
import dev.millrace.internal.arrow.IpcMessage;
import dev.millrace.internal.arrow.MessageOutput;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// Writes blocks of one schema in Arrow's IPC formats. Uncompressed values are written from the blocks' own memory,
/// without a copy; every buffer starts at a multiple of 64 bytes, so that a memory-mapped file is read without a copy
/// too.
///
/// The first block determines the width of offsets: if it has 64-bit ones, the field becomes a Large one, and later
/// blocks are widened; if it has 32-bit ones, later blocks are narrowed, and split into several batches if necessary.
/// One thread.
public final class IpcWriter implements AutoCloseable {
    private final BlockWriter writer;

    private IpcWriter(BlockWriter writer) {
        this.writer = writer;
    }

    /// Writes the stream format, for pipes and sockets. [#close] closes the channel, which must be a blocking one.
    ///
    /// @param allocator for compressed and shifted buffers, released block by block
    public static IpcWriter stream(
            WritableByteChannel out, Schema schema, IpcCompression compression, Allocator allocator) {
        return new IpcWriter(new BlockWriter(new MessageOutput.ToChannel(out), schema, compression, allocator, false));
    }

    /// Writes the streaming format; closing the writer ends it and closes the stream.
    public static IpcWriter stream(OutputStream out, Schema schema, IpcCompression compression, Allocator allocator) {
        return stream(Channels.newChannel(out), schema, compression, allocator);
    }

    /// Writes the file format, with a footer for random access. [#close] closes the channel.
    public static IpcWriter file(
            WritableByteChannel out, Schema schema, IpcCompression compression, Allocator allocator) {
        return new IpcWriter(new BlockWriter(new MessageOutput.ToChannel(out), schema, compression, allocator, true));
    }

    /// Creates a file, or overwrites an existing one.
    public static IpcWriter file(Path path, Schema schema, IpcCompression compression, Allocator allocator) {
        try {
            FileChannel channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            return file(channel, schema, compression, allocator);
        } catch (IOException e) {
            throw new MillraceException(Culprit.RESOURCES, path + " could not be created: " + e.getMessage(), e);
        }
    }

    /// The blocks in the stream format, in one buffer with one reference: bytes for another process.
    public static Buffer toBuffer(Schema schema, List<Block> blocks, IpcCompression compression, Allocator allocator) {
        try (IpcMessage message = IpcMessage.of(schema, blocks, compression, allocator)) {
            return message.toBuffer(allocator);
        }
    }

    /// Writes a block, which the caller may close afterwards.
    ///
    /// @throws MillraceException culprit USER if its schema differs; RESOURCES if writing fails, after which nothing
    ///     more is written, not even by [#close]
    public void write(Block block) {
        writer.write(block);
    }

    /// The number of bytes written so far.
    public long bytesWritten() {
        return writer.bytesWritten();
    }

    /// Ends the stream or file and closes the target.
    @Override
    public void close() {
        writer.close();
    }
}
