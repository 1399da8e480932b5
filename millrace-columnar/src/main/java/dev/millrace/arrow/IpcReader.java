package dev.millrace.arrow;

import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.arrow.IpcInputs;
import dev.millrace.internal.arrow.StreamDecoder;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.storage.ByteFeed;
import dev.millrace.type.Schema;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/// Reads Arrow's IPC stream format block by block; a file in the file format is read as a stream too. Every length,
/// offset and index is checked: corrupt or truncated input causes a [MillraceException] with culprit DATA that names
/// the position. One thread.
public final class IpcReader implements AutoCloseable {
    private final StreamDecoder decoder;
    private final Closeable input;

    private IpcReader(StreamDecoder decoder, Closeable input) {
        this.decoder = decoder;
        this.input = input;
    }

    /// Reads a blocking channel, which [#close] closes. Blocks are allocated from `allocator`.
    public static IpcReader of(ReadableByteChannel in, Allocator allocator) {
        return new IpcReader(new StreamDecoder(IpcInputs.stream(in, allocator), allocator), in);
    }

    /// Reads a file's bytes, which [#close] closes; errors name its path.
    public static IpcReader of(String path, ByteFeed in, Allocator allocator) {
        return new IpcReader(new StreamDecoder(IpcInputs.stream(path, in, allocator), allocator), in::close);
    }

    /// Reads a stream; closing the reader closes it.
    public static IpcReader of(InputStream in, Allocator allocator) {
        return of(Channels.newChannel(in), allocator);
    }

    /// Reads memory without copying uncompressed data: the blocks hold references to `bytes`. This reader holds one
    /// too, until [#close]; the caller keeps its own.
    public static IpcReader of(Buffer bytes, Allocator allocator) {
        StreamDecoder decoder = new StreamDecoder(IpcInputs.memory(bytes, allocator), allocator);
        return new IpcReader(decoder, bytes.retain()::release);
    }

    /// Names and types of the columns.
    public Schema schema() {
        return decoder.schema();
    }

    /// The next block, which the caller closes, or null at the end.
    ///
    /// @throws MillraceException culprit DATA for corrupt or truncated input, RESOURCES if memory or the channel fail
    public @Nullable Block next() {
        return decoder.next();
    }

    @Override
    public void close() {
        try (input;
                decoder) {
            // Both are closed, even if one of them throws.
        } catch (IOException e) {
            throw new MillraceException(Culprit.RESOURCES, "An Arrow stream could not be closed: " + e.getMessage(), e);
        }
    }
}
