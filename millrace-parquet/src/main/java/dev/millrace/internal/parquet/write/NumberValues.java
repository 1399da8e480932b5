package dev.millrace.internal.parquet.write;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.millrace.column.Column;
import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.parquet.encode.BloomBuilder;
import dev.millrace.internal.parquet.encode.FloatRange;
import dev.millrace.internal.parquet.encode.LongDictionary;
import dev.millrace.internal.parquet.encode.LongRange;
import dev.millrace.internal.parquet.encode.StreamSplit;
import dev.millrace.internal.parquet.encode.ValueRange;
import dev.millrace.internal.parquet.format.PageEncoding;
import dev.millrace.type.DataType;
import io.airlift.compress.v3.xxhash.XxHash64Hasher;
import java.lang.foreign.MemorySegment;

/// Numbers of up to eight bytes, and booleans.
final class NumberValues extends LeafValues {
    private final NumberColumns columns;
    private final LongDictionary dictionary;
    /// The size of a plain value; 1 for a boolean, which is finally packed to a bit.
    private final int width;

    private final boolean isBoolean;

    private NumberValues(WriteScratch scratch, LeafPlan plan, long dictionaryBytes, int width, ValueRange[] ranges) {
        super(scratch, plan, dictionaryBytes, ranges[0], ranges[1]);
        this.columns = new NumberColumns(plan);
        this.width = width;
        this.isBoolean = plan.type() instanceof DataType.Bool;
        this.dictionary = new LongDictionary(scratch.allocator);
    }

    static NumberValues of(WriteScratch scratch, LeafPlan plan, long dictionaryBytes) {
        int width = switch (plan.leaf().element().leafType()) {
            case BOOLEAN -> 1;
            case INT32, FLOAT -> 4;
            case INT64, DOUBLE -> 8;
            case FIXED_LEN_BYTE_ARRAY -> 2;
            case INT96, BYTE_ARRAY -> throw new IllegalArgumentException("not a number");
        };
        return new NumberValues(scratch, plan, width == 1 ? 0 : dictionaryBytes, width, new ValueRange[] {
            range(plan.type(), width), range(plan.type(), width)
        });
    }

    private static ValueRange range(DataType type, int width) {
        return switch (type) {
            case DataType.Float _ -> new FloatRange(width);
            case DataType.Int(int _, boolean signed) -> new LongRange(width, signed);
            // Times, decimals and booleans.
            default -> new LongRange(width, true);
        };
    }

    @Override
    void add(Column column, long from, int count) {
        columns.fill(column, from, count, scratch.numbers);
        add(scratch.numbers, count);
    }

    @Override
    void add(Column column, int[] positions, int from, int count) {
        columns.fill(column, positions, from, count, scratch.numbers);
        add(scratch.numbers, count);
    }

    private void add(long[] numbers, int count) {
        switch (page) {
            case LongRange range -> range.add(numbers, count);
            case FloatRange range -> range.add(numbers, count);
            default -> throw new IllegalStateException();
        }
        if (inDictionary()) {
            dictionary.encode(numbers, count, codes);
        } else {
            plain(numbers, count);
        }
        look();
    }

    private void plain(long[] numbers, int count) {
        MemorySegment memory = plain.reserve((long) count * width);
        long at = plain.size();
        switch (width) {
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    memory.set(JAVA_BYTE, at + i, (byte) numbers[i]);
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    memory.set(JAVA_SHORT_UNALIGNED, at + 2L * i, (short) numbers[i]);
                }
            }
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    memory.set(JAVA_INT_UNALIGNED, at + 4L * i, (int) numbers[i]);
                }
            }
            default -> MemorySegment.copy(numbers, 0, memory, JAVA_LONG_UNALIGNED, at, count);
        }
        plain.size(at + (long) count * width);
        if (bloom != null) {
            addTo(bloom, at, count);
        }
    }

    private void addTo(BloomBuilder filter, long from, int count) {
        for (int i = 0; i < count; i++) {
            filter.add(XxHash64Hasher.hash(plain.memory().asSlice(from + (long) i * width, width)));
        }
    }

    @Override
    int count() {
        return (int) (inDictionary() ? codes.size() / 4 : plain.size() / width);
    }

    @Override
    int dictionarySize() {
        return dictionary.size();
    }

    @Override
    long dictionaryPageBytes() {
        return (long) dictionary.size() * width;
    }

    @Override
    void dictionaryPage(GrowingBuffer out) {
        for (int from = 0; from < dictionary.size(); from += WriteScratch.BATCH) {
            int count = Math.min(WriteScratch.BATCH, dictionary.size() - from);
            for (int i = 0; i < count; i++) {
                scratch.numbers[i] = dictionary.value(from + i);
            }
            plain(scratch.numbers, count);
        }
        out.put(plain.memory(), 0, plain.size());
        plain.clear();
    }

    @Override
    void plainFromCodes() {
        int all = count();
        for (int from = 0; from < all; from += WriteScratch.BATCH) {
            int count = Math.min(WriteScratch.BATCH, all - from);
            for (int i = 0; i < count; i++) {
                scratch.numbers[i] = dictionary.value(code(codes.memory(), (long) from + i));
            }
            plain(scratch.numbers, count);
        }
    }

    @Override
    void clearDictionary() {
        dictionary.clear();
    }

    @Override
    PageEncoding encodePlain(GrowingBuffer out) {
        int count = (int) (plain.size() / width);
        return switch (plan.encoding()) {
            case DELTA_BINARY_PACKED -> {
                scratch.deltas.integers(plain.memory(), count, width, out);
                yield PageEncoding.DELTA_BINARY_PACKED;
            }
            case BYTE_STREAM_SPLIT -> {
                StreamSplit.write(plain.memory(), count, width, out);
                yield PageEncoding.BYTE_STREAM_SPLIT;
            }
            default -> {
                if (isBoolean) {
                    packBits(count, out);
                } else {
                    out.put(plain.memory(), 0, plain.size());
                }
                yield PageEncoding.PLAIN;
            }
        };
    }

    /// Booleans have one bit each, least significant first.
    private void packBits(int count, GrowingBuffer out) {
        MemorySegment memory = out.reserve(count / 8 + 1L);
        MemorySegment source = plain.memory();
        long at = out.size();
        for (int from = 0; from < count; from += 8) {
            int bits = 0;
            int end = Math.min(8, count - from);
            for (int i = 0; i < end; i++) {
                bits |= source.get(JAVA_BYTE, (long) from + i) << i;
            }
            memory.set(JAVA_BYTE, at++, (byte) bits);
        }
        out.size(at);
    }

    @Override
    long heldBytes() {
        return super.heldBytes() + dictionary.heldBytes();
    }

    @Override
    public void close() {
        super.close();
        dictionary.close();
    }
}
