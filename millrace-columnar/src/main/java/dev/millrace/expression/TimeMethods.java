package dev.millrace.expression;

import org.jspecify.annotations.Nullable;

/// Functions of dates, timestamps and times of day. A timestamp with a zone is read in its zone.
sealed interface TimeMethods permits Expression {

    /// As int32, as all parts.
    default Expression year() {
        return Call.of(TimeFunction.YEAR, (Expression) this);
    }

    /// 1 to 4.
    default Expression quarter() {
        return Call.of(TimeFunction.QUARTER, (Expression) this);
    }

    /// 1 to 12.
    default Expression month() {
        return Call.of(TimeFunction.MONTH, (Expression) this);
    }

    /// The ISO week of the year, 1 to 53.
    default Expression week() {
        return Call.of(TimeFunction.WEEK, (Expression) this);
    }

    /// Day of the month, from 1.
    default Expression day() {
        return Call.of(TimeFunction.DAY, (Expression) this);
    }

    /// 1 (Monday) to 7 (Sunday), as in ISO.
    default Expression dayOfWeek() {
        return Call.of(TimeFunction.DAY_OF_WEEK, (Expression) this);
    }

    /// 1 to 366.
    default Expression dayOfYear() {
        return Call.of(TimeFunction.DAY_OF_YEAR, (Expression) this);
    }

    /// 0 to 23.
    default Expression hour() {
        return Call.of(TimeFunction.HOUR, (Expression) this);
    }

    /// 0 to 59.
    default Expression minute() {
        return Call.of(TimeFunction.MINUTE, (Expression) this);
    }

    /// 0 to 59, whole ones.
    default Expression second() {
        return Call.of(TimeFunction.SECOND, (Expression) this);
    }

    /// Seconds since 1970-01-01T00:00 UTC, rounded down, as int64.
    default Expression epochSeconds() {
        return Call.of(TimeFunction.EPOCH_SECONDS, (Expression) this);
    }

    /// Milliseconds since 1970-01-01T00:00 UTC, rounded down, as int64.
    default Expression epochMillis() {
        return Call.of(TimeFunction.EPOCH_MILLIS, (Expression) this);
    }

    /// The start of the year, quarter, month, week (Monday), day, hour, minute or second that this is in, in the same
    /// type. `unit` is one of these words.
    default Expression truncate(String unit) {
        return Call.of(TimeFunction.TRUNCATE, (Expression) this, unit);
    }

    /// Of a date or timestamp, in its type, in local time; a day that the month has not becomes its last.
    default Expression plusYears(@Nullable Object years) {
        return Call.of(TimeFunction.PLUS, (Expression) this, "year", years);
    }

    /// So many months later; a day that the month lacks becomes its last.
    default Expression plusMonths(@Nullable Object months) {
        return Call.of(TimeFunction.PLUS, (Expression) this, "month", months);
    }

    /// So many weeks later.
    default Expression plusWeeks(@Nullable Object weeks) {
        return Call.of(TimeFunction.PLUS, (Expression) this, "week", weeks);
    }

    /// So many days later.
    default Expression plusDays(@Nullable Object days) {
        return Call.of(TimeFunction.PLUS, (Expression) this, "day", days);
    }

    /// Of a timestamp, in its type.
    default Expression plusHours(@Nullable Object hours) {
        return Call.of(TimeFunction.PLUS, (Expression) this, "hour", hours);
    }

    /// So many minutes later.
    default Expression plusMinutes(@Nullable Object minutes) {
        return Call.of(TimeFunction.PLUS, (Expression) this, "minute", minutes);
    }

    /// So many seconds later.
    default Expression plusSeconds(@Nullable Object seconds) {
        return Call.of(TimeFunction.PLUS, (Expression) this, "second", seconds);
    }

    /// The days from this date to `other`, as int32: negative if it is earlier. Of timestamps, between their dates.
    default Expression daysUntil(@Nullable Object other) {
        return Call.of(TimeFunction.DAYS_BETWEEN, (Expression) this, other);
    }

    /// The text as a date, by a pattern of `DateTimeFormatter`; other text is an error.
    default Expression parseDate(String pattern) {
        return Call.of(TimeFunction.PARSE_DATE, (Expression) this, pattern);
    }

    /// The text as a `timestamp[us]`, by a pattern of `DateTimeFormatter`; other text is an error.
    default Expression parseTimestamp(String pattern) {
        return Call.of(TimeFunction.PARSE_TIMESTAMP, (Expression) this, pattern);
    }

    /// The date or time as text, by a pattern of `DateTimeFormatter`.
    default Expression format(String pattern) {
        return Call.of(TimeFunction.FORMAT, (Expression) this, pattern);
    }
}
