package dev.millrace.internal.arrow;

import dev.millrace.error.MillraceException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.jspecify.annotations.Nullable;

/// Splits an [IpcInput] into encapsulated messages: a continuation marker, the length of the metadata, the metadata,
/// the body.
final class MessageReader {
    private static final int CONTINUATION = -1;
    private static final int MAX_METADATA = 256 << 20;
    /// "ARRO": the beginning of a file, which is a stream from its ninth byte on.
    private static final int FILE_MAGIC = 0x4F525241;

    private final IpcInput source;

    MessageReader(IpcInput source) {
        this.source = source;
    }

    /// The next message, with `source` at the start of its body; null at the end of the stream, with or without an end
    /// marker.
    @Nullable
    Message next() {
        long at = source.position();
        Integer length = readIntOrEnd();
        if (at == 0 && length != null && length == FILE_MAGIC) {
            readInt();
            length = readInt();
        }
        if (length == null || length == 0) {
            return null;
        }
        // Streams from before Arrow 0.15 have no marker.
        if (length == CONTINUATION) {
            length = readInt();
            if (length == 0) {
                return null;
            }
        }
        if (length < 0 || length > MAX_METADATA) {
            throw ArrowErrors.at(source.name(), "a message at byte " + at + " has " + length + " bytes of metadata");
        }
        ByteBuffer metadata = source.metadata(length, false);
        try {
            Message message = Message.getRootAsMessage(metadata);
            if (message.version() < MetadataVersion.V4 || message.version() > MetadataVersion.V5) {
                throw MillraceException.data(source.name() + ": the message at byte " + at
                        + " has the metadata version V" + (message.version() + 1) + "; V4 and V5 can be read.");
            }
            if (message.bodyLength() < 0) {
                throw ArrowErrors.at(
                        source.name(),
                        "the message at byte " + at + " has a body of " + message.bodyLength() + " bytes");
            }
            message.headerType();
            return message;
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw ArrowErrors.at(source.name(), "the metadata of the message at byte " + at + " makes no sense", e);
        }
    }

    /// Null at the end of the source.
    private @Nullable Integer readIntOrEnd() {
        ByteBuffer bytes = source.metadata(Integer.BYTES, true);
        return bytes.hasRemaining() ? whole(bytes) : null;
    }

    private int readInt() {
        return whole(source.metadata(Integer.BYTES, false));
    }

    private int whole(ByteBuffer bytes) {
        if (bytes.remaining() < Integer.BYTES) {
            throw ArrowErrors.truncated(source, Integer.BYTES, bytes.remaining());
        }
        return bytes.order(ByteOrder.LITTLE_ENDIAN).getInt();
    }
}
