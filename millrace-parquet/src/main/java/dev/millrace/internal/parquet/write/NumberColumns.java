package dev.millrace.internal.parquet.write;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.parquet.format.PhysicalType;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.lang.foreign.MemorySegment;

/// Converts columns to numbers as Parquet stores them, a batch at a time: floats as their bits, unsigned numbers
/// zero-extended, seconds as milliseconds, decimals as integers. One thread.
final class NumberColumns {
    private final LeafPlan plan;
    private final boolean signed;
    private final boolean inSeconds;
    private final int[] mapped = new int[WriteScratch.BATCH];

    NumberColumns(LeafPlan plan) {
        this.plan = plan;
        this.signed = !(plan.type() instanceof DataType.Int(int _, boolean isSigned)) || isSigned;
        this.inSeconds = plan.type() instanceof DataType.Time(TimeUnit unit) && unit == TimeUnit.SECOND
                || plan.type() instanceof DataType.Timestamp(TimeUnit timeUnit, String _)
                        && timeUnit == TimeUnit.SECOND;
    }

    void fill(Column column, long from, int count, long[] out) {
        switch (column) {
            case LongColumn longs -> MemorySegment.copy(longs.values(), JAVA_LONG_UNALIGNED, from << 3, out, 0, count);
            case DoubleColumn doubles ->
                MemorySegment.copy(doubles.values(), JAVA_LONG_UNALIGNED, from << 3, out, 0, count);
            case IntColumn ints -> ints(ints.values(), from, count, signed, out);
            case FloatColumn floats -> ints(floats.values(), from, count, true, out);
            case DecimalColumn decimals -> decimals(decimals.values(), from, count, out);
            case DictionaryColumn coded -> {
                for (int i = 0; i < count; i++) {
                    mapped[i] = coded.index(from + i);
                }
                fill(coded.dictionary(), mapped, 0, count, out);
                return;
            }
            // Stored with other widths.
            default -> {
                for (int i = 0; i < count; i++) {
                    mapped[i] = (int) from + i;
                }
                fill(column, mapped, 0, count, out);
                return;
            }
        }
        if (inSeconds) {
            toMillis(out, count);
        }
    }

    private static void ints(MemorySegment source, long from, int count, boolean signed, long[] out) {
        long mask = signed ? -1L : 0xFFFF_FFFFL;
        for (int i = 0; i < count; i++) {
            out[i] = source.get(JAVA_INT_UNALIGNED, (from + i) << 2) & mask;
        }
    }

    private void decimals(MemorySegment source, long from, int count, long[] out) {
        long strange = 0;
        for (int i = 0; i < count; i++) {
            long low = source.get(JAVA_LONG_UNALIGNED, (from + i) << 4);
            strange |= source.get(JAVA_LONG_UNALIGNED, ((from + i) << 4) + 8) ^ low >> 63;
            out[i] = low;
        }
        requireDigits(strange, out, count);
    }

    /// The upper half of a decimal that is stored as an integer must be only the sign.
    private void requireDigits(long strange, long[] out, int count) {
        long more = strange;
        if (plan.leaf().element().type() == PhysicalType.INT32) {
            for (int i = 0; i < count; i++) {
                more |= (int) out[i] ^ out[i];
            }
        }
        if (more != 0) {
            throw MillraceException.data("Column '" + plan.name() + "' of type " + plan.type()
                    + " holds a number with more digits than that. It cannot be written.");
        }
    }

    void fill(Column column, int[] positions, int from, int count, long[] out) {
        switch (column) {
            case BooleanColumn booleans -> {
                for (int i = 0; i < count; i++) {
                    out[i] = booleans.get(positions[from + i]) ? 1 : 0;
                }
            }
            case DictionaryColumn coded -> {
                for (int i = 0; i < count; i++) {
                    mapped[i] = coded.index(positions[from + i]);
                }
                fill(coded.dictionary(), mapped, 0, count, out);
                return;
            }
            case FixedWidthColumn fixed -> fixed(fixed, positions, from, count, out);
            case FixedListColumn _, NullColumn _, OffsetColumn _, StructColumn _, VariableTensorColumn _ ->
                throw new IllegalStateException("no numbers: " + column.type());
        }
        if (inSeconds) {
            toMillis(out, count);
        }
    }

    private void fixed(FixedWidthColumn column, int[] positions, int from, int count, long[] out) {
        MemorySegment source = column.values();
        long mask = signed ? -1L : (1L << 8 * Math.min(column.byteWidth(), 4)) - 1;
        switch (column) {
            case ByteColumn _ -> {
                for (int i = 0; i < count; i++) {
                    out[i] = source.get(JAVA_BYTE, positions[from + i]) & mask;
                }
            }
            case ShortColumn _, HalfColumn _ -> {
                for (int i = 0; i < count; i++) {
                    out[i] = source.get(JAVA_SHORT_UNALIGNED, (long) positions[from + i] << 1) & mask;
                }
            }
            case IntColumn _, FloatColumn _ -> {
                for (int i = 0; i < count; i++) {
                    out[i] = source.get(JAVA_INT_UNALIGNED, (long) positions[from + i] << 2) & mask;
                }
            }
            case LongColumn _, DoubleColumn _ -> {
                for (int i = 0; i < count; i++) {
                    out[i] = source.get(JAVA_LONG_UNALIGNED, (long) positions[from + i] << 3);
                }
            }
            case DecimalColumn _ -> {
                long strange = 0;
                for (int i = 0; i < count; i++) {
                    long place = (long) positions[from + i] << 4;
                    out[i] = source.get(JAVA_LONG_UNALIGNED, place);
                    strange |= source.get(JAVA_LONG_UNALIGNED, place + 8) ^ out[i] >> 63;
                }
                requireDigits(strange, out, count);
            }
            case TensorColumn _ -> throw new IllegalStateException("no numbers: " + column.type());
        }
    }

    private void toMillis(long[] numbers, int count) {
        try {
            for (int i = 0; i < count; i++) {
                numbers[i] = Math.multiplyExact(numbers[i], 1000);
            }
        } catch (ArithmeticException e) {
            throw new MillraceException(
                    dev.millrace.error.Culprit.DATA,
                    "Column '" + plan.name() + "' of type " + plan.type()
                            + " holds a time that does not fit into milliseconds, the coarsest unit of Parquet.",
                    e);
        }
    }
}
