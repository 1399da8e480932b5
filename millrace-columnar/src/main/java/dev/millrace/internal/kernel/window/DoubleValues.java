package dev.millrace.internal.kernel.window;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// Numbers of any type as doubles.
final class DoubleValues {
    /// Integers up to this one, and powers of ten up to the last of these, are exact doubles: then their quotient is
    /// the nearest double to the decimal.
    private static final long MAX_EXACT = 1L << 53;

    private static final double[] TENS = {
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    private DoubleValues() {}

    /// The same numbers, which the caller releases.
    static DoubleColumn of(Allocator allocator, Column column) {
        if (!(column instanceof DecimalColumn decimals)) {
            return (DoubleColumn) WidenKernel.to(allocator, column, DataType.FLOAT64);
        }
        long rows = decimals.length();
        if (rows == 0) {
            return (DoubleColumn) Columns.empty(DataType.FLOAT64);
        }
        Buffer data = allocator.allocate(rows * Double.BYTES);
        try {
            for (long row = 0; row < rows; row++) {
                data.segment().setAtIndex(JAVA_DOUBLE, row, decimals.isNull(row) ? 0 : value(decimals, row));
            }
            Buffer validity = validity(allocator, decimals);
            return new DoubleColumn(DataType.FLOAT64, rows, data.retain(), validity, 0, Column.UNKNOWN_NULLS);
        } finally {
            data.release();
        }
    }

    private static @Nullable Buffer validity(Allocator allocator, Column column) {
        if (!column.hasNulls()) {
            return null;
        }
        Buffer validity = allocator.allocateZeroed((column.length() + 7) / Byte.SIZE);
        Buffer bits = requireNonNull(column.validityBuffer(), "a column with nulls has validity bits");
        Bits.copy(bits.segment(), column.validityOffset(), validity.segment(), 0, column.length());
        return validity;
    }

    private static double value(DecimalColumn decimals, long row) {
        long low = decimals.low(row);
        boolean exact = decimals.high(row) == low >> 63
                && Math.abs(low) <= MAX_EXACT
                && decimals.scale() >= 0
                && decimals.scale() < TENS.length;
        return exact ? low / TENS[decimals.scale()] : decimals.get(row).doubleValue();
    }
}
