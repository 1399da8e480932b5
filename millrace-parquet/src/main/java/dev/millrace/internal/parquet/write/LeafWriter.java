package dev.millrace.internal.parquet.write;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.parquet.encode.ValueRange;
import dev.millrace.internal.parquet.format.BloomHeader;
import dev.millrace.internal.parquet.format.ColumnIndex;
import dev.millrace.internal.parquet.format.PageEncoding;
import dev.millrace.internal.parquet.format.PageHeaderBytes;
import dev.millrace.internal.parquet.format.PageIndexBytes;
import dev.millrace.internal.parquet.format.PhysicalType;
import dev.millrace.internal.parquet.format.WrittenBounds;
import dev.millrace.internal.parquet.format.WrittenChunk;
import dev.millrace.parquet.WriteParquet;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// Writes one leaf column of a file: encodes values into pages and holds these until the row group ends. One thread.
final class LeafWriter implements AutoCloseable {
    private final LeafPlan plan;
    private final WriteParquet.Pages sizes;
    private final WriteScratch scratch;
    private final PageCompressor compressor;
    private final LeafValues values;
    private final PageLevels levels;
    private final PageBytes finished;
    private final List<PageIndexBytes.Page> pages = new ArrayList<>();
    private final Map<PageEncoding, Integer> encodings = new EnumMap<>(PageEncoding.class);
    private final byte[] definitions = new byte[WriteScratch.BATCH];
    private int rowsInPage;
    private long rowsBefore;
    private long entriesBefore;
    private long nullsBefore;
    private long uncompressedBytes;

    LeafWriter(LeafPlan plan, WriteParquet options, WriteScratch scratch, PageCompressor compressor) {
        this.plan = plan;
        this.sizes = options.pages();
        this.scratch = scratch;
        this.compressor = compressor;
        PhysicalType type = plan.leaf().element().type();
        boolean isBytes = type == PhysicalType.BYTE_ARRAY
                || type == PhysicalType.FIXED_LEN_BYTE_ARRAY && plan.type() instanceof DataType.Decimal;
        values = isBytes
                ? BytesValues.of(scratch, plan, options.dictionaryBytes())
                : NumberValues.of(scratch, plan, options.dictionaryBytes());
        levels = new PageLevels(plan.leaf().definition(), plan.leaf().repetition(), scratch.allocator);
        finished = new PageBytes(scratch.allocator);
    }

    LeafPlan plan() {
        return plan;
    }

    /// The maximum number of rows of a page.
    int mostRows() {
        return sizes.rows();
    }

    /// The encoded bytes of the row group so far.
    long encodedBytes() {
        return finished.size() + values.pageBytes() + values.dictionaryPageBytes();
    }

    long heldBytes() {
        return finished.heldBytes() + values.heldBytes() + levels.heldBytes();
    }

    /// Adds a column outside of lists and structs.
    void add(Column column) {
        long rows = column.length();
        boolean hasNulls = column.hasNulls();
        for (long from = 0; from < rows; ) {
            int count = (int) Math.min(Math.min(WriteScratch.BATCH, rows - from), sizes.rows() - rowsInPage);
            count = within(column, from, count);
            if (hasNulls) {
                addSome(column, from, count);
            } else {
                levels.addValues(count);
                values.add(column, from, count);
            }
            from += count;
            rowsInPage += count;
            endFullPage();
        }
    }

    /// Limits the number of values if they are long.
    private int within(Column column, long from, int count) {
        int fewer = count;
        if (column instanceof VariableWidthColumn strings) {
            while (fewer > 1 && strings.end(from + fewer - 1) - strings.start(from) > sizes.bytes()) {
                fewer /= 2;
            }
        }
        return fewer;
    }

    private void addSome(Column column, long from, int count) {
        int[] positions = scratch.positions;
        int present = 0;
        if (column instanceof DictionaryColumn || column instanceof NullColumn) {
            for (int i = 0; i < count; i++) {
                boolean there = !column.isNull(from + i);
                positions[present] = (int) from + i;
                present += there ? 1 : 0;
                definitions[i] = (byte) (there ? 1 : 0);
            }
        } else {
            MemorySegment validity = Objects.requireNonNull(column.validityBuffer(), "a column with nulls has bits")
                    .segment();
            long bit = column.validityOffset() + from;
            for (int i = 0; i < count; i++) {
                int there = Bits.get(validity, bit + i) ? 1 : 0;
                positions[present] = (int) from + i;
                present += there;
                definitions[i] = (byte) there;
            }
        }
        levels.add(definitions, count, present);
        if (present == count) {
            values.add(column, from, count);
        } else if (present > 0) {
            values.add(column, positions, 0, present);
        }
    }

    /// Adds entries of a nested column; the index of `slots` is consumed.
    ///
    /// @param rows the number of rows that the entries make up
    void add(NestedSlots slots, Column column, int rows) {
        if (rowsInPage > 0 && rowsInPage + rows > sizes.rows()) {
            endPage(false);
        }
        int present = 0;
        int[] index = slots.index;
        for (int i = 0; i < slots.count; i++) {
            int at = index[i];
            index[present] = at;
            present += at < 0 ? 0 : 1;
        }
        levels.add(slots.definition, slots.repetition, slots.count, present);
        for (int from = 0; from < present; from += WriteScratch.BATCH) {
            values.add(column, index, from, Math.min(WriteScratch.BATCH, present - from));
        }
        rowsInPage += rows;
        endFullPage();
    }

    private void endFullPage() {
        if (rowsInPage >= sizes.rows() || values.pageBytes() >= sizes.bytes() || values.isDictionaryFull()) {
            endPage(false);
        }
    }

    private void endPage(boolean last) {
        GrowingBuffer body = scratch.body;
        body.clear();
        int repetitionBytes = 0;
        int definitionBytes = 0;
        if (levels.hasRepetitions()) {
            repetitionBytes = putLevels(body, true);
        }
        if (levels.hasDefinitions()) {
            definitionBytes = putLevels(body, false);
        }
        long levelsEnd = body.size();
        PageEncoding encoding = values.encodePage(body, last);
        encodings.merge(encoding, 1, Integer::sum);
        int start = sizes.v2() ? (int) levelsEnd : 0;
        GrowingBuffer compressed = scratch.compressed;
        compressed.clear();
        boolean isCompressed = true;
        compressed.put(body.memory(), 0, start);
        compressor.compress(body.contents().asSlice(start), compressed);
        if (sizes.v2() && compressed.size() >= body.size()) {
            isCompressed = false;
            compressed.clear();
            compressed.put(body.memory(), 0, body.size());
        }
        int uncompressed = (int) body.size();
        int size = (int) compressed.size();
        scratch.header.clear();
        if (sizes.v2()) {
            PageHeaderBytes.V2 v2 =
                    new PageHeaderBytes.V2(rowsInPage, levels.nulls(), definitionBytes, repetitionBytes, isCompressed);
            PageHeaderBytes.dataV2(
                    levels.entries(), encoding, uncompressed, size, checksum(compressed), v2, scratch.header);
        } else {
            PageHeaderBytes.data(levels.entries(), encoding, uncompressed, size, checksum(compressed), scratch.header);
        }
        long offset = finished.size();
        finished.put(scratch.header.bytes(), scratch.header.size());
        finished.put(compressed.memory(), size);
        uncompressedBytes += uncompressed + scratch.header.size();
        pages.add(new PageIndexBytes.Page(
                offset,
                (int) (finished.size() - offset),
                rowsBefore,
                bounds(values.page),
                levels.entries(),
                levels.nulls()));
        rowsBefore += rowsInPage;
        entriesBefore += levels.entries();
        nullsBefore += levels.nulls();
        rowsInPage = 0;
        levels.clear();
        values.clearPage();
    }

    /// Pages of version 1 have the length of each kind of levels before it.
    private int putLevels(GrowingBuffer body, boolean repetitions) {
        long place = body.size();
        if (!sizes.v2()) {
            body.putInt(0);
        }
        long from = body.size();
        if (repetitions) {
            levels.repetitions(body);
        } else {
            levels.definitions(body);
        }
        int length = (int) (body.size() - from);
        if (!sizes.v2()) {
            body.memory().set(JAVA_INT_UNALIGNED, place, length);
        }
        return length;
    }

    private @Nullable Integer checksum(GrowingBuffer bytes) {
        if (!sizes.checksums()) {
            return null;
        }
        CRC32 crc = new CRC32();
        crc.update(bytes.contents().asByteBuffer());
        return (int) crc.getValue();
    }

    private static @Nullable WrittenBounds bounds(ValueRange range) {
        return range.isEmpty()
                ? null
                : new WrittenBounds(range.min(), range.isMinExact(), range.max(), range.isMaxExact());
    }

    /// A column chunk that was written to the file.
    ///
    /// @param pages with their positions in the file
    record Written(WrittenChunk chunk, List<PageIndexBytes.Page> pages, ColumnIndex.Order order) {}

    /// Ends the row group: writes its pages, and starts the next one.
    ///
    /// @param position the current position of `out`
    Written end(long position, WritableByteChannel out) throws IOException {
        if (rowsInPage > 0) {
            endPage(true);
        }
        long dictionaryOffset = -1;
        long dictionaryBytes = 0;
        if (values.hasDictionary()) {
            dictionaryOffset = position;
            dictionaryBytes = writeDictionary(out);
        }
        long dataOffset = position + dictionaryBytes;
        finished.writeTo(out);
        List<PageIndexBytes.Page> placed = pages.stream()
                .map(page -> new PageIndexBytes.Page(
                        dataOffset + page.offset(),
                        page.compressedBytes(),
                        page.firstRow(),
                        page.bounds(),
                        page.values(),
                        page.nulls()))
                .toList();
        WrittenChunk chunk = new WrittenChunk(
                plan.leaf().element().leafType(),
                plan.path(),
                compressor.codec(),
                entriesBefore,
                uncompressedBytes,
                dictionaryBytes + finished.size(),
                dataOffset,
                dictionaryOffset,
                encodings.entrySet().stream()
                        .map(count -> new WrittenChunk.PageCount(count.getKey(), count.getValue()))
                        .toList(),
                sizes.v2(),
                bounds(values.chunk),
                nullsBefore,
                -1,
                0);
        Written written = new Written(chunk, placed, order());
        clear();
        return written;
    }

    /// Writes the bloom filter of the row group that ended last, if one is wanted.
    Written writeBloomFilter(Written written, long position, WritableByteChannel out) throws IOException {
        if (values.bloom == null) {
            return written;
        }
        MemorySegment bits = values.bloom.finish();
        if (bits.byteSize() == 0) {
            return written;
        }
        scratch.header.clear();
        BloomHeader.write((int) bits.byteSize(), scratch.header);
        GrowingBuffer body = scratch.body;
        body.clear();
        body.put(scratch.header.bytes(), scratch.header.size());
        PageBytes.write(body.contents(), out);
        PageBytes.write(bits, out);
        int bytes = (int) (body.size() + bits.byteSize());
        values.bloom.clear();
        return new Written(written.chunk().withBloomFilter(position, bytes), written.pages(), written.order());
    }

    private int writeDictionary(WritableByteChannel out) throws IOException {
        GrowingBuffer body = scratch.body;
        body.clear();
        values.dictionaryPage(body);
        GrowingBuffer compressed = scratch.compressed;
        compressed.clear();
        compressor.compress(body.contents(), compressed);
        scratch.header.clear();
        PageHeaderBytes.dictionary(
                values.dictionarySize(),
                (int) body.size(),
                (int) compressed.size(),
                checksum(compressed),
                scratch.header);
        uncompressedBytes += scratch.header.size() + body.size();
        body.clear();
        body.put(scratch.header.bytes(), scratch.header.size());
        PageBytes.write(body.contents(), out);
        PageBytes.write(compressed.contents(), out);
        return (int) (body.size() + compressed.size());
    }

    /// The order of the bounds of consecutive pages.
    private ColumnIndex.Order order() {
        boolean ascending = true;
        boolean descending = true;
        byte[] minBefore = null;
        byte[] maxBefore = null;
        for (PageIndexBytes.Page page : pages) {
            WrittenBounds bounds = page.bounds();
            byte[] max = bounds == null ? null : bounds.max();
            if (bounds == null || max == null) {
                continue;
            }
            if (minBefore != null && maxBefore != null) {
                int mins = values.page.compare(minBefore, bounds.min());
                int maxs = values.page.compare(maxBefore, max);
                ascending &= mins <= 0 && maxs <= 0;
                descending &= mins >= 0 && maxs >= 0;
            }
            minBefore = bounds.min();
            maxBefore = max;
        }
        return ascending
                ? ColumnIndex.Order.ASCENDING
                : descending ? ColumnIndex.Order.DESCENDING : ColumnIndex.Order.UNORDERED;
    }

    private void clear() {
        finished.close();
        pages.clear();
        encodings.clear();
        rowsBefore = 0;
        entriesBefore = 0;
        nullsBefore = 0;
        uncompressedBytes = 0;
        values.clearChunk();
    }

    @Override
    public void close() {
        values.close();
        levels.close();
        finished.close();
    }
}
