package dev.millrace.internal.parquet.write;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.parquet.encode.BytesBatch;
import dev.millrace.internal.parquet.encode.PageGrowth;
import java.lang.foreign.MemorySegment;

/// Converts columns to byte strings, a batch at a time. One thread.
final class BytesColumns implements AutoCloseable {
    private static final int DECIMAL = 16;

    private final GrowingBuffer decimals;
    private final int[] mapped = new int[WriteScratch.BATCH];
    private final int width;

    /// @param width of decimals
    BytesColumns(WriteScratch scratch, int width) {
        decimals = new GrowingBuffer(scratch.allocator, PageGrowth.PAGE);
        this.width = width;
    }

    void fill(Column column, long from, int count, BytesBatch out) {
        switch (column) {
            case VariableWidthColumn strings -> {
                out.data = strings.dataSegment();
                out.count = count;
                MemorySegment offsets = strings.offsets();
                if (strings.offsetWidth() == Integer.BYTES) {
                    int start = offsets.get(JAVA_INT_UNALIGNED, from << 2);
                    for (int i = 0; i < count; i++) {
                        int end = offsets.get(JAVA_INT_UNALIGNED, (from + i + 1) << 2);
                        out.starts[i] = start;
                        out.lengths[i] = end - start;
                        start = end;
                    }
                } else {
                    for (int i = 0; i < count; i++) {
                        set(strings, from + i, i, out);
                    }
                }
            }
            case DecimalColumn numbers -> {
                begin(count, out);
                for (int i = 0; i < count; i++) {
                    set(numbers, from + i, i, out);
                }
            }
            case DictionaryColumn coded -> {
                for (int i = 0; i < count; i++) {
                    mapped[i] = coded.index(from + i);
                }
                fill(coded.dictionary(), mapped, 0, count, out);
            }
            case BooleanColumn _,
                    FixedListColumn _,
                    FixedWidthColumn _,
                    NullColumn _,
                    ListColumn _,
                    MapColumn _,
                    StructColumn _,
                    VariableTensorColumn _ -> throw new IllegalStateException("no byte strings: " + column.type());
        }
    }

    void fill(Column column, int[] positions, int from, int count, BytesBatch out) {
        switch (column) {
            case VariableWidthColumn strings -> {
                out.data = strings.dataSegment();
                out.count = count;
                for (int i = 0; i < count; i++) {
                    set(strings, positions[from + i], i, out);
                }
            }
            case DecimalColumn numbers -> {
                begin(count, out);
                for (int i = 0; i < count; i++) {
                    set(numbers, positions[from + i], i, out);
                }
            }
            case DictionaryColumn coded -> {
                for (int i = 0; i < count; i++) {
                    mapped[i] = coded.index(positions[from + i]);
                }
                fill(coded.dictionary(), mapped, 0, count, out);
            }
            case BooleanColumn _,
                    FixedListColumn _,
                    FixedWidthColumn _,
                    NullColumn _,
                    ListColumn _,
                    MapColumn _,
                    StructColumn _,
                    VariableTensorColumn _ -> throw new IllegalStateException("no byte strings: " + column.type());
        }
    }

    private static void set(VariableWidthColumn strings, long index, int i, BytesBatch out) {
        long start = strings.start(index);
        out.starts[i] = start;
        out.lengths[i] = Math.toIntExact(strings.end(index) - start);
    }

    private void begin(int count, BytesBatch out) {
        decimals.clear();
        out.data = decimals.reserve((long) count * DECIMAL);
        out.count = count;
    }

    /// Big-endian in the last bytes of its slot.
    private void set(DecimalColumn numbers, long index, int i, BytesBatch out) {
        long place = (long) i * DECIMAL;
        out.data.set(JAVA_LONG_UNALIGNED, place, Long.reverseBytes(numbers.high(index)));
        out.data.set(JAVA_LONG_UNALIGNED, place + 8, Long.reverseBytes(numbers.low(index)));
        out.starts[i] = place + DECIMAL - width;
        out.lengths[i] = width;
    }

    @Override
    public void close() {
        decimals.close();
    }
}
