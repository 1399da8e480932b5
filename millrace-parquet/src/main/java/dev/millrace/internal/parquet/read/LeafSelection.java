package dev.millrace.internal.parquet.read;

import dev.millrace.column.Column;
import dev.millrace.internal.parquet.decode.HybridReader;
import dev.millrace.internal.parquet.decode.ValueKind;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.PageHeader;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.memory.Allocator;
import java.util.Arrays;

/// Reads chosen rows of a leaf column without lists: only their values are materialised, and pages without chosen rows
/// are not even decompressed. Works on the pages of a [LeafReader], between its reads. One thread.
final class LeafSelection implements AutoCloseable {
    private static final byte[] NO_BYTES = {};
    private static final int[] NO_INTS = {};

    private final SchemaNode.Leaf leaf;
    private final LeafPages pages;
    private final Allocator allocator;
    private final LeafSink sink;
    private final SpareArrays spare;
    private byte[] definitions = NO_BYTES;
    /// Both are taken from `spare` when rows are read, and hold at least as many; empty before.
    private int[] picks = NO_INTS;

    private byte[] there = NO_BYTES;

    LeafSelection(LeafReader reader, Allocator allocator) {
        this.leaf = reader.leaf();
        this.pages = reader.pages();
        this.allocator = allocator;
        this.spare = reader.spare();
        this.sink = LeafSink.of(ValueKind.of(leaf.element(), leaf.type(), leaf.int96()), allocator);
    }

    private void begin(int count) {
        sink.begin(count, 16L * count);
        if (there.length < count) {
            spare.giveBack(there);
            there = spare.bytes(count);
        }
        if (picks.length < count) {
            spare.giveBack(picks);
            picks = spare.ints(count);
        }
    }

    /// Consumes the next `rows` rows and returns a column of those at the first `count` of `positions`, which are
    /// ascending.
    Column read(int rows, int[] positions, int count) {
        begin(count);
        int done = 0;
        int next = 0;
        int values = 0;
        while (done < rows) {
            if (pages.left == 0) {
                PageHeader page = pages.next();
                boolean wanted = next < count && positions[next] < done + page.values();
                if (!wanted && page.values() <= rows - done) {
                    done += page.values();
                    continue;
                }
                pages.load();
                continue;
            }
            int n = Math.min(pages.left, rows - done);
            int to = firstFrom(positions, next, count, done + n);
            values += piece(positions, next, to, done, n);
            next = to;
            pages.left -= n;
            done += n;
        }
        LeafLevels.Slots slots = new LeafLevels.Slots(count, values, values == count ? null : there);
        return LeafColumn.of(leaf, slots, sink, allocator);
    }

    /// The index, from `from` to `to`, of the first of the ascending positions that is at least `row`.
    private static int firstFrom(int[] positions, int from, int to, int row) {
        int found = Arrays.binarySearch(positions, from, to, row);
        return found < 0 ? -found - 1 : found;
    }

    /// Handles the chosen rows `from` to `to` among `n` rows of a page that begin with row `first`; returns how many of
    /// them have a value.
    private int piece(int[] positions, int from, int to, int first, int n) {
        if (leaf.definition() == 0) {
            shift(positions, from, to, first, picks);
            pick(n, to - from);
            return to - from;
        }
        if (pages.definitions().tryRun(leaf.definition(), n)) {
            shift(positions, from, to, first, picks);
            Arrays.fill(there, from, to, (byte) 1);
            pick(n, to - from);
            return to - from;
        }
        readDefinitions(n);
        int chosen = 0;
        int values = 0;
        int row = 0;
        for (int i = from; i < to; i++) {
            for (; row < positions[i] - first; row++) {
                values += definitions[row];
            }
            there[i] = definitions[row];
            picks[chosen] = values;
            chosen += definitions[row];
        }
        for (; row < n; row++) {
            values += definitions[row];
        }
        pick(values, chosen);
        return chosen;
    }

    private static void shift(int[] positions, int from, int to, int first, int[] target) {
        for (int i = from; i < to; i++) {
            target[i - from] = positions[i] - first;
        }
    }

    /// Consumes `values` values of the page and adds those at the first `chosen` of `picks`.
    private void pick(int values, int chosen) {
        if (chosen == 0) {
            pages.skipValues(values);
        } else {
            sink.pick(pages, values, picks, chosen);
        }
    }

    /// Reads levels as one byte per entry, 1 for a value, 0 for a null.
    private void readDefinitions(int n) {
        if (definitions.length < n) {
            definitions = new byte[n];
        }
        pages.definitions().read(definitions, 0, n);
        for (int i = 0; i < n; i++) {
            if (definitions[i] > leaf.definition()) {
                throw new MalformedParquet(
                        "a definition level of " + definitions[i] + " where " + leaf.definition() + " is the most");
            }
            definitions[i] = (byte) (definitions[i] == leaf.definition() ? 1 : 0);
        }
    }

    /// Ensures that the page with the next row is loaded. To be called only while there are rows.
    void loadPage() {
        while (pages.left == 0) {
            pages.next();
            pages.load();
        }
    }

    /// The number of rows left in the loaded page if it is dictionary-encoded, otherwise 0.
    int dictionaryRows() {
        return pages.isDictionary() ? pages.left : 0;
    }

    /// Reads the dictionary before any rows; false if there is none.
    boolean loadDictionary() {
        return pages.loadDictionary();
    }

    /// The dictionary's values, followed by a null.
    Column dictionary() {
        int size = pages.decoders().dictionarySize();
        begin(size + 1);
        for (int i = 0; i < size; i++) {
            picks[i] = i;
        }
        Arrays.fill(there, 0, size, (byte) 1);
        there[size] = 0;
        return fromDictionary(picks, size, size + 1);
    }

    /// Reads the indices of the next `rows` rows, which are in one dictionary-encoded page; a null gets the index after
    /// the dictionary's last one.
    void readIndices(int rows, int[] target) {
        HybridReader indices = pages.decoders().indices();
        pages.left -= rows;
        if (leaf.definition() == 0 || pages.definitions().tryRun(leaf.definition(), rows)) {
            indices.read(target, 0, rows);
            return;
        }
        readDefinitions(rows);
        int values = 0;
        for (int i = 0; i < rows; i++) {
            values += definitions[i];
        }
        indices.read(target, 0, values);
        int none = pages.decoders().dictionarySize();
        int from = values;
        for (int i = rows - 1; i >= 0; i--) {
            from -= definitions[i];
            target[i] = definitions[i] != 0 ? target[from] : none;
        }
    }

    /// The column of the values for the first `count` of `indices`; in a nullable column, the index after the
    /// dictionary's last one is null.
    Column fromDictionary(int[] indices, int count) {
        begin(count);
        if (leaf.definition() == 0) {
            return fromDictionary(indices, count, count);
        }
        int values = leaveOut(indices, count, pages.decoders().dictionarySize(), picks, there);
        return fromDictionary(picks, values, count);
    }

    /// Collects the indices other than `none`, and marks which ones they are; returns how many were collected.
    private static int leaveOut(int[] indices, int count, int none, int[] others, byte[] areOthers) {
        int values = 0;
        for (int i = 0; i < count; i++) {
            int index = indices[i];
            others[values] = index;
            areOthers[i] = (byte) (index == none ? 0 : 1);
            values += areOthers[i];
        }
        return values;
    }

    private Column fromDictionary(int[] indices, int values, int count) {
        sink.addFromDictionary(pages.decoders(), indices, values);
        LeafLevels.Slots slots = new LeafLevels.Slots(count, values, values == count ? null : there);
        return LeafColumn.of(leaf, slots, sink, allocator);
    }

    @Override
    public void close() {
        spare.giveBack(there);
        spare.giveBack(picks);
        there = NO_BYTES;
        picks = NO_INTS;
        sink.close();
    }
}
