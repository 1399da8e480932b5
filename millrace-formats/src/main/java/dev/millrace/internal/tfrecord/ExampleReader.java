package dev.millrace.internal.tfrecord;

import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the examples of a file as rows. Known features that are not used are skipped.
final class ExampleReader implements SplitReader {
    private static final int EXPECTED_ROWS = 256;

    private final ReadContext context;
    private final TfRecordFormat format;
    private final FileRange range;
    private final WantedColumns known;
    private final Schema wanted;
    /// Names of known features that are not used.
    private final byte[][] passed;

    private final TfRecordReader records;
    private final ExampleFeatures examples;
    private final FeatureColumn[] columns;
    /// Records tend to have their features in the same order: the lookup of a feature begins after the last one found.
    private int expected;

    private int expectedPassed;

    private long row;

    ExampleReader(TfRecordFormat format, FileRange range, WantedColumns wanted, ReadContext context)
            throws IOException {
        this.context = context;
        this.format = format;
        this.range = range;
        this.known = wanted;
        this.wanted = wanted.wanted();
        this.passed = wanted.known().names().stream()
                .filter(name -> !wanted.contains(name))
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        this.records = new TfRecordReader(range, context.allocator());
        this.examples = new ExampleFeatures(records);
        this.columns = this.wanted.fields().stream()
                .map(field -> new FeatureColumn(field, examples.message()))
                .toArray(FeatureColumn[]::new);
    }

    @Override
    public @Nullable Block next() throws IOException {
        if (!records.next()) {
            return null;
        }
        try (BlockBuilder block = new BlockBuilder(context.allocator(), wanted, EXPECTED_ROWS)) {
            for (int i = 0; i < columns.length; i++) {
                columns[i].into(block.column(i));
            }
            row = 0;
            long bytes = 0;
            do {
                bytes += records.length();
                expected = 0;
                expectedPassed = 0;
                examples.visit(this::feature);
                row++;
                for (FeatureColumn column : columns) {
                    column.endRow(row);
                }
                if (columns.length == 0) {
                    block.append();
                }
            } while (bytes < context.chunkBytes() && records.next());
            return block.build();
        }
    }

    private void feature(long nameFrom, long nameTo, @Nullable FeatureKind kind, long from, long to) {
        for (int i = 0; i < columns.length; i++) {
            int at = (expected + i) % columns.length;
            if (columns[at].isNamed(examples.message().memory(), nameFrom, nameTo)) {
                columns[at].append(row, kind, from, to);
                expected = at + 1;
                return;
            }
        }
        if (!known.isNamed()) {
            requireKnown(nameFrom, nameTo);
        }
    }

    private void requireKnown(long nameFrom, long nameTo) {
        for (int i = 0; i < passed.length; i++) {
            int at = (expectedPassed + i) % passed.length;
            if (FeatureColumn.isNamed(passed[at], examples.message().memory(), nameFrom, nameTo)) {
                expectedPassed = at + 1;
                return;
            }
        }
        known.requireKnown(List.of(examples.text(nameFrom, nameTo)), range, format);
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
