package dev.millrace.internal.consume;

import dev.millrace.batch.Batch;
import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.consume.Aggregation.Kind;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/// Folds a batch into one row, inside a task: how many values there are, and their sum or extreme.
///
/// Integers are summed exactly as the sums of their upper and lower 32 bits, which cannot overflow for any batch and
/// which the compiler turns into SIMD.
final class PartialAggregate implements BatchFunction {
    private static final long serialVersionUID = 1L;

    static final String COUNT = "count";
    static final String HIGH = "high";
    static final String LOW = "low";
    static final String REAL = "real";
    static final String EXACT = "exact";
    static final String VALUE = "value";

    private final Kind kind;
    private final String column;

    PartialAggregate(Kind kind, String column) {
        this.kind = kind;
        this.column = column;
    }

    @Override
    public Batch apply(Batch batch) {
        Column values = batch.column(column);
        Aggregation.requireType(kind, column, values.type());
        long count = values.length() - values.nullCount();
        Batch result = batch.none().with(COUNT, new long[] {count});
        if (count == 0) {
            return result;
        }
        return switch (kind) {
            case SUM, MEAN -> withSum(result, values);
            case MIN, MAX -> {
                Object extreme = extreme(values);
                yield result.with(VALUE, List.of(extreme));
            }
        };
    }

    private static Batch withSum(Batch result, Column values) {
        return switch (values) {
            case LongColumn longs
            when longs.type().equals(DataType.INT64) -> {
                long[] halves = longs.hasNulls() ? halvesWithNulls(longs) : halves(longs);
                yield result.with(HIGH, new long[] {halves[0]}).with(LOW, new long[] {halves[1]});
            }
            case DoubleColumn doubles when !doubles.hasNulls() -> result.with(REAL, new double[] {sum(doubles)});
            case IntColumn _, ShortColumn _, ByteColumn _ -> {
                long sum = 0;
                for (long i = 0; i < values.length(); i++) {
                    sum += values.isNull(i) ? 0 : integer(values, i);
                }
                yield result.with(HIGH, new long[] {sum >> 32}).with(LOW, new long[] {sum & 0xffff_ffffL});
            }
            default -> withBoxedSum(result, values);
        };
    }

    private static Batch withBoxedSum(Batch result, Column values) {
        double real = 0;
        BigDecimal exact = BigDecimal.ZERO;
        boolean isReal = false;
        for (long i = 0; i < values.length(); i++) {
            switch (values.value(i)) {
                case null -> {}
                case Double number -> {
                    isReal = true;
                    real += number;
                }
                case Float number -> {
                    isReal = true;
                    real += number;
                }
                case BigDecimal number -> exact = exact.add(number);
                case BigInteger number -> exact = exact.add(new BigDecimal(number));
                case Object number -> exact = exact.add(BigDecimal.valueOf(((Number) number).longValue()));
            }
        }
        return isReal ? result.with(REAL, new double[] {real}) : result.with(EXACT, List.of(exact));
    }

    private static long[] halves(LongColumn longs) {
        long high = 0;
        long low = 0;
        long rows = longs.length();
        for (long i = 0; i < rows; i++) {
            long value = longs.get(i);
            high += value >> 32;
            low += value & 0xffff_ffffL;
        }
        return new long[] {high, low};
    }

    private static long[] halvesWithNulls(LongColumn longs) {
        long high = 0;
        long low = 0;
        long rows = longs.length();
        for (long i = 0; i < rows; i++) {
            long value = longs.isNull(i) ? 0 : longs.get(i);
            high += value >> 32;
            low += value & 0xffff_ffffL;
        }
        return new long[] {high, low};
    }

    private static double sum(DoubleColumn doubles) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        long rows = doubles.length();
        long i = 0;
        for (; i + 3 < rows; i += 4) {
            a += doubles.get(i);
            b += doubles.get(i + 1);
            c += doubles.get(i + 2);
            d += doubles.get(i + 3);
        }
        for (; i < rows; i++) {
            a += doubles.get(i);
        }
        return a + b + c + d;
    }

    private static long integer(Column values, long index) {
        return switch (values) {
            case IntColumn ints -> ints.toLong(index);
            case ShortColumn shorts -> shorts.toInt(index);
            case ByteColumn bytes -> bytes.toInt(index);
            default -> throw new IllegalStateException(values.type().toString());
        };
    }

    private Object extreme(Column values) {
        int sign = kind == Kind.MAX ? 1 : -1;
        if (!values.hasNulls()) {
            switch (values) {
                case LongColumn longs
                when longs.type().equals(DataType.INT64) -> {
                    return extremeLong(longs, sign);
                }
                case DoubleColumn doubles -> {
                    return extremeDouble(doubles, sign);
                }
                default -> {}
            }
        }
        Object best = null;
        for (long i = 0; i < values.length(); i++) {
            Object value = values.value(i);
            if (value != null && (best == null || ValueOrder.compare(value, best) * sign > 0)) {
                best = value;
            }
        }
        return best;
    }

    private static long extremeLong(LongColumn longs, int sign) {
        long best = longs.get(0);
        long rows = longs.length();
        if (sign > 0) {
            for (long i = 1; i < rows; i++) {
                best = Math.max(best, longs.get(i));
            }
        } else {
            for (long i = 1; i < rows; i++) {
                best = Math.min(best, longs.get(i));
            }
        }
        return best;
    }

    private static double extremeDouble(DoubleColumn doubles, int sign) {
        double best = doubles.get(0);
        for (long i = 1; i < doubles.length(); i++) {
            double value = doubles.get(i);
            best = Double.compare(value, best) * sign > 0 ? value : best;
        }
        return best;
    }
}
