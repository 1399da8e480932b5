package dev.millrace.internal.arrow;

import dev.millrace.internal.arrow.MessageEncoder.Pair;
import dev.millrace.memory.Buffer;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A message whose body is not compressed yet, so that its metadata, which contains the position of each buffer, is not
/// known yet either. The block must live until the message is closed, which releases the memory allocated for it.
///
/// @param codec null for no compression
record PlainMessage(List<BodyPart> parts, @Nullable BufferCodec codec, Metadata metadata, List<Buffer> scratch)
        implements AutoCloseable {
    /// Creates the metadata once the positions of the buffers are known. Its size does not depend on them, except that
    /// it is slightly smaller for an empty body.
    @FunctionalInterface
    interface Metadata {
        ByteBuffer encode(List<Pair> buffers, long bodyLength);
    }

    /// Metadata of the maximum size that the message's metadata can have.
    ByteBuffer placeholder() {
        return metadata.encode(Collections.nCopies(parts.size(), new Pair(0, 0)), Long.MAX_VALUE);
    }

    @Override
    public void close() {
        scratch.forEach(Buffer::release);
        scratch.clear();
    }
}
