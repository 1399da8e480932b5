package dev.millrace.internal.arrow;

import dev.millrace.compression.IpcCompression;
import java.util.EnumMap;
import java.util.Map;

/// One codec of each kind, with their working memory, for sequential use. One thread at a time.
final class BufferCodecs {
    private final Map<IpcCompression, BufferCodec> made = new EnumMap<>(IpcCompression.class);

    BufferCodec of(IpcCompression compression) {
        return made.computeIfAbsent(compression, BufferCodec::new);
    }
}
