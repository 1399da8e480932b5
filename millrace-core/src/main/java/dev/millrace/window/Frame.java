package dev.millrace.window;

import dev.millrace.error.MillraceException;
import java.io.Serializable;

/// The rows of a partition that a window function sees from a row. Both ends belong to it; it never leaves the
/// partition.
///
/// SQL's default, where an order is given, is [#runningWithPeers]; [#running] is
/// `ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW`.
///
/// @param from the first row, counted from the current one: -2 is two before it; [#UNBOUNDED_PRECEDING]
/// @param to the last row, counted from the current one; [#UNBOUNDED_FOLLOWING]
public record Frame(Unit unit, long from, long to) implements Serializable {
    /// From the partition's first row on.
    public static final long UNBOUNDED_PRECEDING = Long.MIN_VALUE;
    /// To the partition's last row.
    public static final long UNBOUNDED_FOLLOWING = Long.MAX_VALUE;

    /// What the ends count.
    public enum Unit {
        /// Rows.
        ROWS,
        /// Rows with equal order keys as one: an end is unbounded, or 0 for the first or last peer of the current row.
        RANGE
    }

    public Frame {
        boolean bounded = from != UNBOUNDED_PRECEDING && to != UNBOUNDED_FOLLOWING;
        if (from == UNBOUNDED_FOLLOWING || to == UNBOUNDED_PRECEDING || bounded && from > to) {
            throw MillraceException.user("A frame ends where it begins or later, not from " + from + " to " + to + ".");
        }
        if (unit == Unit.RANGE && (from != UNBOUNDED_PRECEDING && from != 0 || to != UNBOUNDED_FOLLOWING && to != 0)) {
            throw MillraceException.user(
                    "A frame of ranges is unbounded or ends at the current row's peers; distances between values, from "
                            + from + " to " + to + ", are not supported. Use Frame.rows(from, to).");
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

    /// From the partition's first row to the last peer of the current one: what SQL means where it says no frame.
    public static Frame runningWithPeers() {
        return new Frame(Unit.RANGE, UNBOUNDED_PRECEDING, 0);
    }

    /// `rows(-6, 0)` is the current row and the six before it; ends may be [#UNBOUNDED_PRECEDING] and
    /// [#UNBOUNDED_FOLLOWING].
    public static Frame rows(long from, long to) {
        return new Frame(Unit.ROWS, from, to);
    }

    public boolean isPartition() {
        return from == UNBOUNDED_PRECEDING && to == UNBOUNDED_FOLLOWING;
    }

    @Override
    public String toString() {
        return unit.name().toLowerCase(java.util.Locale.ROOT) + " "
                + (from == UNBOUNDED_PRECEDING ? "unbounded" : Long.toString(from)) + " to "
                + (to == UNBOUNDED_FOLLOWING ? "unbounded" : Long.toString(to));
    }
}
