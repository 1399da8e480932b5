package dev.millrace.internal.parquet.write;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.internal.parquet.format.FooterBytes;
import dev.millrace.internal.parquet.format.PageIndexBytes;
import dev.millrace.internal.parquet.format.SchemaElement;
import dev.millrace.internal.parquet.format.ThriftWriter;
import dev.millrace.internal.parquet.format.WrittenChunk;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.memory.Allocator;
import dev.millrace.parquet.WriteParquet;
import dev.millrace.sink.FileFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes one file. The pages of a row group are held in memory, encoded and compressed, until it reaches its number of
/// rows or bytes; then they are written, column by column. The last row group is followed by the page index and the
/// footer. One thread.
public final class ParquetFileWriter implements FileFormat.Writer {
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final String CREATED_BY = "millrace version 0.1.0";
    /// The number of rows after which a row group's bytes are checked.
    private static final long STEP = 1 << 15;

    private final WritableByteChannel out;
    private final WritePlan plan;
    private final WriteParquet options;
    private final WriteScratch scratch;
    private final List<LeafWriter> leaves = new ArrayList<>();
    /// For each column its leaf, or what splits it into leaves.
    private final List<NestedColumn> nested = new ArrayList<>();

    private final Map<WriteParquet.Compressed, PageCompressor> compressors = new HashMap<>();
    private final List<Group> groups = new ArrayList<>();
    private final List<FooterBytes.Group> told = new ArrayList<>();
    private final String arrowSchema;
    private long position;
    private long rowsInGroup;
    private boolean failed;

    private record Group(long rows, List<LeafWriter.Written> chunks) {}

    ParquetFileWriter(WritableByteChannel out, WritePlan plan, WriteParquet options, Allocator allocator)
            throws IOException {
        this.out = out;
        this.plan = plan;
        this.options = options;
        this.scratch = new WriteScratch(allocator);
        this.arrowSchema = ArrowSchema.encoded(plan.schema(), allocator);
        for (LeafPlan leaf : plan.leaves()) {
            PageCompressor compressor = compressors.computeIfAbsent(leaf.compression(), PageCompressor::new);
            leaves.add(new LeafWriter(leaf, options, scratch, compressor));
        }
        int first = 0;
        for (SchemaNode column : plan.columns()) {
            int count = count(column);
            List<LeafWriter> below = leaves.subList(first, first + count);
            nested.add(column instanceof SchemaNode.Leaf ? null : new NestedColumn(column, below));
            first += count;
        }
        put(ByteBuffer.wrap(MAGIC));
    }

    private static int count(SchemaNode node) {
        return switch (node) {
            case SchemaNode.Leaf _ -> 1;
            case SchemaNode.Struct struct ->
                struct.fields().stream().mapToInt(ParquetFileWriter::count).sum();
            case SchemaNode.ListOf list -> count(list.element());
            case SchemaNode.MapOf map -> count(map.key()) + count(map.value());
        };
    }

    private void put(ByteBuffer bytes) throws IOException {
        position += bytes.remaining();
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    @Override
    public void write(Block block) throws Exception {
        boolean done = false;
        try {
            for (long from = 0; from < block.rows(); ) {
                long rows = Math.min(
                        Math.min(STEP, block.rows() - from), options.rowGroups().rows() - rowsInGroup);
                writeColumns(block, from, rows);
                from += rows;
                rowsInGroup += rows;
                if (rowsInGroup == options.rowGroups().rows()
                        || encodedBytes() >= options.rowGroups().bytes()) {
                    endGroup();
                }
            }
            done = true;
        } finally {
            failed |= !done;
        }
    }

    @Override
    public long heldBytes() {
        long sum = scratch.heldBytes();
        for (LeafWriter leaf : leaves) {
            sum += leaf.heldBytes();
        }
        return sum;
    }

    private void writeColumns(Block block, long from, long rows) {
        int leaf = 0;
        for (int i = 0; i < nested.size(); i++) {
            Column column = block.column(i).slice(from, rows);
            NestedColumn taken = nested.get(i);
            if (taken == null) {
                leaves.get(leaf).add(column);
            } else {
                taken.write(column);
            }
            leaf += count(plan.columns().get(i));
        }
    }

    private long encodedBytes() {
        long sum = 0;
        for (LeafWriter leaf : leaves) {
            sum += leaf.encodedBytes();
        }
        return sum;
    }

    private void endGroup() throws IOException {
        List<LeafWriter.Written> chunks = new ArrayList<>();
        for (LeafWriter leaf : leaves) {
            LeafWriter.Written written = leaf.end(position, out);
            position += written.chunk().compressedBytes();
            chunks.add(written);
        }
        for (int i = 0; i < chunks.size(); i++) {
            LeafWriter.Written written = leaves.get(i).writeBloomFilter(chunks.get(i), position, out);
            position += Math.max(0, written.chunk().bloomBytes());
            chunks.set(i, written);
        }
        groups.add(new Group(rowsInGroup, chunks));
        rowsInGroup = 0;
    }

    @Override
    public void close() throws Exception {
        try (out) {
            if (!failed) {
                if (rowsInGroup > 0) {
                    endGroup();
                }
                writeFooter();
            }
        } finally {
            leaves.forEach(LeafWriter::close);
            compressors.values().forEach(PageCompressor::close);
            scratch.close();
        }
    }

    private void writeFooter() throws IOException {
        ThriftWriter thrift = new ThriftWriter();
        for (Group group : groups) {
            List<WrittenChunk> chunks = new ArrayList<>();
            List<FooterBytes.IndexPlace> indexes = new ArrayList<>();
            for (LeafWriter.Written written : group.chunks()) {
                chunks.add(written.chunk());
                indexes.add(writeIndex(written, thrift));
            }
            told.add(new FooterBytes.Group(group.rows(), chunks, indexes));
        }
        Map<String, String> properties = new LinkedHashMap<>(options.properties());
        properties.put(ArrowSchema.KEY, arrowSchema);
        thrift.clear();
        FooterBytes.write(plan.elements(), told, properties, CREATED_BY, thrift);
        int length = thrift.size();
        put(thrift);
        byte[] end = {(byte) length, (byte) (length >>> 8), (byte) (length >>> 16), (byte) (length >>> 24)};
        put(ByteBuffer.wrap(end));
        put(ByteBuffer.wrap(MAGIC));
    }

    /// The metadata of the row groups in the footer, once the file is closed.
    public List<FooterBytes.Group> written() {
        return told;
    }

    /// The flattened schema of the file.
    public List<SchemaElement> elements() {
        return plan.elements();
    }

    private FooterBytes.IndexPlace writeIndex(LeafWriter.Written written, ThriftWriter thrift) throws IOException {
        long columnAt = position;
        int columnBytes = 0;
        if (PageIndexBytes.hasBounds(written.pages())) {
            thrift.clear();
            PageIndexBytes.bounds(written.pages(), written.order(), thrift);
            columnBytes = thrift.size();
            put(thrift);
        }
        long offsetsAt = position;
        thrift.clear();
        PageIndexBytes.offsets(written.pages(), thrift);
        put(thrift);
        return new FooterBytes.IndexPlace(offsetsAt, thrift.size(), columnAt, columnBytes);
    }

    private void put(ThriftWriter thrift) throws IOException {
        put(ByteBuffer.wrap(thrift.bytes(), 0, thrift.size()));
    }
}
