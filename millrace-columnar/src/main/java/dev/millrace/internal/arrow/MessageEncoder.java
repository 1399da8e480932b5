package dev.millrace.internal.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/// Encodes the metadata of each kind of message as flatbuffers.
final class MessageEncoder {
    private MessageEncoder() {}

    /// A pair of numbers: length and null count of a node, or position and length of a buffer.
    record Pair(long first, long second) {}

    /// The position of a message in a file.
    record Place(long offset, int metadataLength, long bodyLength) {}

    static ByteBuffer schema(WireSchema schema) {
        FlatBufferBuilder out = new FlatBufferBuilder();
        return message(out, MessageHeader.Schema, SchemaWriter.write(out, schema), 0);
    }

    static ByteBuffer batch(
            long rows, List<Pair> nodes, List<Pair> buffers, @Nullable BufferCodec codec, long bodyLength) {
        FlatBufferBuilder out = new FlatBufferBuilder();
        return message(out, MessageHeader.RecordBatch, recordBatch(out, rows, nodes, buffers, codec), bodyLength);
    }

    static ByteBuffer dictionary(
            long id,
            boolean delta,
            long rows,
            List<Pair> nodes,
            List<Pair> buffers,
            @Nullable BufferCodec codec,
            long bodyLength) {
        FlatBufferBuilder out = new FlatBufferBuilder();
        int data = recordBatch(out, rows, nodes, buffers, codec);
        int header = DictionaryBatch.createDictionaryBatch(out, id, data, delta);
        return message(out, MessageHeader.DictionaryBatch, header, bodyLength);
    }

    static ByteBuffer footer(WireSchema schema, List<Place> dictionaries, List<Place> batches) {
        FlatBufferBuilder out = new FlatBufferBuilder();
        int fields = SchemaWriter.write(out, schema);
        Footer.startDictionariesVector(out, dictionaries.size());
        int dictionaryPlaces = places(out, dictionaries);
        Footer.startRecordBatchesVector(out, batches.size());
        int batchPlaces = places(out, batches);
        out.finish(Footer.createFooter(out, MetadataVersion.V5, fields, dictionaryPlaces, batchPlaces, 0));
        return out.dataBuffer();
    }

    private static int places(FlatBufferBuilder out, List<Place> places) {
        for (Place place : places.reversed()) {
            Block.createBlock(out, place.offset(), place.metadataLength(), place.bodyLength());
        }
        return out.endVector();
    }

    private static int recordBatch(
            FlatBufferBuilder out, long rows, List<Pair> nodes, List<Pair> buffers, @Nullable BufferCodec codec) {
        RecordBatch.startNodesVector(out, nodes.size());
        for (Pair node : nodes.reversed()) {
            FieldNode.createFieldNode(out, node.first(), node.second());
        }
        int nodePlaces = out.endVector();
        RecordBatch.startBuffersVector(out, buffers.size());
        for (Pair buffer : buffers.reversed()) {
            Buffer.createBuffer(out, buffer.first(), buffer.second());
        }
        int bufferPlaces = out.endVector();
        int compression = codec == null
                ? 0
                : BodyCompression.createBodyCompression(out, codec.arrowCodec(), BodyCompressionMethod.BUFFER);
        RecordBatch.startRecordBatch(out);
        RecordBatch.addLength(out, rows);
        RecordBatch.addNodes(out, nodePlaces);
        RecordBatch.addBuffers(out, bufferPlaces);
        if (codec != null) {
            RecordBatch.addCompression(out, compression);
        }
        return RecordBatch.endRecordBatch(out);
    }

    private static ByteBuffer message(FlatBufferBuilder out, byte kind, int header, long bodyLength) {
        out.finish(Message.createMessage(out, MetadataVersion.V5, kind, header, bodyLength, 0));
        return out.dataBuffer();
    }
}
