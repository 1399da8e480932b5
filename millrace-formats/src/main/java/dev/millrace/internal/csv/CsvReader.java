package dev.millrace.internal.csv;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.text.TextValues;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadCsv;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the records of a file, or of a part of one: a window at a time, a block per window.
final class CsvReader implements SplitReader {
    private static final int MIN_WINDOW = 1 << 12;
    private static final int MAX_WINDOW = 1 << 20;
    /// How far a part reads past its end before it knows that it must.
    private static final int OVERLAP = 1 << 16;

    private final CsvFormat format;
    private final FileRange range;
    private final ReadContext context;
    private final InputWindow window;
    private final RecordBorder border;
    private final RecordScanner scanner;
    private final RowRecords rows;
    private final ColumnFields fields;
    private final CsvErrors errors;
    private final BrokenRecords broken;
    private final RaggedRows ragged;
    private final Schema schema;
    /// The position in the file of each column of the schema.
    private final int[] positions;

    private final ColumnParser[] parsers;
    /// Rows with values that do not fit their column's type.
    private final BitSet misfits = new BitSet();
    /// The parsed rows of the window, until they are returned; null if there are none.
    private @Nullable Block ready;

    private boolean finished;

    static SplitReader open(CsvFormat format, FileRange range, WantedColumns wanted, ReadContext context)
            throws IOException {
        CsvPreamble preamble = CsvPreamble.read(range, format, context);
        List<String> names = preamble.names();
        CsvFormat.requireUnique(range, names);
        wanted.requireKnown(names, range, format);
        RecordBorder border = new RecordBorder(
                range,
                format.dialect(),
                names.size(),
                format.options().maxRecordBytes(),
                preamble.end(),
                context.allocator());
        long start = range.from() == 0 ? preamble.end() : border.find(range.from());
        if (start >= range.to() || names.isEmpty()) {
            return () -> null;
        }
        return new CsvReader(format, range, names, wanted.wanted(), start, border, context);
    }

    private CsvReader(
            CsvFormat format,
            FileRange range,
            List<String> names,
            Schema wanted,
            long start,
            RecordBorder border,
            ReadContext context)
            throws IOException {
        this.format = format;
        this.range = range;
        this.context = context;
        this.border = border;
        ReadCsv options = format.options();
        int size = Math.clamp(context.chunkBytes(), MIN_WINDOW, MAX_WINDOW);
        boolean fromBegin = range.isCompressed() || start < size;
        this.window = new InputWindow(
                range.bytes(fromBegin ? 0 : start),
                fromBegin ? 0 : start,
                Math.min(size, options.maxRecordBytes()),
                context.allocator());
        this.scanner = new RecordScanner(format.dialect());
        this.rows = new RowRecords(format.dialect(), names.size(), options.maxRecordBytes());
        this.fields = new ColumnFields(format.dialect(), options.charset(), options.keepsQuoted());
        this.errors = new CsvErrors(range, context.allocator(), options.charset(), window);
        this.broken = new BrokenRecords(errors);
        this.ragged = new RaggedRows(format, names.size(), window, errors, broken);
        List<Field> found = wanted.fields().stream()
                .filter(field -> names.contains(field.name()))
                .toList();
        this.schema = Schema.of(found);
        this.positions =
                found.stream().mapToInt(field -> names.indexOf(field.name())).toArray();
        this.parsers = found.stream()
                .map(field -> ColumnParsers.of(field.type(), options))
                .toArray(ColumnParser[]::new);
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(window);
            window.skipTo(start);
            scope.keep();
        }
    }

    @Override
    public @Nullable Block next() throws IOException {
        while (true) {
            MillraceException error = broken.next();
            if (error != null) {
                throw error;
            }
            if (ready != null) {
                Block block = ready;
                ready = null;
                return block;
            }
            if (finished) {
                return null;
            }
            window.fill(OVERLAP + Math.max(0, Math.min(range.to() - window.position, Integer.MAX_VALUE)));
            scanner.scan(window.bytes, window.size, window.last);
            if (scanner.count == 0 && !window.last) {
                enlarge();
            } else {
                int stop = rows.take(window.bytes, scanner, range.to() - window.position, ragged);
                ready = rows.count == 0 ? null : block();
                broken.settle();
                moveOn(stop);
            }
            broken.settle();
        }
    }

    /// Skips the broken record. If its end is unknown, everything after it is lost.
    @Override
    public boolean skipBroken() {
        broken.gather();
        return true;
    }

    /// Enlarges the window if no record ends in it.
    private void enlarge() throws IOException {
        int most = format.options().maxRecordBytes();
        if (window.size < window.capacity()) {
            window.fill();
        } else if (window.size < most) {
            window.grow(most);
            window.fill();
        } else {
            finished = true;
            broken.found(window.position, tooLong("The record", most));
        }
    }

    static String tooLong(String what, int most) {
        return what + " that begins here has more than " + most
                + " bytes. Perhaps a quote is opened and never closed; if not, raise ReadCsv.maxRecordBytes, or read the"
                + " file by ReadCsv.withoutQuotes().";
    }

    private void moveOn(int stop) throws IOException {
        long next = RecordBorder.NO_MORE;
        if (stop >= 0) {
            finished = true;
            next = window.position + stop;
        } else if (window.last) {
            finished = true;
            if (scanner.open) {
                broken.found(
                        window.position + scanner.consumed(),
                        "a quote is opened in the record that begins here and never closed.");
            }
        } else {
            errors.leave(scanner.consumed());
            window.drop(scanner.consumed());
            finished = window.position >= range.to();
            next = window.position;
        }
        boolean isEnd = window.last && window.position + window.size <= range.to();
        if (finished && !isEnd && !range.isCompressed() && format.dialect().quote() >= 0) {
            requireSameBorder(next);
        }
    }

    /// The reader of the next part must begin where this one ends.
    private void requireSameBorder(long next) throws IOException {
        long theirs = border.find(range.to());
        long size = theirs == next ? 0 : range.file().size();
        if (theirs != next && Math.min(theirs, size) != Math.min(next, size)) {
            broken.found(
                    range.to(),
                    "the quotes near here do not tell where a record begins, since some record has another number"
                            + " of fields than the file has columns, or is too long. Correct the file, or find the"
                            + " line by ReadCsv.wholeFiles().");
        }
    }

    /// The rows that fit the columns, or null.
    private @Nullable Block block() {
        Block block = parsed();
        if (misfits.isEmpty()) {
            return block;
        }
        block.close();
        rows.leaveOut(misfits);
        misfits.clear();
        return rows.count == 0 ? null : parsed();
    }

    private Block parsed() {
        List<Column> columns = new ArrayList<>(positions.length);
        boolean done = false;
        try {
            for (int i = 0; i < positions.length; i++) {
                fields.of(window.bytes, window.spare(), rows, positions[i], scanner);
                int column = i;
                try (ColumnOutput output =
                        new ColumnOutput(context.allocator(), rows.count, row -> misfit(column, row))) {
                    columns.add(parsers[i].parse(fields, output));
                }
            }
            Block block = Block.of(schema, columns, rows.count);
            done = true;
            return block;
        } finally {
            if (!done) {
                columns.forEach(Column::release);
            }
        }
    }

    private void misfit(int column, int row) {
        if (format.options().takesMisfitsAsNull()) {
            return;
        }
        Field field = schema.field(column);
        String value = errors.shown(fields.bytes, fields.from[row], fields.to[row]);
        boolean text = field.type() instanceof DataType.Utf8;
        broken.found(
                window.position + rows.starts[row],
                text
                        ? value + " in column '" + field.name()
                                + "' is not UTF-8. Read the file by ReadCsv.latin1(), or the"
                                + " column by ReadCsv.column(\"" + field.name() + "\", DataType.BINARY)."
                        : value + " in column '" + field.name() + "' is no " + field.type()
                                + TextValues.problem(fields.bytes, fields.from[row], fields.to[row], field.type())
                                + ". Give the column another type by ReadCsv.column(\"" + field.name()
                                + "\", DataType.UTF8), or take such values as null by ReadCsv.misfitsAsNull()"
                                + (format.options().types().containsKey(field.name())
                                        ? "."
                                        : "; the type came from the first "
                                                + format.options().sampleBytes()
                                                + " bytes of the files looked at, see ReadCsv.sampleBytes."));
        misfits.set(row);
    }

    @Override
    public void close() throws IOException {
        if (ready != null) {
            ready.close();
            ready = null;
        }
        window.close();
    }
}
