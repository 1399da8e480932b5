package dev.millrace.internal.kernel.window;

import dev.millrace.block.Block;
import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.SortKey;
import dev.millrace.internal.kernel.Widen;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import dev.millrace.window.Frame;
import dev.millrace.window.Frame.Distance;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.LocalDate;

/// Frames of rows by how far their order key is from the current row's. Rows come sorted: first those with a value,
/// then NaN, then null; the latter two have the frame of their like.
final class ValueFrames {
    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000);
    private static final long DAY_SECONDS = Duration.ofDays(1).toSeconds();

    private final Keys keys;
    private final Frame frame;

    private ValueFrames(Keys keys, Frame frame) {
        this.keys = keys;
        this.frame = frame;
    }

    /// @param rows sorted
    /// @param key by which they are sorted in each partition
    static FrameBounds of(Allocator allocator, Block rows, Partitions partitions, Frame frame, SortKey key) {
        Column stored = rows.column(key.column());
        DataType plain = stored.type() instanceof DataType.Dictionary dictionary ? dictionary.value() : stored.type();
        Column column = Widen.to(allocator, stored, isFloat(plain) ? DataType.FLOAT64 : plain);
        try {
            Keys keys = column instanceof DoubleColumn doubles
                    ? new Doubles(doubles, key.isDescending(), frame)
                    : new Longs(column, key.isDescending(), frame);
            return new ValueFrames(keys, frame).of(partitions, column);
        } finally {
            column.release();
        }
    }

    /// What is wrong with a frame over an order key of this type, as the end of a sentence; null for nothing.
    static String problem(DataType type, Distance distance) {
        DataType key = type instanceof DataType.Dictionary dictionary ? dictionary.value() : type;
        boolean right = switch (distance) {
            case null -> isNumber(key) || isTime(key);
            case Distance.OfNumber _ -> isNumber(key) || key instanceof DataType.Date;
            case Distance.OfTime(Duration amount) ->
                isTime(key)
                        && (!(key instanceof DataType.Date)
                                || amount.getNano() == 0 && amount.toSeconds() % DAY_SECONDS == 0);
            case Distance.OfMonths _ -> key instanceof DataType.Date;
        };
        if (right) {
            return null;
        }
        return isTime(key)
                ? "takes " + (key instanceof DataType.Date ? "whole days or months" : "a Duration") + ", not "
                        + distance
                : isNumber(key) ? "takes numbers, not " + distance : "has no distances between its values";
    }

    private static boolean isNumber(DataType type) {
        return type instanceof DataType.Int || type instanceof DataType.Decimal || isFloat(type);
    }

    private static boolean isTime(DataType type) {
        return type instanceof DataType.Date || type instanceof DataType.Timestamp || type instanceof DataType.Time;
    }

    private static boolean isFloat(DataType type) {
        return type instanceof DataType.Float;
    }

    private FrameBounds of(Partitions partitions, Column column) {
        int[] from = new int[partitions.rows()];
        int[] to = new int[partitions.rows()];
        boolean open = frame.from() == Frame.UNBOUNDED_PRECEDING;
        boolean toEnd = frame.to() == Frame.UNBOUNDED_FOLLOWING;
        for (int p = 0; p < partitions.count(); p++) {
            int start = partitions.start(p);
            int end = partitions.end(p);
            int nulls = end;
            while (nulls > start && column.isNull(nulls - 1)) {
                nulls--;
            }
            int strange = nulls;
            while (strange > start && keys.isNaN(strange - 1)) {
                strange--;
            }
            for (int row = start; row < end; row++) {
                if (row < strange) {
                    from[row] = open ? start : keys.first(start, strange, row, false);
                    to[row] = toEnd ? end : keys.first(start, strange, row, true);
                } else {
                    from[row] = open ? start : row < nulls ? strange : nulls;
                    to[row] = toEnd ? end : row < nulls ? nulls : end;
                }
            }
        }
        return FrameBounds.of(partitions, from, to);
    }

    /// Keys as numbers that ascend with the rows.
    private interface Keys {
        boolean isNaN(int row);

        /// The first row in a range that belongs to the frame of `row`, or that lies behind it.
        int first(int start, int end, int row, boolean behind);
    }

    private static final class Doubles implements Keys {
        private final double[] values;
        private final double least;
        private final double most;

        Doubles(DoubleColumn column, boolean descending, Frame frame) {
            values = new double[Math.toIntExact(column.length())];
            for (int row = 0; row < values.length; row++) {
                if (!column.isNull(row)) {
                    values[row] = descending ? -column.get(row) : column.get(row);
                }
            }
            least = amount(frame.least());
            most = amount(frame.most());
        }

        private static double amount(Distance distance) {
            return distance instanceof Distance.OfNumber(BigDecimal amount) ? amount.doubleValue() : 0;
        }

        @Override
        public boolean isNaN(int row) {
            return Double.isNaN(values[row]);
        }

        @Override
        public int first(int start, int end, int row, boolean behind) {
            double bound = values[row] + (behind ? most : least);
            int low = start;
            int high = end;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (behind ? values[middle] <= bound : values[middle] < bound) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }

    private static final class Longs implements Keys {
        private final long[] values;
        private final boolean descending;
        private final Frame frame;
        private final long least;
        private final long most;

        Longs(Column stored, boolean descending, Frame frame) {
            this.values = new long[Math.toIntExact(stored.length())];
            this.descending = descending;
            this.frame = frame;
            for (int row = 0; row < values.length; row++) {
                if (!stored.isNull(row)) {
                    long value = value(stored, row);
                    values[row] = descending ? Math.negateExact(value) : value;
                }
            }
            least = amount(stored.type(), frame.least(), RoundingMode.CEILING);
            most = amount(stored.type(), frame.most(), RoundingMode.FLOOR);
        }

        private static long value(Column column, int row) {
            boolean unsigned = column.type() instanceof DataType.Int integer && !integer.signed();
            return switch (column) {
                case DecimalColumn c when c.high(row) == c.low(row) >> 63 -> c.low(row);
                case LongColumn c when !unsigned || c.get(row) >= 0 -> c.get(row);
                case IntColumn c -> unsigned ? c.get(row) & 0xFFFFFFFFL : c.get(row);
                case ShortColumn c -> unsigned ? c.get(row) & 0xFFFFL : c.get(row);
                case ByteColumn c -> unsigned ? c.get(row) & 0xFFL : c.get(row);
                default ->
                    throw MillraceException.data("window: a frame by distances has an order key of type "
                            + column.type() + " with a value beyond 64 bits. Cast it to float64 first.");
            };
        }

        /// A distance in units of the stored values; a part of a unit makes no difference.
        private static long amount(DataType type, Distance distance, RoundingMode rounding) {
            BigDecimal units = switch (distance) {
                case null -> BigDecimal.ZERO;
                case Distance.OfMonths _ -> BigDecimal.ZERO;
                case Distance.OfNumber(BigDecimal amount) ->
                    type instanceof DataType.Decimal decimal ? amount.scaleByPowerOfTen(decimal.scale()) : amount;
                case Distance.OfTime(Duration amount) -> {
                    BigDecimal nanos = BigDecimal.valueOf(amount.getSeconds())
                            .multiply(NANOS)
                            .add(BigDecimal.valueOf(amount.getNano()));
                    yield nanos.divide(BigDecimal.valueOf(nanos(type)));
                }
            };
            BigDecimal whole = units.setScale(0, rounding);
            return whole.max(BigDecimal.valueOf(-Long.MAX_VALUE))
                    .min(BigDecimal.valueOf(Long.MAX_VALUE))
                    .longValue();
        }

        private static long nanos(DataType type) {
            return switch (type) {
                case DataType.Timestamp(TimeUnit unit, var _) -> TimeUnit.NANOSECOND.perSecond() / unit.perSecond();
                case DataType.Time(TimeUnit unit) -> TimeUnit.NANOSECOND.perSecond() / unit.perSecond();
                default -> Duration.ofDays(1).toNanos();
            };
        }

        @Override
        public boolean isNaN(int row) {
            return false;
        }

        @Override
        public int first(int start, int end, int row, boolean behind) {
            long bound = bound(values[row], behind ? frame.most() : frame.least(), behind ? most : least);
            int low = start;
            int high = end;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (behind ? values[middle] <= bound : values[middle] < bound) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        private long bound(long value, Distance distance, long units) {
            if (distance instanceof Distance.OfMonths(long months)) {
                LocalDate day = LocalDate.ofEpochDay(descending ? -value : value);
                long other = day.plusMonths(descending ? -months : months).toEpochDay();
                return descending ? -other : other;
            }
            long sum = value + units;
            boolean overflowed = ((value ^ sum) & (units ^ sum)) < 0;
            return overflowed ? (units < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
        }
    }
}
