package dev.millrace.internal.kernel.window;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import dev.millrace.window.Frame;
import dev.millrace.window.Frame.Distance;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/// Frames of rows by the distance of their order key from the current row's. Rows are sorted: first those with a value,
/// then NaN, then null; the frame of the latter two contains the rows with the same key. Both ends move forward with
/// the rows.
final class ValueFrames extends WindowFrames {
    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000);
    private static final long DAY_SECONDS = Duration.ofDays(1).toSeconds();

    private final Column column;
    private final Keys keys;
    private final boolean isOpen;
    private final boolean isToEnd;
    private int partition = -1;
    /// The first row of the partition whose key is NaN or null; and the first that is null.
    private int strange;

    private int nulls;

    private ValueFrames(WindowPartitions partitions, Column column, Keys keys, Frame frame) {
        super(partitions);
        this.column = column;
        this.keys = keys;
        this.isOpen = frame.from() == Frame.UNBOUNDED_PRECEDING;
        this.isToEnd = frame.to() == Frame.UNBOUNDED_FOLLOWING;
    }

    /// @param column the order key of the sorted rows, in the form of [#plain]; the caller keeps it
    static WindowFrames of(WindowPartitions partitions, Column column, Frame frame, boolean descending) {
        Keys keys = column instanceof DoubleColumn doubles
                ? new Doubles(doubles, descending, frame)
                : new Longs(column, descending, frame);
        return new ValueFrames(partitions, column, keys, frame);
    }

    /// An order key in the form in which distances are measured, which the caller releases.
    static Column plain(Allocator allocator, Column stored) {
        DataType plain = stored.type() instanceof DataType.Dictionary dictionary ? dictionary.value() : stored.type();
        return WidenKernel.to(allocator, stored, isFloat(plain) ? DataType.FLOAT64 : plain);
    }

    /// Why a frame over an order key of this type is invalid, as the end of a sentence; null if it is valid.
    static @Nullable String problem(DataType type, @Nullable Distance distance) {
        DataType key = type instanceof DataType.Dictionary dictionary ? dictionary.value() : type;
        boolean right = switch (distance) {
            case null -> isNumber(key) || isTime(key);
            case Distance.OfNumber _ -> isNumber(key) || key instanceof DataType.Date;
            case Distance.OfTime(Duration amount) ->
                isTime(key)
                        && (!(key instanceof DataType.Date)
                                || amount.toNanosPart() == 0 && amount.toSeconds() % DAY_SECONDS == 0);
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

    @Override
    void place(int row, WindowPartitions.Cursor where) {
        if (where.partition() != partition) {
            partition = where.partition();
            enter(where);
        }
        if (row >= strange) {
            from = isOpen ? where.start() : row < nulls ? strange : nulls;
            to = isToEnd ? where.end() : row < nulls ? nulls : where.end();
            return;
        }
        keys.at(row);
        while (!isOpen && from < strange && keys.isBefore(from)) {
            from++;
        }
        while (!isToEnd && to < strange && !keys.isBehind(to)) {
            to++;
        }
    }

    private void enter(WindowPartitions.Cursor where) {
        nulls = where.end();
        while (nulls > where.start() && column.isNull(nulls - 1)) {
            nulls--;
        }
        strange = nulls;
        while (strange > where.start() && keys.isNaN(strange - 1)) {
            strange--;
        }
        from = where.start();
        to = isToEnd ? where.end() : where.start();
    }

    /// Keys as numbers that ascend with the rows.
    private interface Keys {
        boolean isNaN(int row);

        /// Moves to the frame of a row.
        void at(int row);

        /// Whether a row's key is before that frame.
        boolean isBefore(int row);

        /// Whether it is after that frame.
        boolean isBehind(int row);
    }

    private static final class Doubles implements Keys {
        private final DoubleColumn column;
        private final boolean descending;
        private final double least;
        private final double most;
        private double lower;
        private double upper;

        Doubles(DoubleColumn column, boolean descending, Frame frame) {
            this.column = column;
            this.descending = descending;
            this.least = amount(frame.least());
            this.most = amount(frame.most());
        }

        private static double amount(@Nullable Distance distance) {
            return distance instanceof Distance.OfNumber(BigDecimal amount) ? amount.doubleValue() : 0;
        }

        private double value(int row) {
            return descending ? -column.get(row) : column.get(row);
        }

        @Override
        public boolean isNaN(int row) {
            return Double.isNaN(column.get(row));
        }

        @Override
        public void at(int row) {
            lower = value(row) + least;
            upper = value(row) + most;
        }

        @Override
        public boolean isBefore(int row) {
            return value(row) < lower;
        }

        @Override
        public boolean isBehind(int row) {
            return value(row) > upper;
        }
    }

    private static final class Longs implements Keys {
        private final Column column;
        private final boolean unsigned;
        private final boolean descending;
        private final Frame frame;
        private final long least;
        private final long most;
        private long lower;
        private long upper;
        /// Whether the lower end is above all numbers, or the upper one below them.
        private boolean isLowerAbove;

        private boolean isUpperBelow;

        Longs(Column column, boolean descending, Frame frame) {
            this.column = column;
            this.unsigned = column.type() instanceof DataType.Int integer && !integer.signed();
            this.descending = descending;
            this.frame = frame;
            this.least = amount(column.type(), frame.least(), RoundingMode.CEILING);
            this.most = amount(column.type(), frame.most(), RoundingMode.FLOOR);
        }

        private long value(int row) {
            return turned(stored(row));
        }

        /// Reverses the order if it descends. The complement keeps distances as negation does, and every value has one.
        private long turned(long value) {
            return descending ? ~value : value;
        }

        private long stored(int row) {
            return switch (column) {
                case DecimalColumn c when c.high(row) == c.low(row) >> 63 -> c.low(row);
                case LongColumn c when !unsigned || c.get(row) >= 0 -> c.get(row);
                case IntColumn c -> unsigned ? c.get(row) & 0xFFFFFFFFL : c.get(row);
                case ShortColumn c -> unsigned ? c.get(row) & 0xFFFFL : c.get(row);
                case ByteColumn c -> unsigned ? c.get(row) & 0xFFL : c.get(row);
                case BooleanColumn _,
                        DictionaryColumn _,
                        FixedListColumn _,
                        FixedWidthColumn _,
                        NullColumn _,
                        OffsetColumn _,
                        StructColumn _,
                        VariableTensorColumn _ ->
                    throw MillraceException.data("window: a frame by distances has an order key of type "
                            + column.type() + " with a value beyond 64 bits. Cast it to float64 first.");
            };
        }

        /// A distance in units of the stored values; fractions of a unit are ignored.
        private static long amount(DataType type, @Nullable Distance distance, RoundingMode rounding) {
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
                case DataType.Null _,
                        DataType.Bool _,
                        DataType.Int _,
                        DataType.Float _,
                        DataType.Decimal _,
                        DataType.Date _,
                        DataType.Duration _,
                        DataType.Utf8 _,
                        DataType.Binary _,
                        DataType.Dictionary _,
                        DataType.Nested _ -> Duration.ofDays(1).toNanos();
            };
        }

        @Override
        public boolean isNaN(int row) {
            return false;
        }

        @Override
        public void at(int row) {
            long value = value(row);
            lower = bound(value, frame.least(), least);
            upper = bound(value, frame.most(), most);
            isLowerAbove = least > 0 && value > Long.MAX_VALUE - least;
            isUpperBelow = most < 0 && value < Long.MIN_VALUE - most;
        }

        @Override
        public boolean isBefore(int row) {
            return isLowerAbove || value(row) < lower;
        }

        @Override
        public boolean isBehind(int row) {
            return isUpperBelow || value(row) > upper;
        }

        private long bound(long value, @Nullable Distance distance, long units) {
            if (distance instanceof Distance.OfMonths(long months)) {
                LocalDate day = LocalDate.ofEpochDay(turned(value));
                return turned(day.plusMonths(descending ? -months : months).toEpochDay());
            }
            long sum = value + units;
            boolean overflowed = ((value ^ sum) & (units ^ sum)) < 0;
            return overflowed ? (units < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
        }
    }
}
