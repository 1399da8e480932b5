package dev.millrace.internal.tensor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.column.Tensor;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// Single elements of tensors.
final class TensorElements {
    private TensorElements() {}

    /// Bytes of one; booleans take one each.
    static int width(DataType type) {
        return type.equals(DataType.BOOL) ? 1 : Tensor.elementWidth(type);
    }

    static void put(MemorySegment memory, long index, DataType type, Number value) {
        switch (type) {
            case DataType.Float real -> {
                switch (real.bits()) {
                    case 16 -> memory.setAtIndex(JAVA_SHORT, index, Float.floatToFloat16(value.floatValue()));
                    case 32 -> memory.setAtIndex(JAVA_FLOAT, index, value.floatValue());
                    default -> memory.setAtIndex(JAVA_DOUBLE, index, value.doubleValue());
                }
            }
            case DataType.Int integer -> {
                switch (integer.bits()) {
                    case 8 -> memory.set(JAVA_BYTE, index, value.byteValue());
                    case 16 -> memory.setAtIndex(JAVA_SHORT, index, value.shortValue());
                    case 32 -> memory.setAtIndex(JAVA_INT, index, value.intValue());
                    default -> memory.setAtIndex(JAVA_LONG, index, value.longValue());
                }
            }
            // Booleans.
            default -> memory.set(JAVA_BYTE, index, (byte) (value.doubleValue() != 0 ? 1 : 0));
        }
    }

    /// Fills all of the memory with this value.
    static void fill(MemorySegment memory, DataType type, Number value) {
        if (value.doubleValue() == 0) {
            memory.fill((byte) 0);
            return;
        }
        long count = memory.byteSize() / width(type);
        if (count == 0) {
            return;
        }
        put(memory, 0, type, value);
        // Doubles the filled part: a few large copies.
        long done = width(type);
        while (done < memory.byteSize()) {
            long more = Math.min(done, memory.byteSize() - done);
            MemorySegment.copy(memory, 0, memory, done, more);
            done += more;
        }
    }
}
