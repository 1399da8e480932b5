package dev.millrace.internal.arrow;

import dev.millrace.internal.arrow.MessageEncoder.Pair;
import dev.millrace.memory.Buffer;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;

/// A message whose body is not compressed yet, so that its metadata cannot be told either: that says where each buffer
/// ends up. The block must live until the message is closed, which releases what was made for it.
///
/// @param codec null for no compression
record PlainMessage(List<BodyPart> parts, BufferCodec codec, Metadata metadata, List<Buffer> scratch)
        implements AutoCloseable {
    /// Makes the metadata once the places of the buffers are known. Its size does not depend on them, but that a body
    /// of no bytes takes a little less.
    @FunctionalInterface
    interface Metadata {
        ByteBuffer encode(List<Pair> buffers, long bodyLength);
    }

    /// Metadata of the size that the message's will have at most.
    ByteBuffer placeholder() {
        return metadata.encode(Collections.nCopies(parts.size(), new Pair(0, 0)), Long.MAX_VALUE);
    }

    @Override
    public void close() {
        scratch.forEach(Buffer::release);
        scratch.clear();
    }
}
