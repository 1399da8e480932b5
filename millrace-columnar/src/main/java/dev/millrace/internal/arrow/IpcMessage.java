package dev.millrace.internal.arrow;

import dev.millrace.block.Block;
import dev.millrace.compression.IpcCompression;
import dev.millrace.internal.kernel.RunCopy;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.Schema;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.util.List;

/// Blocks in the stream format, ready to be sent: the number of bytes is known before the first is written.
/// Uncompressed values are not copied: they stay in the blocks' memory, so the blocks must stay open until this is
/// closed. One thread.
public final class IpcMessage implements AutoCloseable {
    private final MessageOutput.ToMemory memory;
    private final BlockWriter writer;

    private IpcMessage(MessageOutput.ToMemory memory, BlockWriter writer) {
        this.memory = memory;
        this.writer = writer;
    }

    /// @param allocator for compressed and shifted values, released by [#close]
    public static IpcMessage of(Schema schema, List<Block> blocks, IpcCompression compression, Allocator allocator) {
        MessageOutput.ToMemory memory = new MessageOutput.ToMemory();
        BlockWriter writer = new BlockWriter(memory, schema, compression, allocator, false);
        try {
            blocks.forEach(writer::write);
            writer.finish();
            return new IpcMessage(memory, writer);
        } catch (RuntimeException | Error e) {
            writer.close();
            throw e;
        }
    }

    public long length() {
        return memory.length();
    }

    /// Writes all of it to a blocking channel, which stays open.
    ///
    /// @throws dev.millrace.error.MillraceException culprit RESOURCES, if the channel fails
    @SuppressWarnings("resource") // the channel is the caller's
    public void writeTo(WritableByteChannel channel) {
        new MessageOutput.ToChannel(channel).write(memory.pieces(), null);
    }

    /// A copy in one buffer with one reference.
    public Buffer toBuffer(Allocator allocator) {
        return memory.toBuffer(allocator);
    }

    /// Copies all of it to the beginning of a region of at least [#length] bytes.
    public void copyTo(MemorySegment target, RunCopy copy) {
        memory.copyTo(target, copy);
    }

    /// A copy on the heap, of a message below 2 GiB.
    public byte[] toArray() {
        byte[] bytes = new byte[Math.toIntExact(memory.length())];
        memory.copyTo(MemorySegment.ofArray(bytes), RunCopy.PLAIN);
        return bytes;
    }

    @Override
    public void close() {
        writer.close();
    }
}
