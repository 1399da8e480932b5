package dev.millrace.internal.webdataset;

import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadWebDataset;
import dev.millrace.source.SplitReader;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// The samples of an archive as rows: members that follow each other and share a key. What is not wanted is passed
/// over.
final class SampleReader implements SplitReader {

    private final ReadContext context;
    private final Schema wanted;
    private final Samples samples;
    private final MemberColumn[] columns;
    private final int[] positions;
    private final int keyPosition;
    /// By the latest chunk.
    private long expectedRows = 64;
    /// A member is there that no row has yet.
    private boolean pending;

    private boolean done;

    SampleReader(FileRange range, Schema wanted, ReadWebDataset options, ReadContext context) throws IOException {
        this.context = context;
        this.wanted = wanted;
        this.keyPosition = wanted.indexOf(WebDatasetFormat.KEY);
        this.positions = java.util.stream.IntStream.range(0, wanted.size())
                .filter(i -> i != keyPosition)
                .toArray();
        this.columns = new MemberColumn[positions.length];
        for (int i = 0; i < columns.length; i++) {
            Field field = wanted.field(positions[i]);
            columns[i] = new MemberColumn(field, options);
        }
        this.samples = new Samples(range, context.allocator());
    }

    @Override
    public Block next() throws IOException {
        if (done || !pending && !advance()) {
            return null;
        }
        try (BlockBuilder block = new BlockBuilder(context.allocator(), wanted, expectedRows)) {
            for (int i = 0; i < columns.length; i++) {
                columns[i].into(block.column(positions[i]));
            }
            long rows = 0;
            long bytes = 0;
            do {
                if (rows == 0 || samples.isNewSample()) {
                    end(rows);
                    if (bytes >= context.chunkBytes()) {
                        pending = true;
                        expectedRows = rows + rows / 8;
                        for (MemberColumn column : columns) {
                            column.endChunk();
                        }
                        return block.build();
                    }
                    begin(block);
                    rows++;
                    bytes += samples.keyLength();
                }
                for (MemberColumn column : columns) {
                    if (samples.hasExtension(column.extension())) {
                        bytes += samples.size();
                        column.append(samples, rows - 1, context.allocator());
                        break;
                    }
                }
            } while (advance());
            end(rows);
            return block.build();
        }
    }

    private boolean advance() throws IOException {
        pending = false;
        if (samples.next()) {
            return true;
        }
        done = true;
        return false;
    }

    private void begin(BlockBuilder block) {
        samples.beginSample();
        if (keyPosition >= 0) {
            appendKey((StringColumnBuilder) block.column(keyPosition));
        } else if (columns.length == 0) {
            block.append();
        }
    }

    private void appendKey(StringColumnBuilder keys) {
        byte[] name = samples.name();
        int length = samples.keyLength();
        for (int i = 0; i < length; i++) {
            if (name[i] < 0) {
                keys.append(new String(name, 0, length, StandardCharsets.UTF_8));
                return;
            }
        }
        keys.append(name, 0, length);
    }

    private void end(long rows) {
        for (MemberColumn column : columns) {
            column.endRow(rows);
        }
    }

    @Override
    public void close() throws IOException {
        samples.close();
    }
}
