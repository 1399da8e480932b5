package dev.millrace.internal.parquet.write;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.column.Column;
import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.parquet.encode.BloomBuilder;
import dev.millrace.internal.parquet.encode.HybridWriter;
import dev.millrace.internal.parquet.encode.PageGrowth;
import dev.millrace.internal.parquet.encode.ValueRange;
import dev.millrace.internal.parquet.format.PageEncoding;
import dev.millrace.parquet.ParquetEncoding;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The values of one leaf column, without nulls: those of the current page, in plain encoding or as codes of the row
/// group's dictionary, and their bounds. One thread.
///
/// Dictionary encoding is abandoned for the rest of the file when the dictionary grows too large or when too many
/// values are new; a first page that hardly repeats a value is converted back to plain encoding.
abstract sealed class LeafValues implements AutoCloseable permits NumberValues, BytesValues {
    /// The share of new values is measured among this many first values, and again among the following ones.
    private static final int FIRST = 6_000;

    private static final int NEXT = 6_000;
    private static final double MIN_SHARE = 0.15;
    private static final double SHARE_THAT_STAYS = 0.75;

    final WriteScratch scratch;
    final LeafPlan plan;
    final ValueRange page;
    final ValueRange chunk;
    final GrowingBuffer plain;
    final GrowingBuffer codes;
    /// Null if none is written.
    final @Nullable BloomBuilder bloom;

    private final long dictionaryBytes;
    private boolean wantsDictionary;
    private boolean inDictionary;
    /// Values continue to be new.
    private boolean goesOn;

    private double shareBefore;
    private int lookedAt;
    private int knownThen;
    private boolean hasCodedPages;

    LeafValues(WriteScratch scratch, LeafPlan plan, long dictionaryBytes, ValueRange page, ValueRange chunk) {
        this.bloom = plan.bloomFilter() ? new BloomBuilder(plan.bloomValues(), scratch.allocator) : null;
        this.scratch = scratch;
        this.plan = plan;
        this.page = page;
        this.chunk = chunk;
        this.dictionaryBytes = dictionaryBytes;
        plain = new GrowingBuffer(scratch.allocator, PageGrowth.PAGE);
        codes = new GrowingBuffer(scratch.allocator, PageGrowth.PAGE);
        wantsDictionary = plan.encoding() == ParquetEncoding.DICTIONARY && dictionaryBytes > 0;
        inDictionary = wantsDictionary;
    }

    final boolean inDictionary() {
        return inDictionary;
    }

    /// Adds values `from` to `from + count` of a column, none of them null.
    abstract void add(Column column, long from, int count);

    /// Adds the values at these positions, none of them null.
    abstract void add(Column column, int[] positions, int from, int count);

    /// The number of values in the page so far.
    abstract int count();

    abstract int dictionarySize();

    /// The size of the dictionary page.
    abstract long dictionaryPageBytes();

    abstract void dictionaryPage(GrowingBuffer out);

    /// Converts the page's codes back to plain encoding.
    abstract void plainFromCodes();

    abstract void clearDictionary();

    /// Appends the page's values, so far in plain encoding, in the requested encoding.
    abstract PageEncoding encodePlain(GrowingBuffer out);

    /// The approximate size of the page's values before compression.
    final long pageBytes() {
        return inDictionary ? codes.size() / 4 * HybridWriter.bitsFor(dictionarySize()) / 8 : plain.size();
    }

    /// True if the page must end before more values are added.
    final boolean isDictionaryFull() {
        return inDictionary && dictionaryPageBytes() > dictionaryBytes;
    }

    long heldBytes() {
        return plain.heldBytes() + codes.heldBytes() + (bloom == null ? 0 : bloom.heldBytes());
    }

    /// Appends the page's values.
    ///
    /// @param last the chunk ends with this page
    final PageEncoding encodePage(GrowingBuffer out, boolean last) {
        if (!inDictionary) {
            return encodePlain(out);
        }
        int values = count();
        if (values == 0) {
            return PageEncoding.PLAIN;
        }
        int bits = Math.max(1, HybridWriter.bitsFor(dictionarySize() - 1));
        if (last && !hasCodedPages && isUseless(values, bits)) {
            turnToPlain();
            return encodePlain(out);
        }
        hasCodedPages = true;
        out.putByte(bits);
        HybridWriter.ints(codes.memory(), values, bits, out);
        codes.clear();
        if (isDictionaryFull() || goesOn) {
            wantsDictionary = false;
            inDictionary = false;
        }
        lookedAt = 0;
        knownThen = dictionarySize();
        return PageEncoding.RLE_DICTIONARY;
    }

    /// Whether a dictionary does not make the only page of a chunk smaller.
    private boolean isUseless(int values, int bits) {
        long average = dictionaryPageBytes() / Math.max(1, dictionarySize());
        return dictionaryPageBytes() + (long) values * bits / 8 >= average * values;
    }

    /// Checks, from time to time, whether values continue to be new.
    final void look() {
        if (!inDictionary || goesOn) {
            return;
        }
        int values = count();
        if (values - lookedAt < (shareBefore == 0 ? FIRST : NEXT)) {
            return;
        }
        double share = (double) (dictionarySize() - knownThen) / (values - lookedAt);
        goesOn = share > MIN_SHARE && share > shareBefore * SHARE_THAT_STAYS && shareBefore > 0;
        shareBefore = Math.max(share, Double.MIN_VALUE);
        lookedAt = values;
        knownThen = dictionarySize();
        if (goesOn && !hasCodedPages) {
            turnToPlain();
            wantsDictionary = false;
        }
    }

    private void turnToPlain() {
        plainFromCodes();
        codes.clear();
        clearDictionary();
        inDictionary = false;
    }

    final boolean hasDictionary() {
        return hasCodedPages;
    }

    /// Starts the next page.
    void clearPage() {
        chunk.add(page);
        page.clear();
        plain.clear();
    }

    /// Starts the next row group.
    void clearChunk() {
        chunk.clear();
        clearDictionary();
        inDictionary = wantsDictionary;
        hasCodedPages = false;
        goesOn = false;
        shareBefore = 0;
        lookedAt = 0;
        knownThen = 0;
    }

    static int code(MemorySegment codes, long index) {
        return codes.getAtIndex(JAVA_INT, index);
    }

    @Override
    public void close() {
        plain.close();
        codes.close();
        if (bloom != null) {
            bloom.close();
        }
    }
}
