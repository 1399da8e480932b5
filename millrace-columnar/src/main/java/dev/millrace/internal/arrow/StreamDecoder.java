package dev.millrace.internal.arrow;

import dev.millrace.block.Block;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Schema;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.jspecify.annotations.Nullable;

/// Reads the IPC stream format from an [IpcInput], message by message. A file is also a stream, up to its footer.
public final class StreamDecoder implements AutoCloseable {
    private final IpcInput source;
    private final MessageReader messages;
    private final MessageDecoder decoder;
    private long batches;
    private boolean ended;

    /// Reads the schema.
    public StreamDecoder(IpcInput source, Allocator allocator) {
        this.source = source;
        this.messages = new MessageReader(source);
        Message message = messages.next();
        if (message == null || message.headerType() != MessageHeader.Schema) {
            throw ArrowErrors.at(source.name(), "it does not start with a schema");
        }
        this.decoder = new MessageDecoder(schema(message, source), allocator);
    }

    private static WireSchema schema(Message message, IpcInput source) {
        WireSchema schema;
        try {
            schema = SchemaReader.read(
                    (org.apache.arrow.flatbuf.Schema) message.header(new org.apache.arrow.flatbuf.Schema()),
                    source.name());
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw ArrowErrors.at(source.name(), "its schema makes no sense", e);
        }
        source.skip(message.bodyLength());
        return schema;
    }

    public Schema schema() {
        return decoder.schema();
    }

    /// The next block, or null at the end.
    public @Nullable Block next() {
        while (!ended) {
            Message message = messages.next();
            if (message == null) {
                break;
            }
            String where = source.name() + " (record batch " + batches + ")";
            switch (message.headerType()) {
                case MessageHeader.RecordBatch -> {
                    Block block = decoder.batch(message, source, null, where);
                    batches++;
                    return block;
                }
                case MessageHeader.DictionaryBatch -> decoder.dictionary(message, source, where);
                default ->
                    throw ArrowErrors.at(where, "a message of kind " + message.headerType() + " is not expected");
            }
        }
        ended = true;
        return null;
    }

    @Override
    public void close() {
        decoder.close();
    }
}
