package dev.millrace.window;

import dev.millrace.aggregate.Aggregate;
import java.io.Serializable;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One value for each row, computed of rows of its partition. [WindowFunctions] makes them.
public sealed interface WindowFunction extends Serializable {
    /// Of the output's column.
    String name();

    /// The same under another name.
    WindowFunction as(String other);

    /// The column it looks at; null for none.
    @Nullable String column();

    /// Where a row stands in its partition.
    ///
    /// @param buckets of [Place#NTILE]; 0 for the others
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

        /// As it is written: `rowNumber`.
        public String verb() {
            StringBuilder verb = new StringBuilder();
            for (String word : name().toLowerCase(Locale.ROOT).split("_")) {
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
    /// @param rows how many rows before this one; after it where negative
    /// @param otherwise where there is no such row; may be null
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

    /// The value of one row of the frame, null where it has no such row.
    ///
    /// @param nth counted from 1; from the frame's end where negative
    /// @param skipNulls only rows that have a value are counted
    record Picked(String column, long nth, boolean skipNulls, Frame frame, String name) implements WindowFunction {
        @Override
        public Picked as(String other) {
            return new Picked(column, nth, skipNulls, frame, Objects.requireNonNull(other));
        }

        /// The same over another frame.
        public Picked over(Frame other) {
            return new Picked(column, nth, skipNulls, other, name);
        }

        /// The same of the values that are not null: `lastValue("v").over(Frame.running()).ignoreNulls()` fills gaps.
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
