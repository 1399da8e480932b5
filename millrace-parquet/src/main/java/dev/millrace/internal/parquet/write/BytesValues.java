package dev.millrace.internal.parquet.write;

import dev.millrace.column.Column;
import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.parquet.encode.BytesBatch;
import dev.millrace.internal.parquet.encode.BytesDictionaryBuilder;
import dev.millrace.internal.parquet.encode.BytesRange;
import dev.millrace.internal.parquet.encode.StreamSplit;
import dev.millrace.internal.parquet.format.PageEncoding;
import dev.millrace.internal.parquet.format.PhysicalType;
import dev.millrace.type.DataType;
import io.airlift.compress.v3.xxhash.XxHash64Hasher;
import java.lang.foreign.MemorySegment;

/// Strings, binaries, and decimals that fit no integer.
final class BytesValues extends LeafValues {
    private final BytesColumns columns;
    private final BytesDictionaryBuilder dictionary;
    private final boolean prefixed;
    private final int width;
    private int count;

    private BytesValues(WriteScratch scratch, LeafPlan plan, long dictionaryBytes, BytesRange.Order order) {
        super(scratch, plan, dictionaryBytes, new BytesRange(order), new BytesRange(order));
        this.prefixed = plan.leaf().element().type() == PhysicalType.BYTE_ARRAY;
        this.width = plan.leaf().element().typeLength();
        this.columns = new BytesColumns(scratch, width);
        this.dictionary = new BytesDictionaryBuilder(scratch.allocator, prefixed);
    }

    static BytesValues of(WriteScratch scratch, LeafPlan plan, long dictionaryBytes) {
        BytesRange.Order order = switch (plan.type()) {
            case DataType.Utf8 _ -> BytesRange.Order.TEXT;
            case DataType.Decimal _ -> BytesRange.Order.DECIMAL;
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Temporal _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> BytesRange.Order.BINARY;
        };
        return new BytesValues(scratch, plan, dictionaryBytes, order);
    }

    @Override
    void add(Column column, long from, int values) {
        columns.fill(column, from, values, scratch.bytes);
        add(scratch.bytes);
    }

    @Override
    void add(Column column, int[] positions, int from, int values) {
        columns.fill(column, positions, from, values, scratch.bytes);
        add(scratch.bytes);
    }

    private void add(BytesBatch batch) {
        count += batch.count;
        if (inDictionary()) {
            // Keeps only the values that are new in the page: enough for its bounds.
            dictionary.encode(batch, codes);
        } else {
            plain(batch);
        }
        ((BytesRange) page).add(batch);
        look();
    }

    private void plain(BytesBatch batch) {
        batch.plain(plain, prefixed);
        for (int i = 0; bloom != null && i < batch.count; i++) {
            bloom.add(XxHash64Hasher.hash(batch.data.asSlice(batch.starts[i], batch.lengths[i])));
        }
    }

    @Override
    int count() {
        return count;
    }

    @Override
    int dictionarySize() {
        return dictionary.size();
    }

    @Override
    long dictionaryPageBytes() {
        return dictionary.page().size();
    }

    @Override
    void dictionaryPage(GrowingBuffer out) {
        MemorySegment page = dictionary.page().memory();
        out.put(page, 0, dictionary.page().size());
        for (int code = 0; bloom != null && code < dictionary.size(); code++) {
            bloom.add(XxHash64Hasher.hash(page.asSlice(dictionary.start(code), dictionary.length(code))));
        }
    }

    @Override
    void plainFromCodes() {
        BytesBatch batch = scratch.bytes;
        batch.data = dictionary.page().contents();
        for (int from = 0; from < count; from += WriteScratch.BATCH) {
            batch.count = Math.min(WriteScratch.BATCH, count - from);
            for (int i = 0; i < batch.count; i++) {
                int code = code(codes.memory(), (long) from + i);
                batch.starts[i] = dictionary.start(code);
                batch.lengths[i] = dictionary.length(code);
            }
            plain(batch);
        }
    }

    @Override
    void clearDictionary() {
        dictionary.clear();
    }

    @Override
    PageEncoding encodePlain(GrowingBuffer out) {
        return switch (plan.encoding()) {
            case DELTA_LENGTH_BYTE_ARRAY -> {
                scratch.deltas.lengths(plain.memory(), count, scratch.first, out);
                yield PageEncoding.DELTA_LENGTH_BYTE_ARRAY;
            }
            case DELTA_BYTE_ARRAY -> {
                scratch.deltas.strings(plain.memory(), count, scratch.first, scratch.second, out);
                yield PageEncoding.DELTA_BYTE_ARRAY;
            }
            case BYTE_STREAM_SPLIT -> {
                StreamSplit.write(plain.memory(), count, width, out);
                yield PageEncoding.BYTE_STREAM_SPLIT;
            }
            default -> {
                out.put(plain.memory(), 0, plain.size());
                yield PageEncoding.PLAIN;
            }
        };
    }

    @Override
    void clearPage() {
        super.clearPage();
        count = 0;
        dictionary.nextPage();
    }

    @Override
    long heldBytes() {
        return super.heldBytes() + dictionary.heldBytes();
    }

    @Override
    public void close() {
        super.close();
        dictionary.close();
        columns.close();
    }
}
