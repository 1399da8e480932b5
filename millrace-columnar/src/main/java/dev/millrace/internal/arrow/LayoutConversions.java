package dev.millrace.internal.arrow;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Bits;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Converts Arrow layouts that our columns do not have to those that they have. Buffers come from and are owned by the
/// batch.
final class LayoutConversions {
    private static final long MILLIS_PER_DAY = 86_400_000L;
    private static final int VIEW_BYTES = 16;
    private static final int INLINE_BYTES = 12;

    private LayoutConversions() {}

    /// The offsets and bytes of a variable-width column.
    record Strings(Buffer offsets, int offsetWidth, Buffer data) {}

    /// date64 to days.
    static Buffer daysOfMillis(BatchBuffers buffers, WireField field, long length) {
        Buffer millis = buffers.take(field, length, 8);
        Buffer days = buffers.allocate(length * 4);
        MemorySegment from = millis.segment();
        MemorySegment to = days.segment();
        for (long i = 0; i < length; i++) {
            to.setAtIndex(JAVA_INT, i, (int) Math.floorDiv(from.getAtIndex(JAVA_LONG, i), MILLIS_PER_DAY));
        }
        buffers.drop(millis);
        return days;
    }

    /// Decimals of 4 or 8 bytes to 16.
    static Buffer wideDecimals(BatchBuffers buffers, WireField field, long length, int width) {
        Buffer narrow = buffers.take(field, length, width);
        Buffer wide = buffers.allocate(length * 16);
        MemorySegment from = narrow.segment();
        MemorySegment to = wide.segment();
        for (long i = 0; i < length; i++) {
            long value = width == 4 ? from.getAtIndex(JAVA_INT, i) : from.getAtIndex(JAVA_LONG, i);
            to.setAtIndex(JAVA_LONG, 2 * i, value);
            to.setAtIndex(JAVA_LONG, 2 * i + 1, value >> 63);
        }
        buffers.drop(narrow);
        return wide;
    }

    /// Byte strings of one width: the data is used as it is, offsets are generated.
    static Strings ofFixedBinary(BatchBuffers buffers, WireField field, long length, int width) {
        Buffer data = buffers.take(field, length, width);
        int offsetWidth = length * width > Integer.MAX_VALUE ? 8 : 4;
        Buffer offsets = buffers.allocate((length + 1) * offsetWidth);
        for (long i = 0; i <= length; i++) {
            setOffset(offsets.segment(), offsetWidth, i, i * width);
        }
        return new Strings(offsets, offsetWidth, data);
    }

    /// Views into data buffers, gathered into one.
    static Strings ofViews(BatchBuffers buffers, WireField field, long length, @Nullable Buffer validity) {
        Buffer views = buffers.take(field, length, VIEW_BYTES);
        List<Buffer> sources = new ArrayList<>();
        int count = buffers.variadicCount(field);
        for (int i = 0; i < count; i++) {
            sources.add(buffers.takeAll(field));
        }
        MemorySegment view = views.segment();
        MemorySegment bits = validity == null ? null : validity.segment();
        long total = 0;
        for (long i = 0; i < length; i++) {
            int bytes = viewLength(buffers, field, view, bits, i);
            if (bytes > INLINE_BYTES && !isInside(view, i, bytes, sources)) {
                throw buffers.malformed(field, "view " + i + " points outside its data");
            }
            total += bytes;
        }
        int offsetWidth = total > Integer.MAX_VALUE ? 8 : 4;
        Buffer offsets = buffers.allocate((length + 1) * offsetWidth);
        Buffer data = buffers.allocate(total);
        long at = 0;
        for (long i = 0; i < length; i++) {
            setOffset(offsets.segment(), offsetWidth, i, at);
            int bytes = viewLength(buffers, field, view, bits, i);
            if (bytes <= INLINE_BYTES) {
                MemorySegment.copy(view, i * VIEW_BYTES + 4, data.segment(), at, bytes);
            } else {
                Buffer source = sources.get(view.getAtIndex(JAVA_INT, 4 * i + 2));
                int from = view.getAtIndex(JAVA_INT, 4 * i + 3);
                MemorySegment.copy(source.segment(), from, data.segment(), at, bytes);
            }
            at += bytes;
        }
        setOffset(offsets.segment(), offsetWidth, length, at);
        buffers.drop(views);
        sources.forEach(buffers::drop);
        return new Strings(offsets, offsetWidth, data);
    }

    /// Does a view that is not inline lie in the data it names? Asked before memory is taken for its bytes.
    private static boolean isInside(MemorySegment views, long i, int bytes, List<Buffer> sources) {
        int source = views.getAtIndex(JAVA_INT, 4 * i + 2);
        int from = views.getAtIndex(JAVA_INT, 4 * i + 3);
        return source >= 0
                && source < sources.size()
                && from >= 0
                && bytes <= sources.get(source).size() - from;
    }

    /// 0 for a null, whose view is undefined.
    private static int viewLength(
            BatchBuffers buffers, WireField field, MemorySegment views, @Nullable MemorySegment bits, long i) {
        if (bits != null && !Bits.get(bits, i)) {
            return 0;
        }
        int bytes = views.getAtIndex(JAVA_INT, 4 * i);
        if (bytes < 0) {
            throw buffers.malformed(field, "view " + i + " has " + bytes + " bytes");
        }
        return bytes;
    }

    private static void setOffset(MemorySegment offsets, int width, long index, long value) {
        if (width == 4) {
            offsets.setAtIndex(JAVA_INT, index, (int) value);
        } else {
            offsets.setAtIndex(JAVA_LONG, index, value);
        }
    }
}
