package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Converts integers and floats of any width to any other. Values pass through a small array of longs (from integers)
/// or doubles (from floats) that stays in cache, so that ten loaders and ten storers implement all pairs.
///
/// An integer outside the target's range does not fit, nor does a float that is not an integer in that range; a float
/// that is rounded or becomes infinite fits.
final class NumberConversion {
    private static final int CHUNK = 1024;
    private static final double TWO_63 = 0x1p63;

    private final FixedWidthColumn input;
    private final DataType source;
    private final DataType target;
    private final EvaluationRows rows;
    private final @Nullable ValueMisfit misfit;
    private long @Nullable [] valid;

    private NumberConversion(
            FixedWidthColumn input,
            DataType source,
            DataType target,
            EvaluationRows rows,
            @Nullable ValueMisfit misfit) {
        this.input = input;
        this.source = source;
        this.target = target;
        this.rows = rows;
        this.misfit = misfit;
        this.valid = BitWords.valid(input);
    }

    /// @param misfit creates the error for a value that does not fit; if null, such a value becomes null
    static Column convert(FixedWidthColumn input, DataType target, EvaluationRows rows, @Nullable ValueMisfit misfit) {
        return new NumberConversion(input, input.type(), target, rows, misfit).run();
    }

    private Column run() {
        try (FixedOutput output = new FixedOutput(target, rows)) {
            MemorySegment from = input.values();
            MemorySegment to = output.values();
            boolean real = source instanceof DataType.Float;
            long[] longs = new long[CHUNK];
            double[] doubles = new double[real ? CHUNK : 0];
            for (long at = 0; at < rows.count(); at += CHUNK) {
                int count = (int) Math.min(CHUNK, rows.count() - at);
                if (real) {
                    load(from, at, doubles, count);
                    if (target instanceof DataType.Int integer) {
                        truncate(doubles, longs, count, integer, at);
                        store(longs, to, at, count);
                    } else {
                        store(doubles, to, at, count);
                    }
                } else {
                    load(from, at, longs, count);
                    if (target instanceof DataType.Int integer) {
                        checkRange(longs, count, integer, at);
                    }
                    store(longs, to, at, count);
                }
            }
            return output.build(valid);
        }
    }

    private void load(MemorySegment from, long at, long[] to, int count) {
        DataType.Int type = (DataType.Int) source;
        switch (type.bits()) {
            case 8 -> {
                int mask = type.signed() ? -1 : 0xFF;
                for (int i = 0; i < count; i++) {
                    to[i] = from.getAtIndex(JAVA_BYTE, at + i) & mask;
                }
            }
            case 16 -> {
                int mask = type.signed() ? -1 : 0xFFFF;
                for (int i = 0; i < count; i++) {
                    to[i] = from.getAtIndex(JAVA_SHORT, at + i) & mask;
                }
            }
            case 32 -> {
                long mask = type.signed() ? -1 : 0xFFFF_FFFFL;
                for (int i = 0; i < count; i++) {
                    to[i] = from.getAtIndex(JAVA_INT, at + i) & mask;
                }
            }
            default -> MemorySegment.copy(from, JAVA_LONG, at * Long.BYTES, to, 0, count);
        }
    }

    private void load(MemorySegment from, long at, double[] to, int count) {
        switch (((DataType.Float) source).bits()) {
            case 16 -> {
                for (int i = 0; i < count; i++) {
                    to[i] = Float.float16ToFloat(from.getAtIndex(JAVA_SHORT, at + i));
                }
            }
            case 32 -> {
                for (int i = 0; i < count; i++) {
                    to[i] = from.getAtIndex(JAVA_FLOAT, at + i);
                }
            }
            default -> MemorySegment.copy(from, JAVA_DOUBLE, at * Double.BYTES, to, 0, count);
        }
    }

    private void checkRange(long[] values, int count, DataType.Int to, long at) {
        boolean unsigned = source.equals(DataType.UINT64);
        long low = to.signed() && !unsigned ? -1L << (to.bits() - 1) : 0;
        long high = to.bits() == 64 ? Long.MAX_VALUE : (1L << (to.signed() ? to.bits() - 1 : to.bits())) - 1;
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            least = Math.min(least, values[i]);
            most = Math.max(most, values[i]);
        }
        if (least < low || most > high) {
            for (int i = 0; i < count; i++) {
                if (values[i] < low || values[i] > high) {
                    refuse(at + i);
                }
            }
        }
    }

    private void truncate(double[] values, long[] to, int count, DataType.Int type, long at) {
        if (type.equals(DataType.UINT64)) {
            for (int i = 0; i < count; i++) {
                double x = values[i];
                to[i] = x >= TWO_63 ? (long) (x - TWO_63) ^ Long.MIN_VALUE : (long) x;
                if (!(x >= 0 && x < 2 * TWO_63 && x == Math.rint(x))) {
                    refuse(at + i);
                }
            }
            return;
        }
        boolean bad = false;
        for (int i = 0; i < count; i++) {
            long r = (long) values[i];
            to[i] = r;
            bad |= r != values[i];
            bad |= r == Long.MAX_VALUE;
        }
        if (bad) {
            for (int i = 0; i < count; i++) {
                if (to[i] != values[i] || to[i] == Long.MAX_VALUE) {
                    refuse(at + i);
                    to[i] = 0;
                }
            }
        }
        long low = type.signed() ? -1L << (type.bits() - 1) : 0;
        long high = type.bits() == 64 ? Long.MAX_VALUE : (1L << (type.signed() ? type.bits() - 1 : type.bits())) - 1;
        for (int i = 0; i < count; i++) {
            if (to[i] < low || to[i] > high) {
                refuse(at + i);
            }
        }
    }

    private void refuse(long row) {
        if (valid != null && !BitWords.get(valid, row)) {
            return;
        }
        if (misfit != null && rows.isActive(row)) {
            throw misfit.error(row, requireNonNull(input.value(row), "null fits every type"));
        }
        if (valid == null) {
            valid = BitWords.all(rows.count());
        }
        BitWords.clear(valid, row);
    }

    private void store(long[] values, MemorySegment to, long at, int count) {
        boolean unsigned = source.equals(DataType.UINT64);
        switch (target) {
            case DataType.Float real -> {
                for (int i = 0; i < count; i++) {
                    long x = values[i];
                    // Halving keeps the sticky last bit, so that the conversion rounds correctly.
                    double wide = unsigned && x < 0 ? 2.0 * ((x >>> 1) | (x & 1)) : x;
                    switch (real.bits()) {
                        case 16 -> to.setAtIndex(JAVA_SHORT, at + i, Float.floatToFloat16((float) wide));
                        case 32 -> to.setAtIndex(JAVA_FLOAT, at + i, unsigned ? (float) wide : (float) x);
                        default -> to.setAtIndex(JAVA_DOUBLE, at + i, wide);
                    }
                }
            }
            // Integers and times, by their width.
            default -> {
                switch (FixedOutput.width(target)) {
                    case 1 -> {
                        for (int i = 0; i < count; i++) {
                            to.setAtIndex(JAVA_BYTE, at + i, (byte) values[i]);
                        }
                    }
                    case 2 -> {
                        for (int i = 0; i < count; i++) {
                            to.setAtIndex(JAVA_SHORT, at + i, (short) values[i]);
                        }
                    }
                    case 4 -> {
                        for (int i = 0; i < count; i++) {
                            to.setAtIndex(JAVA_INT, at + i, (int) values[i]);
                        }
                    }
                    default -> MemorySegment.copy(values, 0, to, JAVA_LONG, at * Long.BYTES, count);
                }
            }
        }
    }

    private void store(double[] values, MemorySegment to, long at, int count) {
        switch (((DataType.Float) target).bits()) {
            case 16 -> {
                for (int i = 0; i < count; i++) {
                    to.setAtIndex(JAVA_SHORT, at + i, Float.floatToFloat16((float) values[i]));
                }
            }
            case 32 -> {
                for (int i = 0; i < count; i++) {
                    to.setAtIndex(JAVA_FLOAT, at + i, (float) values[i]);
                }
            }
            default -> MemorySegment.copy(values, 0, to, JAVA_DOUBLE, at * Double.BYTES, count);
        }
    }
}
