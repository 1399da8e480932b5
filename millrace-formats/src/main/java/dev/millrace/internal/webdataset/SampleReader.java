package dev.millrace.internal.webdataset;

import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the samples of an archive as rows: consecutive members that share a key. Known members that are not used are
/// skipped.
final class SampleReader implements SplitReader {
    private final WebDatasetFormat format;
    private final FileRange range;
    private final ReadContext context;
    private final WantedColumns known;
    private final Schema wanted;
    /// An unknown member is an error.
    private final boolean isStrict;
    /// Known extensions that are not used.
    private final byte[][] passed;
    private final ArchiveSamples samples;
    private final MemberColumn[] columns;
    private final int[] positions;
    private final int keyPosition;
    /// From the latest chunk.
    private long expectedRows = 64;
    /// The current member is not in a row yet.
    private boolean pending;

    private boolean done;

    SampleReader(WebDatasetFormat format, FileRange range, WantedColumns known, ReadContext context)
            throws IOException {
        this.context = context;
        this.format = format;
        this.range = range;
        this.known = known;
        this.wanted = known.wanted();
        this.isStrict = !known.isNamed() && format.options().extensions() == null;
        this.passed = known.known().names().stream()
                .filter(name -> !known.contains(name))
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        this.keyPosition = wanted.indexOf(WebDatasetFormat.KEY);
        this.positions = java.util.stream.IntStream.range(0, wanted.size())
                .filter(i -> i != keyPosition)
                .toArray();
        this.columns = new MemberColumn[positions.length];
        for (int i = 0; i < columns.length; i++) {
            Field field = wanted.field(positions[i]);
            columns[i] = new MemberColumn(field, format.options());
        }
        this.samples = new ArchiveSamples(range, context.allocator());
    }

    @Override
    public @Nullable Block next() throws IOException {
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
                MemberColumn column = column();
                if (column != null) {
                    bytes += samples.size();
                    column.append(samples, rows - 1, context.allocator());
                }
            } while (advance());
            end(rows);
            return block.build();
        }
    }

    /// The column of the current member; null if it is not used.
    private @Nullable MemberColumn column() {
        for (MemberColumn column : columns) {
            if (samples.hasExtension(column.extension())) {
                return column;
            }
        }
        if (isStrict && Arrays.stream(passed).noneMatch(samples::hasExtension)) {
            known.requireKnown(List.of(samples.extension()), range, format);
        }
        return null;
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
