package dev.millrace.internal.arrow;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Validates values that refer to others, in one branch-free pass.
final class ReferenceChecks {
    private ReferenceChecks() {}

    /// Checks that `length + 1` offsets ascend from at least 0 to at most `limit`; returns the last.
    static long ascending(BatchBuffers buffers, WireField field, Buffer offsets, long length, int width, long limit) {
        if (length == 0) {
            return 0;
        }
        MemorySegment values = offsets.segment();
        long last = width == 4 ? ascending32(values, length) : ascending64(values, length);
        if (last < 0) {
            throw buffers.malformed(field, "its offsets do not ascend");
        }
        if (last > limit) {
            throw buffers.malformed(field, "its offsets reach to " + last + ", beyond " + limit);
        }
        return last;
    }

    private static long ascending32(MemorySegment values, long length) {
        int before = values.get(JAVA_INT, 0);
        int negative = before;
        for (long i = 1; i <= length; i++) {
            int offset = values.getAtIndex(JAVA_INT, i);
            negative |= offset | offset - before;
            before = offset;
        }
        return negative < 0 ? -1 : before;
    }

    private static long ascending64(MemorySegment values, long length) {
        long before = values.get(JAVA_LONG, 0);
        long negative = before;
        for (long i = 1; i <= length; i++) {
            long offset = values.getAtIndex(JAVA_LONG, i);
            negative |= offset | offset - before;
            before = offset;
        }
        return negative < 0 ? -1 : before;
    }

    /// Checks that every non-null index is below `limit`.
    static void indices(BatchBuffers buffers, WireField field, FixedWidthColumn indices, long limit) {
        long length = indices.length();
        boolean anyOutside = false;
        for (long i = 0; i < length; i++) {
            anyOutside |= Long.compareUnsigned(index(indices, i), limit) >= 0;
        }
        for (long i = 0; anyOutside && i < length; i++) {
            long index = index(indices, i);
            if (!indices.isNull(i) && (index < 0 || index >= limit)) {
                throw buffers.malformed(field, "index " + index + " at row " + i + " of a dictionary of " + limit);
            }
        }
    }

    /// The index, signed or unsigned according to its type; a uint64 of 2^63 or more is negative.
    private static long index(FixedWidthColumn indices, long row) {
        MemorySegment values = indices.values();
        boolean signed = ((dev.millrace.type.DataType.Int) indices.type()).signed();
        return switch (indices.byteWidth()) {
            case 1 -> signed ? values.get(JAVA_BYTE, row) : values.get(JAVA_BYTE, row) & 0xFF;
            case 2 -> signed ? values.getAtIndex(JAVA_SHORT, row) : values.getAtIndex(JAVA_SHORT, row) & 0xFFFF;
            case 4 -> signed ? values.getAtIndex(JAVA_INT, row) : values.getAtIndex(JAVA_INT, row) & 0xFFFFFFFFL;
            default -> values.getAtIndex(JAVA_LONG, row);
        };
    }

    /// Checks that every tensor has as many elements as its shape requires, none of them null.
    static void shapes(BatchBuffers buffers, WireField field, VariableTensorColumn column) {
        if (column.data().elements().hasNulls()) {
            throw buffers.malformed(field, "its tensors have null elements");
        }
        for (long i = 0; i < column.length(); i++) {
            if (column.isNull(i)) {
                continue;
            }
            long elements = 1;
            for (int dimension : column.shape(i)) {
                elements = dimension < 0 || elements > Integer.MAX_VALUE ? -1 : elements * dimension;
                if (elements < 0) {
                    break;
                }
            }
            long there = column.data().end(i) - column.data().start(i);
            if (elements != there || column.data().isNull(i)) {
                throw buffers.malformed(
                        field, "tensor " + i + " has " + there + " elements and a shape of " + elements);
            }
        }
    }
}
