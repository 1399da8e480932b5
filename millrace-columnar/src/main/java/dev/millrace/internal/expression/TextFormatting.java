package dev.millrace.internal.expression;

import dev.millrace.column.BooleanColumn;
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
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.column.TensorColumn;
import dev.millrace.internal.text.TextBytes;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// Casts integers, decimals, booleans, dates and times to text: digits are written as bytes. What needs more (years of
/// five digits, decimals beyond 64 bits) is cast as single values.
final class TextFormatting extends ExpressionNode {
    private static final byte[] TRUE = "true".getBytes(StandardCharsets.UTF_8);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.UTF_8);
    private static final int LAST_YEAR = 9999;

    private final ExpressionNode input;
    private final TextParsing.Single single;
    private final TextBytes made = new TextBytes(256);

    TextFormatting(ExpressionNode input, TextParsing.Single single) {
        super(DataType.UTF8);
        this.input = input;
        this.single = single;
    }

    /// Whether values of this type become text here.
    static boolean isFor(DataType type) {
        return switch (type) {
            case DataType.Bool _, DataType.Int _, DataType.Decimal _, DataType.Date _, DataType.Time _ -> true;
            case DataType.Timestamp stamp -> stamp.zone() == null;
            case DataType.Null _,
                    DataType.Float _,
                    DataType.Duration _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> false;
        };
    }

    @Override
    Column column(EvaluationRows rows) {
        try (HeldColumn held = input.values(rows);
                StringColumnBuilder builder = new StringColumnBuilder(rows.allocator(), rows.count())) {
            Column column = held.column();
            Writer writer = writer(column);
            TaskCancellation running = TaskCancellation.ofThread();
            for (long row = 0; row < rows.count(); row++) {
                running.check();
                if (column.isNull(row) || !rows.isActive(row)) {
                    builder.appendNull();
                    continue;
                }
                made.clear();
                if (writer.write(row, made)) {
                    builder.append(made.bytes(), 0, made.size());
                } else {
                    Object value = Objects.requireNonNull(column.value(row), "nulls are not written");
                    builder.append(single.cast(value, row));
                }
            }
            return builder.build();
        }
    }

    /// Writes the value of a row; false if it is for [TextParsing.Single].
    private interface Writer {
        boolean write(long row, TextBytes out);
    }

    private static Writer writer(Column column) {
        return switch (column.type()) {
            case DataType.Bool _ -> {
                BooleanColumn flags = (BooleanColumn) column;
                yield (row, out) -> {
                    out.append(flags.get(row) ? TRUE : FALSE);
                    return true;
                };
            }
            case DataType.Int(int bits, boolean signed) -> {
                long mask = signed ? -1 : -1L >>> Long.SIZE - bits;
                yield (row, out) -> {
                    long value = stored(column, row) & mask;
                    if (value < 0 && !signed) {
                        return false;
                    }
                    out.appendLong(value);
                    return true;
                };
            }
            case DataType.Decimal decimal -> {
                DecimalColumn decimals = (DecimalColumn) column;
                yield (row, out) -> appendDecimal(decimals.high(row), decimals.low(row), decimal.scale(), out);
            }
            case DataType.Date _ -> (row, out) -> appendDay(stored(column, row), out);
            case DataType.Time(TimeUnit unit) ->
                (row, out) -> {
                    appendTime(stored(column, row), unit, out);
                    return true;
                };
            case DataType.Timestamp(TimeUnit unit, String _) -> {
                long perDay = CalendarDays.SECONDS_PER_DAY * unit.perSecond();
                yield (row, out) -> {
                    long value = stored(column, row);
                    if (!appendDay(Math.floorDiv(value, perDay), out)) {
                        return false;
                    }
                    out.append((byte) 'T');
                    appendTime(Math.floorMod(value, perDay), unit, out);
                    return true;
                };
            }
            case DataType.Null _,
                    DataType.Float _,
                    DataType.Duration _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ ->
                throw new IllegalArgumentException(column.type() + " does not become text here");
        };
    }

    private static long stored(Column column, long row) {
        return switch ((FixedWidthColumn) column) {
            case LongColumn longs -> longs.get(row);
            case IntColumn ints -> ints.get(row);
            case ShortColumn shorts -> shorts.get(row);
            case ByteColumn bytes -> bytes.get(row);
            case HalfColumn _, FloatColumn _, DoubleColumn _, DecimalColumn _, TensorColumn _ ->
                throw new IllegalArgumentException(column.type() + " is not stored as an integer");
        };
    }

    private static boolean appendDecimal(long high, long low, int scale, TextBytes out) {
        if (high != low >> Long.SIZE - 1 || low == Long.MIN_VALUE || scale < 0 || scale > 18) {
            return false;
        }
        long unit = 1;
        for (int i = 0; i < scale; i++) {
            unit *= 10;
        }
        long size = Math.abs(low);
        if (low < 0) {
            out.append((byte) '-');
        }
        out.appendDigits(size / unit, 1);
        if (scale > 0) {
            out.append((byte) '.');
            out.appendDigits(size % unit, scale);
        }
        return true;
    }

    private static boolean appendDay(long day, TextBytes out) {
        int year = CalendarDays.year(day);
        if (year < 0 || year > LAST_YEAR) {
            return false;
        }
        out.appendDate(year, CalendarDays.month(day), CalendarDays.dayOfMonth(day));
        return true;
    }

    /// With seconds, and as many digits behind them as are not zero.
    private static void appendTime(long ofDay, TimeUnit unit, TextBytes out) {
        out.appendTimeOfDay(ofDay / unit.perSecond());
        long fraction = ofDay % unit.perSecond();
        if (fraction != 0) {
            int digits = unit.perSecond() == 1_000 ? 3 : unit.perSecond() == 1_000_000 ? 6 : 9;
            while (fraction % 10 == 0) {
                fraction /= 10;
                digits--;
            }
            out.append((byte) '.');
            out.appendDigits(fraction, digits);
        }
    }
}
