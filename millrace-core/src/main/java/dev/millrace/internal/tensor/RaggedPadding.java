package dev.millrace.internal.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Copies rows of their own shapes into one dense array, at the beginning of each dimension.
final class RaggedPadding {
    private final int[] target;
    private final int width;
    /// Bytes from one index of a dimension to the next in the target.
    private final long[] strides;

    /// @param target the shape of every row
    /// @param width bytes of an element
    RaggedPadding(int[] target, int width) {
        this.target = target;
        this.width = width;
        this.strides = new long[target.length];
        long stride = width;
        for (int i = target.length - 1; i >= 0; i--) {
            strides[i] = stride;
            stride = Math.multiplyExact(stride, target[i]);
        }
    }

    /// Bytes of a row.
    long rowBytes() {
        return target.length == 0 ? width : Math.multiplyExact(strides[0], target[0]);
    }

    /// Copies a row of `shape` from `source` at `from` to `to` at `at`, both in bytes.
    void copy(MemorySegment source, long from, int[] shape, MemorySegment to, long at) {
        copy(source, from, shape, to, at, 0);
    }

    private long copy(MemorySegment source, long from, int[] shape, MemorySegment to, long at, int dimension) {
        long bytes = bytes(shape, dimension);
        if (isDense(shape, dimension + 1)) {
            MemorySegment.copy(source, from, to, at, bytes);
            return bytes;
        }
        long done = 0;
        for (int i = 0; i < shape[dimension]; i++) {
            done += copy(source, from + done, shape, to, at + i * strides[dimension], dimension + 1);
        }
        return done;
    }

    /// True if all dimensions from this one on are as large as the target's.
    private boolean isDense(int[] shape, int from) {
        for (int i = from; i < shape.length; i++) {
            if (shape[i] != target[i]) {
                return false;
            }
        }
        return true;
    }

    private long bytes(int[] shape, int from) {
        long bytes = width;
        for (int i = from; i < shape.length; i++) {
            bytes *= shape[i];
        }
        return bytes;
    }

    /// Sets the elements that a row of `shape` has to 1, in an array of longs of the target's shape.
    void mark(int[] shape, MemorySegment longs, long at) {
        mark(shape, longs, at, 0);
    }

    private void mark(int[] shape, MemorySegment longs, long at, int dimension) {
        if (dimension >= target.length - 1) {
            int count = target.length == 0 ? 1 : shape[dimension];
            for (int i = 0; i < count; i++) {
                longs.setAtIndex(ValueLayout.JAVA_LONG, at + i, 1L);
            }
            return;
        }
        long step = strides[dimension] / width;
        for (int i = 0; i < shape[dimension]; i++) {
            mark(shape, longs, at + i * step, dimension + 1);
        }
    }
}
