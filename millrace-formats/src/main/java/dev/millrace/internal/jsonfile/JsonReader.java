package dev.millrace.internal.jsonfile;

import static dev.millrace.internal.json.JsonSyntaxException.MORE;

import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.json.JsonSyntaxException;
import dev.millrace.internal.json.ObjectReader;
import dev.millrace.internal.textfile.LenientReader;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the records of a file range into blocks of about the requested size.
final class JsonReader extends LenientReader {
    private final FileRange range;
    private final ReadContext context;
    private final Schema wanted;
    private final Schema known;
    private final Set<String> lenient;
    private final boolean strict;
    private final @Nullable JsonShape shape;
    private final int maxRecordBytes;
    /// Null if there is nothing to read, before the beginning and after the end.
    private @Nullable JsonRecords records;

    private boolean finished;
    /// The number of complete rows in the current block.
    private long good;

    private long expectedRows = 64;

    /// @param lenient string columns that accept any value
    /// @param strict a field that is not in `known` is an error
    /// @param shape of all files; null to detect it
    JsonReader(
            FileRange range,
            ReadContext context,
            WantedColumns columns,
            Set<String> lenient,
            boolean strict,
            @Nullable JsonShape shape,
            int maxRecordBytes) {
        this.range = range;
        this.context = context;
        this.wanted = columns.wanted();
        this.known = columns.known();
        this.lenient = lenient;
        this.strict = strict;
        this.shape = shape;
        this.maxRecordBytes = maxRecordBytes;
    }

    @Override
    protected void begin() throws IOException {
        records = JsonRecords.open(range, shape, maxRecordBytes, context.allocator());
        finished = records == null;
    }

    @Override
    protected boolean isDone() {
        return finished;
    }

    @Override
    protected @Nullable Block read() throws IOException {
        JsonRecords records = Objects.requireNonNull(this.records, "a range without records is at its end");
        try (BlockBuilder rows = new BlockBuilder(context.allocator(), wanted, expectedRows)) {
            ObjectReader reader = new ObjectReader(rows, known, lenient, strict);
            good = 0;
            boolean more = true;
            while (more) {
                more = fill(records, rows, reader);
            }
            if (good == 0) {
                return null;
            }
            expectedRows = Math.max(64, good + good / 8);
            return rows.build();
        }
    }

    /// True if a broken record was skipped and the block is not full.
    private boolean fill(JsonRecords records, BlockBuilder rows, ObjectReader reader) throws IOException {
        try {
            finished = !readAll(records, rows, reader);
            return false;
        } catch (JsonSyntaxException e) {
            rows.truncate(good);
            MillraceException error = JsonErrors.of(e, records.where(e));
            finished = !records.skipBroken();
            return broken.found(error) && !finished;
        } catch (MillraceException e) {
            if (e.culprit() != Culprit.DATA) {
                throw e;
            }
            // The rest of the file cannot be read.
            rows.truncate(good);
            finished = true;
            broken.found(e);
            return false;
        }
    }

    /// False at the end of the range.
    private boolean readAll(JsonRecords records, BlockBuilder rows, ObjectReader reader) throws IOException {
        long checkAt = 0;
        while (true) {
            int at = records.next();
            if (at < 0) {
                return false;
            }
            long place = records.place(at);
            records.passed(record(records, reader, rows, at, good));
            good++;
            if (wanted.size() == 0) {
                rows.append();
            }
            if (place >= checkAt) {
                if (rows.sizeBytes() >= context.chunkBytes()) {
                    return true;
                }
                checkAt = place + context.chunkBytes() / 16;
            }
        }
    }

    /// Reads one record, loading more of the file if needed.
    private int record(JsonRecords records, ObjectReader reader, BlockBuilder rows, int from, long row)
            throws IOException {
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
