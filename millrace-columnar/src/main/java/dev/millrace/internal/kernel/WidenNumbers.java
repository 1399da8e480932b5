package dev.millrace.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.lang.foreign.MemorySegment;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongUnaryOperator;

/// The loops of [WidenKernel] over numbers and times. Common pairs have loops of their own; the others read through a
/// function.
final class WidenNumbers {
    private static final long SECONDS_PER_DAY = 86_400;

    private WidenNumbers() {}

    static Column to(ColumnParts made, FixedWidthColumn column, DataType target) {
        long factor = factor(column.type(), target);
        if (factor == 1 && !(target instanceof DataType.Int || target instanceof DataType.Float)) {
            // Another zone, or only its name: the stored counts are the same.
            Buffer data = column.dataBuffer().retain();
            Buffer validity = column.validityBuffer() == null
                    ? null
                    : column.validityBuffer().retain();
            return FixedWidthColumn.of(target, column.length(), data, validity, column.offset(), Column.UNKNOWN_NULLS);
        }
        Buffer data = switch (target) {
            case DataType.Float to -> floats(made, column, to);
            case DataType.Int to -> integers(made, column, 1, to.bits(), target);
            case DataType.Time to ->
                integers(made, column, factor, to.unit().compareTo(TimeUnit.MILLISECOND) <= 0 ? 32 : 64, target);
            case DataType.Timestamp _, DataType.Duration _ -> integers(made, column, factor, 64, target);
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Decimal _,
                    DataType.Date _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> throw WidenKernel.notWider(column.type(), target);
        };
        Buffer validity = made.addValidity(column.validityFromZero(made.allocator));
        return made.keep(FixedWidthColumn.of(target, column.length(), data, validity, 0, Column.UNKNOWN_NULLS));
    }

    /// The factor of stored counts; 1 for plain numbers.
    private static long factor(DataType from, DataType target) {
        return switch (target) {
            case DataType.Time to when from instanceof DataType.Time time -> ratio(time.unit(), to.unit());
            case DataType.Duration to when from instanceof DataType.Duration time -> ratio(time.unit(), to.unit());
            case DataType.Timestamp to when from instanceof DataType.Timestamp time -> ratio(time.unit(), to.unit());
            case DataType.Timestamp to
            when from instanceof DataType.Date -> SECONDS_PER_DAY * to.unit().perSecond();
            case DataType.Int _ when from instanceof DataType.Int -> 1;
            case DataType.Float _ when from.isNumeric() -> 1;
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> throw WidenKernel.notWider(from, target);
        };
    }

    private static long ratio(TimeUnit from, TimeUnit to) {
        return to.perSecond() / from.perSecond();
    }

    private static Buffer integers(ColumnParts made, FixedWidthColumn column, long factor, int bits, DataType target) {
        long length = column.length();
        Buffer data = made.buffer(length * bits / 8);
        MemorySegment to = data.segment();
        boolean signedInt = column.type().equals(DataType.INT32);
        if (bits == 64 && factor == 1 && signedInt && column instanceof IntColumn ints) {
            MemorySegment from = ints.values();
            for (long i = 0; i < length; i++) {
                to.setAtIndex(JAVA_LONG, i, from.getAtIndex(JAVA_INT, i));
            }
            return data;
        }
        LongUnaryOperator reader = reader(column);
        // Only uint64 has no wider type than int64 to go to.
        boolean checked = column.type().equals(DataType.UINT64);
        for (long i = 0; i < length; i++) {
            long value = column.isNull(i) ? 0 : scaled(reader.applyAsLong(i), factor, column.type(), target);
            if (checked && value < 0) {
                throw tooLarge(Long.toUnsignedString(value), column.type(), target);
            }
            switch (bits) {
                case 16 -> to.setAtIndex(JAVA_SHORT, i, (short) value);
                case 32 -> to.setAtIndex(JAVA_INT, i, (int) value);
                default -> to.setAtIndex(JAVA_LONG, i, value);
            }
        }
        return data;
    }

    private static long scaled(long value, long factor, DataType from, DataType target) {
        try {
            return Math.multiplyExact(value, factor);
        } catch (ArithmeticException e) {
            throw tooLarge(Long.toString(value), from, target);
        }
    }

    private static MillraceException tooLarge(String value, DataType from, DataType target) {
        return MillraceException.data("The value " + value + " of type " + from + " does not fit " + target
                + ", the common type of the columns that are put together. Convert one of them first.");
    }

    private static Buffer floats(ColumnParts made, FixedWidthColumn column, DataType.Float target) {
        long length = column.length();
        Buffer data = made.buffer(length * target.bits() / 8);
        MemorySegment to = data.segment();
        MemorySegment from = column.values();
        if (target.bits() == 64 && column.type().equals(DataType.INT64)) {
            for (long i = 0; i < length; i++) {
                to.setAtIndex(JAVA_DOUBLE, i, (double) from.getAtIndex(JAVA_LONG, i));
            }
        } else if (target.bits() == 64 && column.type().equals(DataType.INT32)) {
            for (long i = 0; i < length; i++) {
                to.setAtIndex(JAVA_DOUBLE, i, from.getAtIndex(JAVA_INT, i));
            }
        } else if (target.bits() == 64 && column instanceof FloatColumn) {
            for (long i = 0; i < length; i++) {
                to.setAtIndex(JAVA_DOUBLE, i, from.getAtIndex(JAVA_FLOAT, i));
            }
        } else {
            LongToDoubleFunction reader = doubleReader(column);
            for (long i = 0; i < length; i++) {
                double value = reader.applyAsDouble(i);
                switch (target.bits()) {
                    case 16 -> to.setAtIndex(JAVA_SHORT, i, Float.floatToFloat16((float) value));
                    case 32 -> to.setAtIndex(JAVA_FLOAT, i, (float) value);
                    default -> to.setAtIndex(JAVA_DOUBLE, i, value);
                }
            }
        }
        return data;
    }

    private static LongUnaryOperator reader(FixedWidthColumn column) {
        return switch (column) {
            case ByteColumn bytes -> bytes::toInt;
            case ShortColumn shorts -> shorts::toInt;
            case IntColumn ints -> ints::toLong;
            case LongColumn longs -> longs::get;
            case HalfColumn _, FloatColumn _, DoubleColumn _, DecimalColumn _, TensorColumn _ ->
                throw new IllegalArgumentException(column.type() + " is not stored as integers");
        };
    }

    private static LongToDoubleFunction doubleReader(FixedWidthColumn column) {
        return switch (column) {
            case HalfColumn halves -> halves::get;
            case FloatColumn floats -> floats::get;
            case DoubleColumn doubles -> doubles::get;
            case LongColumn longs when longs.type().equals(DataType.UINT64) -> i -> unsigned(longs.get(i));
            case ByteColumn _, ShortColumn _, IntColumn _, LongColumn _, DecimalColumn _, TensorColumn _ -> {
                LongUnaryOperator integers = reader(column);
                yield i -> integers.applyAsLong(i);
            }
        };
    }

    private static double unsigned(long bits) {
        // The low bit stays set, so that halving does not change how the double is rounded.
        return bits >= 0 ? bits : (double) (bits >>> 1 | bits & 1) * 2;
    }
}
