package dev.millrace.window;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.error.MillraceException;
import dev.millrace.window.WindowFunction.Aggregated;
import dev.millrace.window.WindowFunction.Numbering;
import dev.millrace.window.WindowFunction.Picked;
import dev.millrace.window.WindowFunction.Place;
import dev.millrace.window.WindowFunction.Shifted;
import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Creates window functions: `trips.window(Window.partitionBy("zone").orderBy("time"), rowNumber().as("n"), lag("fare",
/// 1).as("before"), running(sum("fare")).as("so far"))`.
///
/// Results are those of SQL's window functions over the same frame. Instead of SQL's default frames the frame is
/// explicit: [#running], [#total], [#moving], or [#over] any [Frame].
public final class WindowFunctions {
    private WindowFunctions() {}

    /// The row number 1, 2, 3 in the order of the window, as int64; peers are in the order of the dataset's rows.
    public static Numbering rowNumber() {
        return numbering(Place.ROW_NUMBER);
    }

    /// The number of rows before the row's first peer, plus one: 1, 1, 3. As int64.
    public static Numbering rank() {
        return numbering(Place.RANK);
    }

    /// The number of distinct keys up to this row: 1, 1, 2. As int64.
    public static Numbering denseRank() {
        return numbering(Place.DENSE_RANK);
    }

    /// (rank - 1) / (rows - 1), from 0 to 1; 0 in a partition of one row.
    public static Numbering percentRank() {
        return numbering(Place.PERCENT_RANK);
    }

    /// The share of rows up to this row's last peer, greater than 0 and at most 1.
    public static Numbering cumeDist() {
        return numbering(Place.CUME_DIST);
    }

    /// The number, from 1, of the row's bucket when the partition is divided into this many buckets of equal size; the
    /// first ones have one row more if the rows cannot be divided evenly.
    public static Numbering ntile(long buckets) {
        if (buckets < 1) {
            throw MillraceException.user("ntile: there must be 1 or more buckets, not " + buckets + ".");
        }
        return new Numbering(Place.NTILE, buckets, "ntile(" + buckets + ")");
    }

    private static Numbering numbering(Place place) {
        return new Numbering(place, 0, place.verb() + "()");
    }

    /// The value of the previous row, null in the first row.
    public static Shifted lag(String column) {
        return lag(column, 1);
    }

    /// The value `rows` rows before this one, null if there is none.
    public static Shifted lag(String column, long rows) {
        return lag(column, rows, null);
    }

    /// The value `rows` rows before this one.
    ///
    /// @param otherwise the value if there is no such row, of the column's type
    public static Shifted lag(String column, long rows, @Nullable Serializable otherwise) {
        Objects.requireNonNull(column);
        return new Shifted(column, rows, otherwise, "lag(" + column + ")");
    }

    /// The value of the next row, null in the last row.
    public static Shifted lead(String column) {
        return lead(column, 1);
    }

    /// The value `rows` rows after this one, null if there is none.
    public static Shifted lead(String column, long rows) {
        return lead(column, rows, null);
    }

    /// The value `rows` rows after this one.
    ///
    /// @param otherwise the value if there is no such row, of the column's type
    public static Shifted lead(String column, long rows, @Nullable Serializable otherwise) {
        Objects.requireNonNull(column);
        return new Shifted(column, -rows, otherwise, "lead(" + column + ")");
    }

    /// The value of the first row of the partition, or of another frame: `firstValue("v").over(Frame.rows(-3, 0))`.
    public static Picked firstValue(String column) {
        Objects.requireNonNull(column);
        return new Picked(column, 1, false, Frame.partition(), "firstValue(" + column + ")");
    }

    /// The value of the last row of the partition, or of another frame. SQL's `last_value` without a frame is
    /// `lastValue("v").over(Frame.runningWithPeers())`.
    public static Picked lastValue(String column) {
        Objects.requireNonNull(column);
        return new Picked(column, -1, false, Frame.partition(), "lastValue(" + column + ")");
    }

    /// The value of the `nth` row of the frame, from 1; null if it has fewer.
    public static Picked nthValue(String column, long nth) {
        Objects.requireNonNull(column);
        if (nth < 1) {
            throw MillraceException.user("nthValue(" + column + "): rows are counted from 1, not from " + nth + ".");
        }
        return new Picked(column, nth, false, Frame.partition(), "nthValue(" + column + ")");
    }

    /// The aggregate of the rows from the partition's first to this one. Supports count, sum, mean, min, max, first,
    /// last, any and all.
    public static Aggregated running(Aggregate aggregate) {
        return over(aggregate, Frame.running());
    }

    /// Any aggregate of the whole partition, repeated for each of its rows.
    public static Aggregated total(Aggregate aggregate) {
        return over(aggregate, Frame.partition());
    }

    /// The aggregate of this row, `preceding` rows before it and `following` rows after it: `moving(mean("price"), 6,
    /// 0)`. Supports the same aggregates as [#running].
    public static Aggregated moving(Aggregate aggregate, long preceding, long following) {
        return over(aggregate, Frame.rows(-preceding, following));
    }

    /// The aggregate of the rows of a frame.
    public static Aggregated over(Aggregate aggregate, Frame frame) {
        return new Aggregated(Objects.requireNonNull(aggregate), Objects.requireNonNull(frame));
    }
}
