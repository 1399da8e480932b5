package dev.millrace.window;

import dev.millrace.aggregate.Aggregate;
import java.io.Serializable;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One value for each row, computed from rows of its partition. Created by [WindowFunctions].
public sealed interface WindowFunction extends Serializable {
    /// The name of the output column.
    String name();

    /// The same under another name.
    WindowFunction as(String other);

    /// The input column; null for none.
    @Nullable
    String column();

    /// The position of a row in its partition.
    ///
    /// @param buckets the number of buckets for [Place#NTILE]; 0 for the others
    record Numbering(Place place, long buckets, String name) implements WindowFunction {
        @Override
        public Numbering as(String other) {
            return new Numbering(place, buckets, Objects.requireNonNull(other));
        }

        @Override
        public @Nullable String column() {
            return null;
        }

        @Override
        public String toString() {
            return place.verb() + "(" + (place == Place.NTILE ? Long.toString(buckets) : "") + ")";
        }
    }

    /// Ways to number rows.
    enum Place {
        ROW_NUMBER,
        RANK,
        DENSE_RANK,
        PERCENT_RANK,
        CUME_DIST,
        NTILE;

        /// The name in calls: `rowNumber`.
        public String verb() {
            StringBuilder verb = new StringBuilder();
            for (String word : name().toLowerCase(Locale.ROOT).split("_", -1)) {
                verb.append(
                                verb.isEmpty()
                                        ? word.substring(0, 1)
                                        : word.substring(0, 1).toUpperCase(Locale.ROOT))
                        .append(word.substring(1));
            }
            return verb.toString();
        }
    }

    /// The value of another row of the partition.
    ///
    /// @param rows the number of rows before this one; after it if negative
    /// @param otherwise the value if there is no such row; may be null
    record Shifted(String column, long rows, @Nullable Serializable otherwise, String name) implements WindowFunction {
        @Override
        public Shifted as(String other) {
            return new Shifted(column, rows, otherwise, Objects.requireNonNull(other));
        }

        @Override
        public String toString() {
            return (rows < 0 ? "lead(" : "lag(") + column + ", " + Math.abs(rows) + ")";
        }
    }

    /// The value of one row of the frame; null if there is no such row.
    ///
    /// @param nth counted from 1; from the frame's end if negative
    /// @param skipNulls whether only non-null rows are counted
    record Picked(String column, long nth, boolean skipNulls, Frame frame, String name) implements WindowFunction {
        @Override
        public Picked as(String other) {
            return new Picked(column, nth, skipNulls, frame, Objects.requireNonNull(other));
        }

        /// The same over another frame.
        public Picked over(Frame other) {
            return new Picked(column, nth, skipNulls, other, name);
        }

        /// Counts only non-null values: `lastValue("v").over(Frame.running()).ignoreNulls()` fills gaps.
        public Picked ignoreNulls() {
            return new Picked(column, nth, true, frame, name);
        }

        @Override
        public String toString() {
            return switch ((int) nth) {
                case 1 -> "firstValue(" + column + ")";
                case -1 -> "lastValue(" + column + ")";
                default -> "nthValue(" + column + ", " + nth + ")";
            };
        }
    }

    /// An aggregate of the frame's rows.
    record Aggregated(Aggregate aggregate, Frame frame) implements WindowFunction {
        @Override
        public String name() {
            return aggregate.name();
        }

        @Override
        public Aggregated as(String other) {
            return new Aggregated(aggregate.as(other), frame);
        }

        @Override
        public @Nullable String column() {
            return aggregate.column();
        }

        @Override
        public String toString() {
            return aggregate + " over " + frame;
        }
    }
}
