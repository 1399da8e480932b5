package dev.millrace.internal.kernel.window;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.internal.kernel.Widen;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;

/// Counts, sums and means of frames. Nulls are left out; of nothing at all a sum and a mean are null.
final class FrameSums {
    private FrameSums() {}

    /// Rows of each frame.
    static Column counts(Allocator allocator, FrameBounds frames) {
        long[] counts = new long[frames.rows()];
        for (int row = 0; row < counts.length; row++) {
            counts[row] = Math.max(0, frames.to[row] - frames.from[row]);
        }
        return Columns.ofLongs(allocator, counts);
    }

    /// @param name as an error calls it
    static Column sums(Allocator allocator, FrameBounds frames, Column column, String name) {
        return switch (column) {
            case NullColumn _ -> Columns.nulls(allocator, DataType.NULL, frames.rows());
            case Column other when other.type() instanceof DataType.Float -> doubles(allocator, frames, other, false);
            default -> ExactSums.of(allocator, frames, (FixedWidthColumn) column, name);
        };
    }

    static Column means(Allocator allocator, FrameBounds frames, Column column) {
        return column instanceof NullColumn
                ? Columns.nulls(allocator, DataType.FLOAT64, frames.rows())
                : doubles(allocator, frames, column, true);
    }

    /// How many values come before each row.
    static int[] valuesBefore(Column column) {
        int rows = Math.toIntExact(column.length());
        int[] before = new int[rows + 1];
        for (int row = 0; row < rows; row++) {
            before[row + 1] = before[row] + (column.isNull(row) ? 0 : 1);
        }
        return before;
    }

    /// How many values a frame has.
    static int values(FrameBounds frames, int row, int[] before) {
        return Math.max(0, before[Math.max(frames.from[row], frames.to[row])] - before[frames.from[row]]);
    }

    private static Column doubles(Allocator allocator, FrameBounds frames, Column column, boolean mean) {
        int rows = frames.rows();
        if (rows == 0) {
            return Columns.empty(DataType.FLOAT64);
        }
        double[] values = values(allocator, column);
        double[] fromStart = new double[rows];
        for (int row = 0; row < rows; row++) {
            fromStart[row] = values[row] + (frames.startsSegment(row) ? 0 : fromStart[row - 1]);
        }
        double[] toEnd = frames.fromStart ? fromStart : values;
        for (int row = rows - 1; row >= 0 && !frames.fromStart; row--) {
            toEnd[row] += frames.endsSegment(row) ? 0 : toEnd[row + 1];
        }
        int[] before = valuesBefore(column);
        Buffer validity = allocator.allocateZeroed((rows + 7) / 8);
        try {
            Buffer data = allocator.allocateZeroed((long) rows * Double.BYTES);
            for (int row = 0; row < rows; row++) {
                int count = values(frames, row, before);
                if (count > 0) {
                    int last = frames.to[row] - 1;
                    double sum = switch (frames.pieces(row)) {
                        case FROM_START -> fromStart[last];
                        case TO_END -> toEnd[frames.from[row]];
                        case BOTH -> toEnd[frames.from[row]] + fromStart[last];
                    };
                    Bits.set(validity.segment(), row, true);
                    data.segment().setAtIndex(JAVA_DOUBLE, row, mean ? sum / count : sum);
                }
            }
            return new DoubleColumn(DataType.FLOAT64, rows, data, validity.retain(), 0, Column.UNKNOWN_NULLS);
        } finally {
            validity.release();
        }
    }

    /// Numbers by value, 0 for null.
    private static double[] values(Allocator allocator, Column column) {
        double[] values = new double[Math.toIntExact(column.length())];
        if (column instanceof DecimalColumn decimals) {
            for (int row = 0; row < values.length; row++) {
                values[row] = decimals.isNull(row) ? 0 : decimals.get(row).doubleValue();
            }
            return values;
        }
        DoubleColumn doubles = (DoubleColumn) Widen.to(allocator, column, DataType.FLOAT64);
        try {
            for (int row = 0; row < values.length; row++) {
                values[row] = doubles.isNull(row) ? 0 : doubles.get(row);
            }
            return values;
        } finally {
            doubles.release();
        }
    }
}
