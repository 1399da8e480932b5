package dev.millrace.internal.json;

import static dev.millrace.internal.json.JsonSyntaxException.MORE;

import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.SplitReader;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.Set;

/// The records of a range of a file, as blocks of about the size that is asked for.
final class JsonReader implements SplitReader {
    private final FileRange range;
    private final ReadContext context;
    private final Schema wanted;
    private final Schema known;
    private final Set<String> lenient;
    private final boolean strict;
    private final JsonShape shape;
    private JsonRecords records;
    private boolean opened;
    private long expectedRows = 64;

    /// @param lenient columns of strings that take any value
    /// @param strict a field that is not in `known` is an error
    /// @param shape of all files, or null
    JsonReader(
            FileRange range,
            ReadContext context,
            Schema wanted,
            Schema known,
            Set<String> lenient,
            boolean strict,
            JsonShape shape) {
        this.range = range;
        this.context = context;
        this.wanted = wanted;
        this.known = known;
        this.lenient = lenient;
        this.strict = strict;
        this.shape = shape;
    }

    @Override
    public Block next() throws IOException {
        try {
            if (!opened) {
                opened = true;
                records = JsonRecords.open(range, shape, context.allocator());
            }
            return records == null ? null : read();
        } catch (JsonSyntaxException e) {
            throw JsonErrors.of(e, range, records.placeOf(e), context.allocator());
        }
    }

    private Block read() throws IOException {
        try (BlockBuilder rows = new BlockBuilder(context.allocator(), wanted, expectedRows)) {
            ObjectReader reader = new ObjectReader(rows, known, lenient, strict);
            long checkAt = 0;
            long count = 0;
            while (true) {
                int at = records.next();
                if (at < 0) {
                    break;
                }
                long place = records.place(at);
                records.passed(record(reader, rows, at, count));
                count++;
                if (wanted.size() == 0) {
                    rows.append();
                }
                if (place >= checkAt) {
                    if (rows.sizeBytes() >= context.chunkBytes()) {
                        break;
                    }
                    checkAt = place + context.chunkBytes() / 16;
                }
            }
            if (count == 0) {
                return null;
            }
            expectedRows = Math.max(64, count + count / 8);
            return rows.build();
        }
    }

    /// Reads one record, with more of the file if it needs to.
    private int record(ObjectReader reader, BlockBuilder rows, int from, long row) throws IOException {
        int at = from;
        while (true) {
            try {
                return reader.fields(records.cursor(), at, 0, row);
            } catch (JsonSyntaxException e) {
                if (e != MORE || !records.more()) {
                    throw e;
                }
                rows.truncate(row);
                at = records.recordAt();
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (records != null) {
            records.close();
            records = null;
        }
    }
}
