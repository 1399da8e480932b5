package dev.millrace.internal.parquet.decode;

import dev.millrace.internal.parquet.format.MalformedParquet;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Contiguous values, copied or converted.
final class PlainFixed extends FixedDecoder {
    private final MemorySegment data;
    private final long end;
    private final int width;
    private final @Nullable ValueConversion conversion;
    private final int targetWidth;
    private long at;

    /// @param width of a stored value
    /// @param conversion null to copy the values
    /// @param targetWidth of a converted value
    PlainFixed(
            MemorySegment data, long from, long end, int width, @Nullable ValueConversion conversion, int targetWidth) {
        this.data = data;
        this.at = from;
        this.end = end;
        this.width = width;
        this.conversion = conversion;
        this.targetWidth = targetWidth;
    }

    @Override
    public void read(MemorySegment target, long position, int count) {
        long from = at;
        skip(count);
        if (conversion == null) {
            MemorySegment.copy(data, from, target, position, (long) count * width);
        } else {
            conversion.convert(data, from, target, position, count);
        }
    }

    @Override
    public int width() {
        return targetWidth;
    }

    @Override
    public void skip(int count) {
        long bytes = (long) count * width;
        if (bytes > end - at) {
            throw new MalformedParquet("a page has " + (end - at) + " bytes left for " + count + " values of " + width);
        }
        at += bytes;
    }
}
