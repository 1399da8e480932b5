package dev.millrace.internal.sql;

import dev.millrace.source.ColumnStatistics;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/// The estimated statistics of a column.
///
/// @param distinct the number of distinct values; NaN if unknown
/// @param min,max the bounds of the values, as numbers (dates in days, timestamps in seconds); NaN if unknown
/// @param nulls the fraction of nulls
record ColumnEstimate(double distinct, double min, double max, double nulls) {
    static final ColumnEstimate UNKNOWN = new ColumnEstimate(Double.NaN, Double.NaN, Double.NaN, 0);
    static final ColumnEstimate CONSTANT = new ColumnEstimate(1, Double.NaN, Double.NaN, 0);

    /// Integers and dates between two bounds have at most as many distinct values as there are between the bounds.
    static ColumnEstimate of(ColumnStatistics known, double rows) {
        double min = number(known.min());
        double max = number(known.max());
        double distinct = known.distinct().isPresent() ? known.distinct().getAsLong() : Double.NaN;
        boolean countable = known.min() instanceof Long || known.min() instanceof LocalDate;
        if (countable && !Double.isNaN(max - min)) {
            double places = max - min + 1;
            distinct = Double.isNaN(distinct) ? places : Math.min(distinct, places);
        }
        double nulls = known.nulls().isPresent() && rows > 0
                ? Math.min(1, known.nulls().getAsLong() / rows)
                : 0;
        return new ColumnEstimate(capped(distinct, rows * (1 - nulls)), min, max, nulls);
    }

    private static double capped(double distinct, double rows) {
        return Double.isNaN(distinct) ? distinct : Math.max(1, Math.min(distinct, rows));
    }

    private static double number(@Nullable Object bound) {
        return switch (bound) {
            case Number number -> number.doubleValue();
            case LocalDate date -> date.toEpochDay();
            case LocalDateTime time -> time.toEpochSecond(ZoneOffset.UTC);
            case Instant time -> time.getEpochSecond();
            case null, default -> Double.NaN;
        };
    }

    ColumnEstimate withDistinct(double other) {
        return new ColumnEstimate(other, min, max, nulls);
    }

    ColumnEstimate withNulls(double part) {
        return new ColumnEstimate(distinct, min, max, part);
    }

    ColumnEstimate between(double low, double high) {
        double newMin = Double.isNaN(low) ? min : Double.isNaN(min) ? low : Math.max(min, low);
        double newMax = Double.isNaN(high) ? max : Double.isNaN(max) ? high : Math.min(max, high);
        double part = newMax >= newMin && max > min ? (newMax - newMin) / (max - min) : 1;
        return new ColumnEstimate(Math.max(1, distinct * part), newMin, newMax, 0);
    }

    /// The estimate for a random sample of the rows: frequent values remain, some of the others are lost.
    ColumnEstimate ofSome(double before, double after) {
        if (Double.isNaN(distinct) || after >= before || distinct <= 1) {
            return this;
        }
        double left = distinct * (1 - Math.pow(1 - after / before, before / distinct));
        return withDistinct(Math.max(1, Math.min(left, after)));
    }
}
