package dev.millrace.relation;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An as-of join: of the right rows with equal keys, only the one that is nearest in a column of numbers or times:
///
/// ```
/// trades.join(quotes, Join.left("symbol").asOf(AsOf.earlier("time")).rightSuffix("_quote"))
/// trades.join(quotes, Join.left("symbol").asOf(AsOf.nearest("time").within(Duration.ofSeconds(1))))
/// ```
///
/// A row without a value in that column matches nothing; NaN is the largest number. Of right rows that are equally
/// near, an earlier one is preferred to a later one; of those with the same value, the last is taken if it comes before
/// the left row, the first if it comes after.
///
/// @param tolerance the maximum distance, as a [Number] or a [Duration]; null for any distance
/// @param strict whether a row with the same value is excluded
public record AsOf(
        String left,
        String right,
        Direction direction,
        @Nullable Serializable tolerance,
        boolean strict) implements Serializable {
    /// The direction in which the nearest row is searched.
    public enum Direction {
        /// Before, or at the same time.
        EARLIER,
        /// After, or at the same time.
        LATER,
        NEAREST
    }

    public AsOf {
        Objects.requireNonNull(left);
        Objects.requireNonNull(right);
        Objects.requireNonNull(direction);
        boolean negative = switch (tolerance) {
            case Duration time -> time.isNegative();
            case Number number -> !(number.doubleValue() >= 0);
            case null, default -> false;
        };
        if (negative) {
            throw MillraceException.user("join: rows are 0 or more apart, not " + tolerance + ".");
        }
    }

    /// The last row that is not after.
    public static AsOf earlier(String column) {
        return earlier(column, column);
    }

    /// The same for columns with different names.
    public static AsOf earlier(String left, String right) {
        return new AsOf(left, right, Direction.EARLIER, null, false);
    }

    /// The first row that is not before.
    public static AsOf later(String column) {
        return later(column, column);
    }

    /// The same for columns with different names.
    public static AsOf later(String left, String right) {
        return new AsOf(left, right, Direction.LATER, null, false);
    }

    /// The nearest of both.
    public static AsOf nearest(String column) {
        return nearest(column, column);
    }

    /// The same for columns with different names.
    public static AsOf nearest(String left, String right) {
        return new AsOf(left, right, Direction.NEAREST, null, false);
    }

    /// Sets the maximum distance.
    public AsOf within(Duration distance) {
        return new AsOf(left, right, direction, Objects.requireNonNull(distance), strict);
    }

    /// Sets the maximum distance of numbers.
    public AsOf within(Number distance) {
        return new AsOf(left, right, direction, Objects.requireNonNull(distance), strict);
    }

    /// Excludes rows with the same value.
    public AsOf strictly() {
        return new AsOf(left, right, direction, tolerance, true);
    }

    /// Such as `earlier time within PT1S`.
    @Override
    public String toString() {
        return direction.name().toLowerCase(Locale.ROOT)
                + " " + (left.equals(right) ? left : left + " of " + right)
                + (tolerance == null ? "" : " within " + tolerance)
                + (strict ? ", not the same" : "");
    }
}
