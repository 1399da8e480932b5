package dev.millrace.internal.parquet.read;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.millrace.internal.parquet.decode.BytesDecoder;
import dev.millrace.internal.parquet.decode.FixedDecoder;
import dev.millrace.internal.parquet.decode.HybridReader;
import dev.millrace.internal.parquet.decode.PageDecoders;
import dev.millrace.internal.parquet.decode.ValueKind;
import dev.millrace.internal.parquet.format.ColumnChunk;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.PageEncoding;
import dev.millrace.internal.parquet.format.PageHeader;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Iterates over the pages of one leaf column and holds the decoders of the current page. [#next] advances to a page
/// without reading it, [#load] makes its levels and values readable. One thread.
final class LeafPages implements AutoCloseable {
    private final SchemaNode.Leaf leaf;
    private final ValueKind kind;
    private final PageReader pages;
    private final PageDecoders decoders;
    private final HybridReader definitions = new HybridReader();
    private final HybridReader repetitions = new HybridReader();

    /// Null if pages are read sequentially.
    private final WantedPages.@Nullable Run run;
    /// The number of the data page after the one read last.
    private int nextPage;

    private final long start;
    /// Whether a page was read.
    private boolean begun;

    /// The number of entries in the chunk's pages not yet begun; meaningless if pages are skipped.
    private long unread;

    /// The page that [#next] advanced to.
    private @Nullable PageHeader page;
    /// Of the loaded page: one of the two, by the kind of the values.
    private @Nullable FixedDecoder fixedValues;

    private @Nullable BytesDecoder bytesValues;
    private boolean isDictionary;

    /// The number of entries left in the loaded page; decremented by the caller that takes some.
    int left;

    LeafPages(
            SchemaNode.Leaf leaf,
            ValueKind kind,
            ColumnChunk chunk,
            PageReader pages,
            WantedPages.@Nullable Run run,
            Allocator allocator) {
        this.leaf = leaf;
        this.kind = kind;
        this.pages = pages;
        this.decoders = new PageDecoders(chunk.type(), kind, allocator);
        this.unread = chunk.values();
        this.run = run;
        this.start = chunk.start();
        if (run != null) {
            pages.limit(run.windowEnd(0));
        }
    }

    boolean hasNext() {
        return run != null ? nextPage < run.places().pages() : unread > 0;
    }

    /// Whether the next page is known to begin with a row.
    boolean beginsWithARow() {
        return run != null;
    }

    /// Moves to the page that contains `row` without reading the pages before it. Returns the first row of that page;
    /// -1 if the locations of pages are unknown, or if the row is in the current page.
    long seek(long row) {
        if (run == null) {
            return -1;
        }
        int page = run.places().pageOf(row);
        if (page < nextPage) {
            return -1;
        }
        loadDictionary();
        pages.seek(run.places().offset(page), run.windowEnd(page));
        nextPage = page;
        left = 0;
        return run.places().firstRow(page);
    }

    /// Reads the dictionary before any data page, if the chunk begins with one; returns whether it does.
    boolean loadDictionary() {
        if (!begun) {
            begun = true;
            PageHeader header = pages.next();
            if (header.kind() == PageHeader.DICTIONARY) {
                readDictionary(header);
            } else {
                pages.seek(start, run == null ? Long.MAX_VALUE : run.windowEnd(0));
            }
        }
        return decoders.dictionarySize() > 0;
    }

    private void readDictionary(PageHeader header) {
        pages.load();
        decoders.dictionary(pages.data(), pages.from(), pages.to(), header.values());
    }

    /// Advances to the next data page, without loading it; a dictionary page before it is read.
    PageHeader next() {
        begun = true;
        if (!hasNext()) {
            throw new MalformedParquet("it has fewer values than its row group has rows");
        }
        while (true) {
            PageHeader header = pages.next();
            switch (header.kind()) {
                case PageHeader.DICTIONARY -> readDictionary(header);
                case PageHeader.DATA, PageHeader.DATA_V2 -> {
                    count(header);
                    page = header;
                    return header;
                }
                default -> {
                    // An index page or one of a later version of the format.
                }
            }
        }
    }

    private void count(PageHeader header) {
        if (run == null) {
            if (header.values() > unread) {
                throw new MalformedParquet(
                        "a page has " + header.values() + " values, its column only " + unread + " more");
            }
            unread -= header.values();
            return;
        }
        long rows = run.places().endRow(nextPage) - run.places().firstRow(nextPage);
        if (leaf.repetition() == 0 && header.values() != rows) {
            throw new MalformedParquet("a page has " + header.values() + " values, and " + rows + " by the page index");
        }
        nextPage++;
    }

    void load() {
        PageHeader page = Objects.requireNonNull(this.page, "a page is loaded after next() advanced to it");
        PageEncoding encoding = page.requireEncoding();
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
                throw new MalformedParquet("its levels are in the encoding BIT_PACKED, which is not supported");
            }
            from = levels(repetitions, leaf.repetition(), data, from, end);
            from = levels(definitions, leaf.definition(), data, from, end);
        }
        if (!kind.isBytes()) {
            fixedValues = decoders.fixed(encoding, data, from, end, page.values());
        } else {
            bytesValues = decoders.bytes(encoding, data, from, end, page.values());
        }
        isDictionary = encoding.isDictionary();
        left = page.values();
    }

    /// The levels of a v1 page are preceded by their length; returns the position after them.
    private static long levels(HybridReader reader, int highest, MemorySegment data, long from, long end) {
        if (highest == 0) {
            reader.reset(data, from, from, 0);
            return from;
        }
        long bytes = end - from < 4 ? -1 : data.get(JAVA_INT_UNALIGNED, from) & 0xFFFF_FFFFL;
        if (bytes < 0 || bytes > end - from - 4) {
            throw new MalformedParquet("a page's levels have " + bytes + " bytes, the page " + (end - from));
        }
        reader.reset(data, from + 4, from + 4 + bytes, bits(highest));
        return from + 4 + bytes;
    }

    private static int bits(int highest) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(highest);
    }

    HybridReader definitions() {
        return definitions;
    }

    HybridReader repetitions() {
        return repetitions;
    }

    FixedDecoder fixedValues() {
        return Objects.requireNonNull(fixedValues, "a page of values of fixed width is loaded");
    }

    BytesDecoder bytesValues() {
        return Objects.requireNonNull(bytesValues, "a page of strings is loaded");
    }

    PageDecoders decoders() {
        return decoders;
    }

    /// Whether the loaded page is dictionary-encoded.
    boolean isDictionary() {
        return isDictionary;
    }

    /// Skips values of the loaded page.
    void skipValues(int values) {
        if (values == 0) {
            return;
        }
        if (kind.isBytes()) {
            bytesValues().skip(values);
        } else {
            fixedValues().skip(values);
        }
    }

    @Override
    public void close() {
        decoders.close();
        pages.close();
    }
}
