package dev.millrace.internal.parquet.read;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.internal.parquet.decode.BytesDecoder;
import dev.millrace.internal.parquet.decode.BytesSink;
import dev.millrace.internal.parquet.decode.Decoders;
import dev.millrace.internal.parquet.decode.FixedDecoder;
import dev.millrace.internal.parquet.decode.HybridReader;
import dev.millrace.internal.parquet.decode.ValueKind;
import dev.millrace.internal.parquet.format.ColumnChunk;
import dev.millrace.internal.parquet.format.Malformed;
import dev.millrace.internal.parquet.format.PageHeader;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// Reads one leaf column of one row group: [#read] takes the next rows' entries out of the pages, [#take] makes the
/// column of them. One thread.
final class LeafReader implements AutoCloseable {
    private static final int ENTRIES = 4096;

    private final SchemaNode.Leaf leaf;
    private final ValueKind kind;
    private final PageReader pages;
    private final Allocator allocator;
    private final Decoders decoders;
    private final Levels levels;
    private final FixedSink fixed;
    private final BytesSink bytes;
    private final HybridReader definitions = new HybridReader();
    private final HybridReader repetitions = new HybridReader();
    private final double bytesPerValue;

    /// Entries of the chunk's pages not yet begun.
    private long unread;
    /// Entries of the current page not yet read (of a column with lists: not yet in `someDefinitions`).
    private int left;

    private FixedDecoder fixedValues;
    private BytesDecoder bytesValues;
    private PageHeader pending;

    /// Of a column with lists: the next levels, from `at` to `to`. Of others scratch.
    private final byte[] someDefinitions = new byte[ENTRIES];

    private byte[] someRepetitions;
    private int at;
    private int to;

    LeafReader(SchemaNode.Leaf leaf, ColumnChunk chunk, PageReader pages, Allocator allocator) {
        if (chunk.type() != leaf.element().type()) {
            throw new Malformed("it is " + chunk.type() + " in the row group and "
                    + leaf.element().type() + " in the schema");
        }
        if (leaf.definition() > Byte.MAX_VALUE) {
            throw new Malformed("it is nested too deep");
        }
        this.leaf = leaf;
        this.kind = ValueKind.of(leaf.element(), leaf.type());
        this.pages = pages;
        this.allocator = allocator;
        this.decoders = new Decoders(chunk.type(), kind, allocator);
        this.levels = new Levels(leaf.definition(), leaf.repetition() > 0);
        this.fixed = kind.isBytes() ? null : new FixedSink(allocator, kind.width());
        this.bytes = kind.isBytes() ? new BytesSink(allocator) : null;
        this.unread = chunk.values();
        this.bytesPerValue = (double) chunk.uncompressedBytes() / Math.max(1, chunk.values());
        if (leaf.repetition() > 0) {
            someRepetitions = new byte[ENTRIES];
        }
    }

    Levels levels() {
        return levels;
    }

    /// For errors.
    String place() {
        return "page at byte " + pages.position();
    }

    /// Takes the entries of the next `rows` rows, which must be there.
    void read(int rows) {
        levels.clear();
        if (fixed != null) {
            fixed.begin(rows);
        } else {
            bytes.begin(rows, (long) (rows * bytesPerValue * 1.25));
        }
        if (leaf.repetition() > 0) {
            readNested(rows, true);
        } else {
            readFlat(rows);
        }
    }

    void skip(long rows) {
        levels.clear();
        if (leaf.repetition() > 0) {
            readNested(rows, false);
        } else {
            skipFlat(rows);
        }
    }

    private void readFlat(int rows) {
        int done = 0;
        while (done < rows) {
            if (left == 0) {
                nextPage();
                loadPage();
                continue;
            }
            int n = Math.min(left, rows - done);
            int values = n;
            if (leaf.definition() == 0 || definitions.tryRun(leaf.definition(), n)) {
                levels.addFull(n);
            } else {
                values = levels.add(definitions, n);
            }
            addValues(values);
            left -= n;
            done += n;
        }
    }

    private void skipFlat(long rows) {
        long todo = rows;
        while (todo > 0) {
            if (left == 0) {
                PageHeader page = nextPage();
                if (page.values() <= todo) {
                    todo -= page.values();
                    pending = null;
                    continue;
                }
                loadPage();
            }
            int n = (int) Math.min(left, todo);
            int values = n;
            if (leaf.definition() > 0 && !definitions.tryRun(leaf.definition(), n)) {
                n = Math.min(n, ENTRIES);
                definitions.read(someDefinitions, 0, n);
                values = levels.values(someDefinitions, 0, n);
            }
            skipValues(values);
            left -= n;
            todo -= n;
        }
    }

    /// @param keep whether what is read is kept or skipped
    private void readNested(long rows, boolean keep) {
        long begun = 0;
        while (true) {
            if (at == to) {
                if (left == 0) {
                    if (unread == 0) {
                        break;
                    }
                    nextPage();
                    loadPage();
                    continue;
                }
                to = Math.min(ENTRIES, left);
                at = 0;
                left -= to;
                readLevels(to);
            }
            int from = at;
            boolean end = false;
            while (at < to) {
                if (someRepetitions[at] == 0) {
                    if (begun == rows) {
                        end = true;
                        break;
                    }
                    begun++;
                }
                at++;
            }
            if (begun == 0 && at > from) {
                throw new Malformed("its first entry is not the beginning of a row");
            }
            if (keep) {
                addValues(levels.add(someRepetitions, someDefinitions, from, at - from));
            } else {
                skipValues(levels.values(someDefinitions, from, at - from));
            }
            if (end) {
                return;
            }
        }
        if (begun < rows) {
            throw new Malformed("it has " + (rows - begun) + " rows less than its row group");
        }
    }

    private void readLevels(int entries) {
        repetitions.read(someRepetitions, 0, entries);
        definitions.read(someDefinitions, 0, entries);
        for (int i = 0; i < entries; i++) {
            if (someRepetitions[i] > leaf.repetition()) {
                throw new Malformed("a repetition level of " + someRepetitions[i] + " where " + leaf.repetition()
                        + " is the most");
            }
        }
    }

    private void addValues(int values) {
        if (values == 0) {
            return;
        }
        if (fixed != null) {
            fixed.add(fixedValues, values);
        } else {
            bytesValues.read(bytes, values);
        }
    }

    private void skipValues(int values) {
        if (values == 0) {
            return;
        }
        if (fixed != null) {
            fixedValues.skip(values);
        } else {
            bytesValues.skip(values);
        }
    }

    /// Moves to the next data page, not loaded; a dictionary page on the way is read.
    private PageHeader nextPage() {
        if (unread <= 0) {
            throw new Malformed("it has fewer values than its row group has rows");
        }
        while (true) {
            PageHeader page = pages.next();
            switch (page.kind()) {
                case PageHeader.DICTIONARY -> {
                    pages.load();
                    decoders.dictionary(pages.data(), pages.from(), pages.to(), page.values());
                }
                case PageHeader.DATA, PageHeader.DATA_V2 -> {
                    if (page.values() > unread) {
                        throw new Malformed("a page has " + page.values() + " values, its column only " + unread
                                + " more");
                    }
                    unread -= page.values();
                    pending = page;
                    return page;
                }
                default -> {
                    // An index page or one of a later version of the format.
                }
            }
        }
    }

    private void loadPage() {
        PageHeader page = pending;
        pending = null;
        pages.load();
        MemorySegment data = pages.data();
        long from = pages.from();
        long end = pages.to();
        if (page.kind() == PageHeader.DATA_V2) {
            long definitionsAt = from + page.repetitionBytes();
            long valuesAt = definitionsAt + page.definitionBytes();
            repetitions.reset(data, from, definitionsAt, bits(leaf.repetition()));
            definitions.reset(data, definitionsAt, valuesAt, bits(leaf.definition()));
            from = valuesAt;
        } else {
            if (page.oldLevels() && leaf.definition() > 0) {
                throw new Malformed("its levels are in the encoding BIT_PACKED, which is not supported");
            }
            from = levels(repetitions, leaf.repetition(), data, from, end);
            from = levels(definitions, leaf.definition(), data, from, end);
        }
        if (fixed != null) {
            fixedValues = decoders.fixed(page.encoding(), data, from, end, page.values());
        } else {
            bytesValues = decoders.bytes(page.encoding(), data, from, end, page.values());
        }
        left = page.values();
    }

    /// The levels of a v1 page stand behind their length; returns what follows them.
    private static long levels(HybridReader reader, int highest, MemorySegment data, long from, long end) {
        if (highest == 0) {
            reader.reset(data, from, from, 0);
            return from;
        }
        long bytes = end - from < 4 ? -1 : data.get(JAVA_INT_UNALIGNED, from) & 0xFFFF_FFFFL;
        if (bytes < 0 || bytes > end - from - 4) {
            throw new Malformed("a page's levels have " + bytes + " bytes, the page " + (end - from));
        }
        reader.reset(data, from + 4, from + 4 + bytes, bits(highest));
        return from + 4 + bytes;
    }

    private static int bits(int highest) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(highest);
    }

    /// The column of what was read last, with one reference to each buffer, which the caller owns.
    Column take() {
        Levels.Slots slots = levels.slots(leaf);
        if (leaf.type() instanceof DataType.Null) {
            return new NullColumn(slots.count());
        }
        if (slots.there() != null) {
            if (fixed != null) {
                fixed.spread(slots.there(), slots.count());
            } else {
                bytes.spread(slots.there(), slots.count());
            }
        }
        Buffer validity = slots.validity(allocator);
        try {
            return column(slots, validity);
        } catch (RuntimeException | Error e) {
            if (validity != null) {
                validity.release();
            }
            throw e;
        }
    }

    private Column column(Levels.Slots slots, Buffer validity) {
        int count = slots.count();
        if (kind.isBytes()) {
            return VariableWidthColumn.of(
                    leaf.type(), count, bytes.takeOffsets(), 4, bytes.takeData(), validity, 0, slots.nulls());
        }
        if (leaf.type() instanceof DataType.Bool) {
            Buffer bits = allocator.allocate((count + 7L) / 8);
            Levels.Slots.pack(fixed.data().asSlice(0, count).toArray(JAVA_BYTE), count, bits.segment());
            return new BooleanColumn(count, bits, validity, 0, slots.nulls());
        }
        if (leaf.type() instanceof DataType.Binary) {
            Buffer offsets = allocator.allocate(4L * (count + 1L));
            for (int i = 0; i <= count; i++) {
                offsets.segment().setAtIndex(JAVA_INT, i, Math.multiplyExact(i, kind.width()));
            }
            return VariableWidthColumn.of(leaf.type(), count, offsets, 4, fixed.take(), validity, 0, slots.nulls());
        }
        return FixedWidthColumn.of(leaf.type(), count, fixed.take(), validity, 0, slots.nulls());
    }

    @Override
    public void close() {
        if (fixed != null) {
            fixed.close();
        } else {
            bytes.close();
        }
        decoders.close();
        pages.close();
    }
}
