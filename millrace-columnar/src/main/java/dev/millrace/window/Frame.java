package dev.millrace.window;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Period;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAmount;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The rows of a partition that a window function reads for a row. Both ends are inclusive; the frame never exceeds the
/// partition.
///
/// SQL's default, if there is an order, is [#runningWithPeers]; [#running] is `ROWS BETWEEN UNBOUNDED PRECEDING AND
/// CURRENT ROW`.
///
/// @param from the first row relative to the current one: -2 is two before it; [#UNBOUNDED_PRECEDING]; for values 0 if
///     `least` contains the distance
/// @param to the last row relative to the current one; [#UNBOUNDED_FOLLOWING]
/// @param least for values: the distance of the first value from the current row's; null if there is none
/// @param most for values: the distance of the last value; null if there is none
public record Frame(
        Unit unit,
        long from,
        long to,
        @Nullable Distance least,
        @Nullable Distance most) implements Serializable {
    /// Starts at the first row of the partition.
    public static final long UNBOUNDED_PRECEDING = Long.MIN_VALUE;
    /// Ends at the last row of the partition.
    public static final long UNBOUNDED_FOLLOWING = Long.MAX_VALUE;

    /// The unit of the ends.
    public enum Unit {
        /// Rows.
        ROWS,
        /// Peers (rows with equal order keys) as one: an end is unbounded, or 0 for the first or last peer of the
        /// current row.
        RANGE,
        /// The distance of the order key's value from the current row's, in the direction of the order. The frame of a
        /// row whose key is null or NaN is the rows with such keys.
        VALUES
    }

    /// The distance between two values of an order key: negative for one that comes before.
    public sealed interface Distance extends Serializable {
        /// A distance of numbers; of dates in days.
        record OfNumber(BigDecimal amount) implements Distance {
            @Override
            public String toString() {
                return amount.toPlainString();
            }
        }

        /// A distance of dates, times and timestamps.
        record OfTime(Duration amount) implements Distance {
            @Override
            public String toString() {
                return amount.toString();
            }
        }

        /// A distance of dates and timestamps in calendar months: a month after January 31st is the last of February.
        record OfMonths(long amount) implements Distance {
            @Override
            public String toString() {
                return amount + " months";
            }
        }

        private static @Nullable Distance of(@Nullable Number number) {
            return switch (number) {
                case null -> null;
                case BigDecimal decimal -> new OfNumber(decimal);
                case Double _, Float _ -> new OfNumber(BigDecimal.valueOf(number.doubleValue()));
                default -> new OfNumber(new BigDecimal(number.toString()));
            };
        }

        private static @Nullable Distance of(@Nullable TemporalAmount amount) {
            return switch (amount) {
                case null -> null;
                case Duration duration -> new OfTime(duration);
                case Period period
                when period.toTotalMonths() == 0 -> new OfTime(Duration.ofDays(period.get(ChronoUnit.DAYS)));
                case Period period when period.get(ChronoUnit.DAYS) == 0 -> new OfMonths(period.toTotalMonths());
                default ->
                    throw MillraceException.user("A frame's distance is a Duration, or a Period of months or of days,"
                            + " not " + amount + ".");
            };
        }
    }

    /// A frame without distances of values.
    public Frame(Unit unit, long from, long to) {
        this(unit, from, to, null, null);
    }

    public Frame {
        boolean bounded = from != UNBOUNDED_PRECEDING && to != UNBOUNDED_FOLLOWING;
        if (from == UNBOUNDED_FOLLOWING || to == UNBOUNDED_PRECEDING || bounded && from > to) {
            throw MillraceException.user("A frame ends where it begins or later, not from " + from + " to " + to + ".");
        }
        if (unit == Unit.RANGE && (from != UNBOUNDED_PRECEDING && from != 0 || to != UNBOUNDED_FOLLOWING && to != 0)) {
            throw MillraceException.user(
                    "A frame of ranges is unbounded or ends at the current row's peers, not from " + from + " to " + to
                            + ". For distances between values use Frame.values(from, to), for rows"
                            + " Frame.rows(from, to).");
        }
    }

    /// The whole partition.
    public static Frame partition() {
        return new Frame(Unit.ROWS, UNBOUNDED_PRECEDING, UNBOUNDED_FOLLOWING);
    }

    /// From the partition's first row to the current one.
    public static Frame running() {
        return new Frame(Unit.ROWS, UNBOUNDED_PRECEDING, 0);
    }

    /// From the partition's first row to the last peer of the current one: SQL's default if no frame is specified.
    public static Frame runningWithPeers() {
        return new Frame(Unit.RANGE, UNBOUNDED_PRECEDING, 0);
    }

    /// `rows(-6, 0)` is the current row and the six before it; ends may be [#UNBOUNDED_PRECEDING] and
    /// [#UNBOUNDED_FOLLOWING].
    public static Frame rows(long from, long to) {
        return new Frame(Unit.ROWS, from, to);
    }

    /// The rows whose single order key is within these distances of the current row's: `values(-3, 0)` are those that
    /// are up to three smaller (greater in a descending order), and its peers. Null means unbounded.
    public static Frame values(@Nullable Number from, @Nullable Number to) {
        return values(Distance.of(from), Distance.of(to));
    }

    /// The same for dates and times: `values(Duration.ofDays(-7), Duration.ZERO)`, `values(Period.ofMonths(-1), null)`.
    public static Frame values(@Nullable TemporalAmount from, @Nullable TemporalAmount to) {
        return values(Distance.of(from), Distance.of(to));
    }

    /// The rows whose order key is within these distances of the current row's.
    public static Frame values(@Nullable Distance from, @Nullable Distance to) {
        return from == null && to == null
                ? partition()
                : new Frame(
                        Unit.VALUES,
                        from == null ? UNBOUNDED_PRECEDING : 0,
                        to == null ? UNBOUNDED_FOLLOWING : 0,
                        from,
                        to);
    }

    /// Whether it contains all rows of the partition.
    public boolean isPartition() {
        return from == UNBOUNDED_PRECEDING && to == UNBOUNDED_FOLLOWING;
    }

    @Override
    public String toString() {
        return unit.name().toLowerCase(Locale.ROOT) + " "
                + (from == UNBOUNDED_PRECEDING ? "unbounded" : least == null ? Long.toString(from) : least) + " to "
                + (to == UNBOUNDED_FOLLOWING ? "unbounded" : most == null ? Long.toString(to) : most);
    }
}
