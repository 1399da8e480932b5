package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.column.Column;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.internal.text.DecimalText;
import dev.millrace.internal.text.DoubleText;
import dev.millrace.internal.text.IntegerText;
import dev.millrace.internal.text.TextScratch;
import dev.millrace.internal.text.TimeText;
import dev.millrace.internal.text.ZoneClock;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.internal.value.JavaValues;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/// Casts text to numbers, dates and times: the usual notations are parsed where they are, all others as single values,
/// which alone know errors.
final class TextParsing extends ExpressionNode {
    /// What parsers may read behind a text.
    private static final int MARGIN = 16;

    /// Casts one value; the result is null if it does not fit and that is no error.
    @FunctionalInterface
    interface Single {
        @Nullable
        Object cast(Object value, long row);
    }

    private final ExpressionNode input;
    private final Single single;
    private final Parser parser;
    private final AsciiText text = new AsciiText();
    private final TextScratch scratch = new TextScratch();

    TextParsing(ExpressionNode input, DataType target, Single single) {
        super(target);
        this.input = input;
        this.single = single;
        this.parser = parser(target);
    }

    /// Whether text is parsed to this type here.
    static boolean isFor(DataType type) {
        return FixedOutput.isFixed(type) && !(type instanceof DataType.Duration);
    }

    @Override
    Column column(EvaluationRows rows) {
        try (HeldColumn held = input.values(rows);
                FixedOutput output = new FixedOutput(type(), rows)) {
            VariableWidthColumn texts = (VariableWidthColumn) held.column();
            MemorySegment data = texts.dataSegment();
            MemorySegment values = output.values();
            long near = Math.min(Integer.MAX_VALUE, data.byteSize()) - MARGIN;
            long[] valid = new long[BitWords.words(rows.count())];
            TaskCancellation running = TaskCancellation.ofThread();
            for (long row = 0; row < rows.count(); row++) {
                running.check();
                if (texts.isNull(row) || !rows.isActive(row)) {
                    zero(values, row);
                    continue;
                }
                boolean parsed;
                if (texts.end(row) <= near) {
                    parsed = parser.parse(data, (int) texts.start(row), (int) texts.end(row), values, row);
                } else {
                    text.read(texts, row);
                    int length = scratch.put(text.bytes(), 0, text.length());
                    parsed = parser.parse(scratch.bytes(), 0, length, values, row);
                }
                if (parsed || put(single.cast(TextKernels.text(texts, row), row), values, row)) {
                    BitWords.set(valid, row);
                }
            }
            return output.build(valid);
        }
    }

    /// Writes the value of a text to a row; false if it is not of the usual notation, or does not fit.
    private interface Parser {
        boolean parse(MemorySegment bytes, int from, int to, MemorySegment values, long row);
    }

    private static Parser parser(DataType type) {
        return switch (type) {
            case DataType.Int integer ->
                (bytes, from, to, values, row) -> {
                    long value = IntegerText.fast(bytes, from, to);
                    return value != IntegerText.NONE
                            && fits(value, integer)
                            && put(value, integer.bits() / 8, values, row);
                };
            case DataType.Float real ->
                (bytes, from, to, values, row) -> {
                    long bits = real.bits() == 16 ? DoubleText.NONE : DoubleText.fast(bytes, from, to);
                    if (bits == DoubleText.NONE || real.bits() == 32 && DoubleText.mayRoundTwice(bits)) {
                        return false;
                    }
                    return put(Double.longBitsToDouble(bits), real, values, row);
                };
            case DataType.Decimal decimal ->
                (bytes, from, to, values, row) -> {
                    long value = DecimalText.fast(bytes, from, to, decimal.precision(), decimal.scale());
                    if (value == DecimalText.NONE) {
                        return false;
                    }
                    values.setAtIndex(JAVA_LONG, 2 * row, value);
                    values.setAtIndex(JAVA_LONG, 2 * row + 1, value >> Long.SIZE - 1);
                    return true;
                };
            case DataType.Date _ ->
                (bytes, from, to, values, row) -> {
                    int day = TimeText.date(bytes, from, to);
                    return day != TimeText.NO_DATE && put(day, Integer.BYTES, values, row);
                };
            case DataType.Time time -> {
                int width = FixedOutput.width(time);
                yield (bytes, from, to, values, row) -> {
                    long units = TimeText.timeOfDay(bytes, from, to, time.unit());
                    return units != TimeText.NO_TIME && put(units, width, values, row);
                };
            }
            case DataType.Timestamp stamp -> {
                ZoneClock clock = ZoneClock.of(stamp.zone());
                yield (bytes, from, to, values, row) -> {
                    long units = TimeText.timestamp(bytes, from, to, stamp.unit(), clock);
                    return units != TimeText.NO_TIME && put(units, Long.BYTES, values, row);
                };
            }
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Duration _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> throw new IllegalArgumentException("text is not parsed to " + type + " here");
        };
    }

    private static boolean fits(long value, DataType.Int type) {
        int unused = Long.SIZE - type.bits();
        return type.signed() ? value << unused >> unused == value : value >= 0 && value << unused >>> unused == value;
    }

    private static boolean put(long value, int width, MemorySegment values, long row) {
        switch (width) {
            case 1 -> values.setAtIndex(JAVA_BYTE, row, (byte) value);
            case 2 -> values.setAtIndex(JAVA_SHORT, row, (short) value);
            case 4 -> values.setAtIndex(JAVA_INT, row, (int) value);
            default -> values.setAtIndex(JAVA_LONG, row, value);
        }
        return true;
    }

    private static boolean put(double value, DataType.Float type, MemorySegment values, long row) {
        switch (type.bits()) {
            case 16 -> values.setAtIndex(JAVA_SHORT, row, Float.floatToFloat16((float) value));
            case 32 -> values.setAtIndex(JAVA_FLOAT, row, (float) value);
            default -> values.setAtIndex(JAVA_DOUBLE, row, value);
        }
        return true;
    }

    /// Writes a Java value; false if it is null.
    private boolean put(@Nullable Object value, MemorySegment values, long row) {
        if (value == null) {
            zero(values, row);
            return false;
        }
        int width = FixedOutput.width(type());
        return switch (type()) {
            case DataType.Int _ -> put(((Number) value).longValue(), width, values, row);
            // A half or a float is exact as a double.
            case DataType.Float real -> put(((Number) value).doubleValue(), real, values, row);
            case DataType.Decimal _ -> {
                BigInteger unscaled = ((BigDecimal) value).unscaledValue();
                values.setAtIndex(JAVA_LONG, 2 * row, unscaled.longValue());
                yield put(unscaled.shiftRight(Long.SIZE).longValue(), Long.BYTES, values, 2 * row + 1);
            }
            case DataType.Date _, DataType.Time _, DataType.Timestamp _, DataType.Duration _ ->
                put(
                        width == Long.BYTES ? JavaValues.toLong(type(), value) : JavaValues.toInt(type(), value),
                        width,
                        values,
                        row);
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> throw new IllegalArgumentException("text does not become " + type() + " here");
        };
    }

    private void zero(MemorySegment values, long row) {
        int width = FixedOutput.width(type());
        values.asSlice(row * width, width).fill((byte) 0);
    }
}
