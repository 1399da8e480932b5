package dev.millrace.internal.arrow;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/// Messages to blocks and dictionaries. On any failure everything that was allocated for the message is released.
final class MessageDecoder implements AutoCloseable {
    private final WireSchema schema;
    private final Allocator allocator;
    private final DictionaryRegistry dictionaries = new DictionaryRegistry();

    MessageDecoder(WireSchema schema, Allocator allocator) {
        this.schema = schema;
        this.allocator = allocator;
    }

    Schema schema() {
        return schema.schema();
    }

    /// @param wanted which of the schema's columns to read, or null for all
    Block batch(Message message, IpcInput source, boolean @Nullable [] wanted, String where) {
        return decoded(where, () -> {
            RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
            long rows = rows(batch, where);
            List<Column> columns = new ArrayList<>();
            List<Field> fields = new ArrayList<>();
            try (BatchBuffers buffers = new BatchBuffers(batch, source, message.bodyLength(), allocator, where)) {
                BatchReader reader = new BatchReader(buffers, dictionaries);
                for (int i = 0; i < schema.fields().size(); i++) {
                    WireField field = schema.fields().get(i);
                    if (wanted != null && !wanted[i]) {
                        buffers.skip(field);
                    } else {
                        columns.add(reader.column(field, rows));
                        fields.add(schema.schema().field(i));
                    }
                }
                Block block = Block.of(wanted == null ? schema.schema() : Schema.of(fields), columns, rows);
                buffers.handOver();
                return block;
            }
        });
    }

    /// Reads a dictionary, or more values of one.
    void dictionary(Message message, IpcInput source, String where) {
        decoded(where, () -> {
            DictionaryBatch dictionary = (DictionaryBatch) message.header(new DictionaryBatch());
            if (dictionary == null) {
                throw ArrowErrors.at(where, "a message has no header");
            }
            WireField values = schema.dictionaries().get(dictionary.id());
            RecordBatch batch = dictionary.data();
            if (values == null || batch == null) {
                throw ArrowErrors.at(where, "dictionary " + dictionary.id() + " belongs to no field or has no values");
            }
            try (BatchBuffers buffers = new BatchBuffers(batch, source, message.bodyLength(), allocator, where)) {
                Column column = new BatchReader(buffers, dictionaries).column(values, rows(batch, where));
                buffers.handOver();
                if (dictionary.isDelta()) {
                    dictionaries.append(dictionary.id(), column, allocator);
                } else {
                    dictionaries.put(dictionary.id(), column);
                }
                return column;
            }
        });
    }

    static long rows(@Nullable RecordBatch batch, String where) {
        if (batch == null) {
            throw ArrowErrors.at(where, "a message has no header");
        }
        if (batch.length() < 0) {
            throw ArrowErrors.at(where, "it has " + batch.length() + " rows");
        }
        return batch.length();
    }

    private interface Decoding<T> {
        T run();
    }

    /// Metadata that points outside itself surfaces as one of these exceptions, wherever it is first read.
    private static <T> T decoded(String where, Decoding<T> decoding) {
        try {
            return decoding.run();
        } catch (IndexOutOfBoundsException | IllegalArgumentException | NegativeArraySizeException e) {
            throw ArrowErrors.at(where, "its metadata makes no sense", e);
        } catch (ArithmeticException e) {
            throw ArrowErrors.at(where, "its lengths are beyond all bounds", e);
        }
    }

    @Override
    public void close() {
        dictionaries.close();
    }
}
