package dev.millrace.internal.arrow;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Schema;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/// Reads the IPC file format: the footer contains the position of each record batch. Thread-safe after construction:
/// all dictionaries are read at the start.
public final class FileDecoder implements AutoCloseable {
    /// Opens a part of the file as a source.
    @FunctionalInterface
    public interface Bytes {
        IpcInput from(long start, long end);
    }

    private static final int TAIL_BYTES = 4 + BlockWriter.MAGIC.length;
    private static final int HEAD_BYTES = 8;

    private final Bytes bytes;
    private final String name;
    private final long size;
    private final Footer footer;
    private final MessageDecoder decoder;

    public FileDecoder(Bytes bytes, long size, Allocator allocator) {
        this.bytes = bytes;
        this.size = size;
        this.name = bytes.from(0, size).name();
        this.footer = readFooter();
        try {
            this.decoder = new MessageDecoder(SchemaReader.read(footer.schema(), name), allocator);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw ArrowErrors.at(name, "its footer makes no sense", e);
        }
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(decoder);
            readDictionaries();
            scope.keep();
        }
    }

    private Footer readFooter() {
        if (size < HEAD_BYTES + TAIL_BYTES) {
            throw ArrowErrors.at(name, size + " bytes are too few for an Arrow file");
        }
        ByteBuffer tail = bytes.from(size - TAIL_BYTES, size).metadata(TAIL_BYTES, false);
        int length = tail.getInt();
        byte[] magic = new byte[BlockWriter.MAGIC.length];
        tail.get(magic);
        if (!Arrays.equals(magic, BlockWriter.MAGIC)) {
            throw MillraceException.data(name + " is no Arrow file, or was not finished: it does not end with ARROW1."
                    + " Read it as a stream to get the batches that are there.");
        }
        if (length <= 0 || length > size - HEAD_BYTES - TAIL_BYTES) {
            throw ArrowErrors.at(name, "it has " + size + " bytes and a footer of " + length);
        }
        long start = size - TAIL_BYTES - length;
        try {
            return Footer.getRootAsFooter(bytes.from(start, size).metadata(length, false));
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw ArrowErrors.at(name, "its footer makes no sense", e);
        }
    }

    private void readDictionaries() {
        for (int i = 0; i < count(footer::dictionariesLength); i++) {
            String where = name + " (dictionary batch " + i + ")";
            IpcInput source = openDictionary(i, where);
            decoder.dictionary(message(source, MessageHeader.DictionaryBatch, where), source, where);
        }
    }

    private IpcInput openDictionary(int index, String where) {
        try {
            org.apache.arrow.flatbuf.Block place = footer.dictionaries(index);
            return open(place.offset(), place.metaDataLength(), place.bodyLength(), where);
        } catch (IndexOutOfBoundsException e) {
            throw ArrowErrors.at(name, "its footer makes no sense", e);
        }
    }

    private int count(java.util.function.IntSupplier length) {
        int count;
        try {
            count = length.getAsInt();
        } catch (IndexOutOfBoundsException e) {
            throw ArrowErrors.at(name, "its footer makes no sense", e);
        }
        if (count < 0 || count > footer.getByteBuffer().capacity()) {
            throw ArrowErrors.at(name, "its footer lists " + count + " batches");
        }
        return count;
    }

    public Schema schema() {
        return decoder.schema();
    }

    public int batches() {
        return count(footer::recordBatchesLength);
    }

    /// The position of a batch in the file.
    public long offset(int batch) {
        try {
            return footer.recordBatches(batch).offset();
        } catch (IndexOutOfBoundsException e) {
            throw ArrowErrors.at(where(batch), "its footer makes no sense", e);
        }
    }

    /// The number of rows of a batch; reads only its metadata.
    public long rows(int batch) {
        IpcInput source = open(batch);
        String where = where(batch);
        Message message = message(source, MessageHeader.RecordBatch, where);
        try {
            return MessageDecoder.rows((RecordBatch) message.header(new RecordBatch()), where);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw ArrowErrors.at(where, "its metadata makes no sense", e);
        }
    }

    /// @param columns the names to read, in the schema's order; null for all
    public Block read(int batch, @Nullable List<String> columns) {
        boolean @Nullable [] wanted = null;
        if (columns != null) {
            wanted = new boolean[schema().size()];
            for (String column : columns) {
                wanted[schema().require(column, "read")] = true;
            }
        }
        IpcInput source = open(batch);
        Message message = message(source, MessageHeader.RecordBatch, where(batch));
        return decoder.batch(message, source, wanted, where(batch));
    }

    private String where(int batch) {
        return name + " (record batch " + batch + ")";
    }

    private IpcInput open(int batch) {
        if (batch < 0 || batch >= batches()) {
            throw new IndexOutOfBoundsException("record batch " + batch + " of " + batches());
        }
        org.apache.arrow.flatbuf.Block place;
        try {
            place = footer.recordBatches(batch);
            return open(place.offset(), place.metaDataLength(), place.bodyLength(), where(batch));
        } catch (IndexOutOfBoundsException e) {
            throw ArrowErrors.at(where(batch), "its footer makes no sense", e);
        }
    }

    private IpcInput open(long offset, int metadataLength, long bodyLength, String where) {
        if (offset < 0
                || metadataLength < 0
                || bodyLength < 0
                || offset > size
                || metadataLength > size - offset
                || bodyLength > size - offset - metadataLength) {
            throw ArrowErrors.at(
                    where,
                    "the footer places it at " + offset + " with " + metadataLength + " + " + bodyLength
                            + " bytes, in a file of " + size);
        }
        return bytes.from(offset, offset + metadataLength + bodyLength);
    }

    private static Message message(IpcInput source, byte kind, String where) {
        try {
            Message message = new MessageReader(source).next();
            if (message != null && message.headerType() == kind) {
                return message;
            }
        } catch (IndexOutOfBoundsException e) {
            throw ArrowErrors.at(where, "its metadata makes no sense", e);
        }
        throw ArrowErrors.at(where, "there is no such message where the footer says");
    }

    @Override
    public void close() {
        decoder.close();
    }
}
