package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Column;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.internal.text.PowersOfTen;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// Converts decimals to other numbers and back, with the results of [CastValues]. Stretches of rows whose unscaled
/// values are longs are converted in longs and doubles, as far as the result is certain; others one value at a time.
final class DecimalConversion {
    /// Integers up to this are exact as doubles.
    private static final long MAX_EXACT = 1L << 53;
    /// Below this, a double times a power of ten is off by less than a hundredth.
    private static final double MAX_CERTAIN = 0x1p43;

    /// The largest distance from an integer at which a number that is off by a hundredth is still rounded to it.
    private static final double CERTAIN_DISTANCE = 0.49;

    private final FixedWidthColumn input;
    private final DataType target;
    private final EvaluationRows rows;
    private final @Nullable ValueMisfit misfit;
    private final CastValues casts = new CastValues();
    private final MemorySegment out;
    private long @Nullable [] valid;

    private DecimalConversion(
            FixedWidthColumn input,
            DataType target,
            EvaluationRows rows,
            @Nullable ValueMisfit misfit,
            MemorySegment out) {
        this.input = input;
        this.target = target;
        this.rows = rows;
        this.misfit = misfit;
        this.out = out;
        this.valid = BitWords.valid(input);
    }

    /// @param misfit creates the error for a value that does not fit; if null, such a value becomes null
    static Column convert(FixedWidthColumn input, DataType target, EvaluationRows rows, @Nullable ValueMisfit misfit) {
        try (FixedOutput output = new FixedOutput(target, rows)) {
            DecimalConversion conversion = new DecimalConversion(input, target, rows, misfit, output.values());
            conversion.run();
            return output.build(conversion.valid);
        }
    }

    private void run() {
        DecimalOperand operand = input.type() instanceof DataType.Float ? null : DecimalOperand.over(input);
        TaskCancellation running = TaskCancellation.ofThread();
        for (long from = 0; from < rows.count(); from += DecimalOperand.CHUNK) {
            running.check();
            int count = (int) Math.min(DecimalOperand.CHUNK, rows.count() - from);
            boolean done = operand == null
                    ? input instanceof DoubleColumn doubles && toDecimals(doubles.values(), from, count)
                    : operand.read(from, count) && convert(operand, from, count);
            if (!done) {
                oneByOne(from, count);
            }
        }
    }

    private boolean convert(DecimalOperand operand, long from, int count) {
        return switch (target) {
            case DataType.Decimal decimal -> toDecimals(operand, decimal, from, count);
            case DataType.Float real when real.bits() == Double.SIZE -> toDoubles(operand, from, count);
            case DataType.Int integer when integer.equals(DataType.INT64) -> toLongs(operand, from, count);
            // Rare: one value at a time.
            default -> false;
        };
    }

    private boolean toDecimals(DecimalOperand operand, DataType.Decimal decimal, long from, int count) {
        int finer = decimal.scale() - operand.scale();
        if (!DecimalOperand.isPower(Math.abs(finer))) {
            return false;
        }
        long factor = DecimalOperand.power(Math.abs(finer));
        long most = DecimalOperand.mostOf(decimal.precision());
        long wrong = 0;
        for (int i = 0; i < count; i++) {
            long x = operand.words[i];
            long value;
            if (finer >= 0) {
                value = x * factor;
                wrong |= Math.multiplyHigh(x, factor) ^ value >> Long.SIZE - 1;
            } else {
                long rest = Math.abs(x % factor);
                value = x / factor + (rest >= factor - rest ? x < 0 ? -1 : 1 : 0);
            }
            wrong |= value > most || value < -most ? 1 : 0;
            out.setAtIndex(JAVA_LONG, 2 * (from + i), value);
            out.setAtIndex(JAVA_LONG, 2 * (from + i) + 1, value >> Long.SIZE - 1);
        }
        return wrong == 0;
    }

    /// A quotient of two doubles that are exact is the double nearest to it.
    private boolean toDoubles(DecimalOperand operand, long from, int count) {
        if (!DecimalOperand.isPower(operand.scale())) {
            return false;
        }
        double divisor = PowersOfTen.exact(operand.scale());
        long wrong = 0;
        for (int i = 0; i < count; i++) {
            long x = operand.words[i];
            wrong |= MAX_EXACT - x | MAX_EXACT + x;
            out.setAtIndex(JAVA_DOUBLE, from + i, x / divisor);
        }
        return wrong >= 0;
    }

    private boolean toLongs(DecimalOperand operand, long from, int count) {
        if (!DecimalOperand.isPower(operand.scale())) {
            return false;
        }
        long divisor = DecimalOperand.power(operand.scale());
        long rest = 0;
        for (int i = 0; i < count; i++) {
            long x = operand.words[i];
            long whole = x / divisor;
            rest |= x - whole * divisor;
            out.setAtIndex(JAVA_LONG, from + i, whole);
        }
        return rest == 0;
    }

    /// The decimal with the fewest digits that is nearest to the double is rounded half up. Where the product is not
    /// close to a half, an error in its last bits does not matter.
    private boolean toDecimals(MemorySegment doubles, long from, int count) {
        DataType.Decimal decimal = (DataType.Decimal) target;
        if (!DecimalOperand.isPower(decimal.scale())) {
            return false;
        }
        double factor = PowersOfTen.exact(decimal.scale());
        long most = DecimalOperand.mostOf(decimal.precision());
        boolean certain = true;
        for (int i = 0; i < count; i++) {
            double product = doubles.getAtIndex(JAVA_DOUBLE, from + i) * factor;
            double whole = Math.rint(product);
            certain &= Math.abs(product) < MAX_CERTAIN && Math.abs(product - whole) < CERTAIN_DISTANCE;
            long value = (long) whole;
            certain &= value <= most && value >= -most;
            out.setAtIndex(JAVA_LONG, 2 * (from + i), value);
            out.setAtIndex(JAVA_LONG, 2 * (from + i) + 1, value >> Long.SIZE - 1);
        }
        return certain;
    }

    private void oneByOne(long from, int count) {
        for (long row = from; row < from + count; row++) {
            if (rows.isActive(row) && (valid == null || BitWords.get(valid, row))) {
                one(row);
            }
        }
    }

    private void one(long row) {
        Object value = requireNonNull(input.value(row), "the row is not null");
        try {
            put(row, requireNonNull(casts.cast(value, input.type(), target), "only null becomes null"));
        } catch (CastValues.Refused e) {
            if (misfit != null) {
                throw misfit.error(row, value);
            }
            if (valid == null) {
                valid = BitWords.all(rows.count());
            }
            BitWords.clear(valid, row);
        }
    }

    private void put(long row, Object value) {
        if (value instanceof BigDecimal decimal) {
            DecimalOperand.put(out, row, decimal.unscaledValue());
            return;
        }
        Number stored = StoredValues.of(target, value);
        if (target instanceof DataType.Float real) {
            switch (real.bits()) {
                case 16 -> out.setAtIndex(JAVA_SHORT, row, Float.floatToFloat16(stored.floatValue()));
                case 32 -> out.setAtIndex(JAVA_FLOAT, row, stored.floatValue());
                default -> out.setAtIndex(JAVA_DOUBLE, row, stored.doubleValue());
            }
            return;
        }
        switch (FixedOutput.width(target)) {
            case 1 -> out.setAtIndex(JAVA_BYTE, row, stored.byteValue());
            case 2 -> out.setAtIndex(JAVA_SHORT, row, stored.shortValue());
            case 4 -> out.setAtIndex(JAVA_INT, row, stored.intValue());
            default -> out.setAtIndex(JAVA_LONG, row, stored.longValue());
        }
    }
}
