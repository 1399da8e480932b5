package dev.millrace.internal.parquet.read;

import dev.millrace.column.Column;
import dev.millrace.internal.parquet.decode.ValueKind;
import dev.millrace.internal.parquet.format.ColumnChunk;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.PageHeader;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// Reads one leaf column of one row group: [#read] decodes the entries of the next rows, [#take] returns them as a
/// column. One thread.
final class LeafReader implements AutoCloseable {
    /// The maximum string memory that is reserved from the footer's estimate; beyond it memory grows with the data.
    private static final double MAX_EXPECTED_BYTES = 32 << 20;

    private static final int ENTRIES = 4096;
    private static final byte[] NONE = {};

    private final SchemaNode.Leaf leaf;
    private final ValueKind kind;
    private final LeafPages pages;
    private final Allocator allocator;
    private final LeafLevels levels;
    private final LeafSink sink;
    private final double bytesPerValue;

    /// Null unless dictionary columns are produced.
    private @Nullable LeafCodes codes;

    private final SpareArrays spare;
    /// For a column with lists: the next levels, from `at` to `to`. For others scratch, empty until it is needed.
    private byte[] someDefinitions;

    private final byte[] someRepetitions;
    private int at;
    private int to;

    /// @param run null if pages are read sequentially
    LeafReader(
            SchemaNode.Leaf leaf,
            ColumnChunk chunk,
            PageReader pages,
            WantedPages.@Nullable Run run,
            SpareArrays spare,
            Allocator allocator) {
        if (chunk.type() != leaf.element().type()) {
            throw new MalformedParquet("it is " + chunk.type() + " in the row group and "
                    + leaf.element().type() + " in the schema");
        }
        if (leaf.definition() > Byte.MAX_VALUE) {
            throw new MalformedParquet("it is nested too deep");
        }
        this.leaf = leaf;
        this.kind = ValueKind.of(leaf.element(), leaf.type(), leaf.int96());
        this.pages = new LeafPages(leaf, kind, chunk, pages, run, allocator);
        this.spare = spare;
        this.allocator = allocator;
        this.levels = new LeafLevels(leaf.definition(), leaf.repetition() > 0, allocator);
        this.sink = LeafSink.of(kind, allocator);
        this.bytesPerValue = (double) chunk.estimatedBytes() / Math.max(1, chunk.values());
        this.someRepetitions = leaf.repetition() > 0 ? new byte[ENTRIES] : NONE;
        this.someDefinitions = leaf.repetition() > 0 ? new byte[ENTRIES] : NONE;
    }

    LeafLevels levels() {
        return levels;
    }

    SchemaNode.Leaf leaf() {
        return leaf;
    }

    LeafPages pages() {
        return pages;
    }

    SpareArrays spare() {
        return spare;
    }

    /// Produces dictionary columns from now on, if that saves memory. Called before the first read.
    ///
    /// @param rows of the row group
    void encode(long rows) {
        codes = LeafCodes.of(leaf, pages, kind, rows, allocator);
    }

    /// The type of the columns that are produced.
    DataType type() {
        return codes == null ? leaf.type() : codes.type();
    }

    /// Reads the entries of the next `rows` rows, which must exist.
    void read(int rows) {
        levels.clear();
        if (codes != null) {
            codes.begin(rows);
        } else {
            sink.begin(rows, (long) Math.min(MAX_EXPECTED_BYTES, rows * bytesPerValue * 1.25));
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

    /// Skips `rows` rows, so that row number `row` of the row group is next.
    void moveTo(long row, long rows) {
        long from = pages.seek(row);
        if (from >= 0) {
            at = 0;
            to = 0;
        }
        long todo = from < 0 ? rows : row - from;
        if (todo > 0) {
            skip(todo);
        }
    }

    private void readFlat(int rows) {
        int done = 0;
        while (done < rows) {
            if (pages.left == 0) {
                pages.next();
                pages.load();
                continue;
            }
            int n = Math.min(pages.left, rows - done);
            int values = n;
            if (leaf.definition() == 0 || pages.definitions().tryRun(leaf.definition(), n)) {
                levels.addFull(n);
            } else {
                values = levels.add(pages.definitions(), n);
            }
            addValues(values);
            pages.left -= n;
            done += n;
        }
    }

    private void skipFlat(long rows) {
        long todo = rows;
        while (todo > 0) {
            if (pages.left == 0) {
                PageHeader page = pages.next();
                if (page.values() <= todo) {
                    todo -= page.values();
                    continue;
                }
                pages.load();
            }
            int n = (int) Math.min(pages.left, todo);
            int values = n;
            if (leaf.definition() > 0 && !pages.definitions().tryRun(leaf.definition(), n)) {
                n = Math.min(n, ENTRIES);
                if (someDefinitions.length == 0) {
                    someDefinitions = new byte[ENTRIES];
                }
                pages.definitions().read(someDefinitions, 0, n);
                values = levels.values(someDefinitions, 0, n);
            }
            pages.skipValues(values);
            pages.left -= n;
            todo -= n;
        }
    }

    /// @param keep true to keep the entries, false to skip them
    private void readNested(long rows, boolean keep) {
        long begun = 0;
        while (true) {
            if (at == to) {
                if (pages.left == 0) {
                    if (!pages.hasNext() || begun == rows && pages.beginsWithARow()) {
                        break;
                    }
                    pages.next();
                    pages.load();
                    continue;
                }
                to = Math.min(ENTRIES, pages.left);
                at = 0;
                pages.left -= to;
                readLevels(to);
            }
            int from = at;
            if (begun == 0 && someRepetitions[at] != 0) {
                throw new MalformedParquet("its first entry has a repetition level of " + someRepetitions[at]
                        + ", so it is not the beginning of a row");
            }
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
            if (keep) {
                addValues(levels.add(someRepetitions, someDefinitions, from, at - from));
            } else {
                pages.skipValues(levels.values(someDefinitions, from, at - from));
            }
            if (end) {
                return;
            }
        }
        if (begun < rows) {
            throw new MalformedParquet("it has " + (rows - begun) + " rows less than its row group");
        }
    }

    private void readLevels(int entries) {
        pages.repetitions().read(someRepetitions, 0, entries);
        pages.definitions().read(someDefinitions, 0, entries);
        for (int i = 0; i < entries; i++) {
            if (someRepetitions[i] > leaf.repetition()) {
                throw new MalformedParquet(
                        "a repetition level of " + someRepetitions[i] + " where " + leaf.repetition() + " is the most");
            }
        }
    }

    private void addValues(int values) {
        if (values == 0) {
            return;
        }
        if (codes != null) {
            codes.add(pages, values);
        } else {
            sink.add(pages, values);
        }
    }

    /// The column of what was read last; the caller owns one reference to each buffer.
    Column take() {
        LeafLevels.Slots slots = levels.slots(leaf);
        if (codes != null) {
            return codes.take(slots);
        }
        return LeafColumn.of(leaf, slots, sink, allocator);
    }

    @Override
    public void close() {
        levels.close();
        if (codes != null) {
            codes.close();
        }
        sink.close();
        pages.close();
    }
}
