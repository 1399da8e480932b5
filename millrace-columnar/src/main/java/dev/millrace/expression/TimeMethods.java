package dev.millrace.expression;

import org.jspecify.annotations.Nullable;

/// Functions of dates, timestamps and times of day. A timestamp with a zone is interpreted in its zone.
sealed interface TimeMethods permits Expression {

    /// The year. All parts are int32.
    default Expression year() {
        return Call.of(TimeFunction.YEAR, (Expression) this);
    }

    /// The quarter, 1 to 4.
    default Expression quarter() {
        return Call.of(TimeFunction.QUARTER, (Expression) this);
    }

    /// The month, 1 to 12.
    default Expression month() {
        return Call.of(TimeFunction.MONTH, (Expression) this);
    }

    /// The ISO week of the year, 1 to 53.
    default Expression week() {
        return Call.of(TimeFunction.WEEK, (Expression) this);
    }

    /// The day of the month, from 1.
    default Expression day() {
        return Call.of(TimeFunction.DAY, (Expression) this);
    }

    /// The ISO day of the week, 1 (Monday) to 7 (Sunday).
    default Expression dayOfWeek() {
        return Call.of(TimeFunction.DAY_OF_WEEK, (Expression) this);
    }

    /// The day of the year, 1 to 366.
    default Expression dayOfYear() {
        return Call.of(TimeFunction.DAY_OF_YEAR, (Expression) this);
    }

    /// The hour, 0 to 23.
    default Expression hour() {
        return Call.of(TimeFunction.HOUR, (Expression) this);
    }

    /// The minute, 0 to 59.
    default Expression minute() {
        return Call.of(TimeFunction.MINUTE, (Expression) this);
    }

    /// The second without its fraction, 0 to 59.
    default Expression second() {
        return Call.of(TimeFunction.SECOND, (Expression) this);
    }

    /// The milliseconds of the second, 0 to 999.
    default Expression millisecond() {
        return Call.of(TimeFunction.MILLISECOND, (Expression) this);
    }

    /// The microseconds of the second, 0 to 999,999.
    default Expression microsecond() {
        return Call.of(TimeFunction.MICROSECOND, (Expression) this);
    }

    /// The nanoseconds of the second, 0 to 999,999,999.
    default Expression nanosecond() {
        return Call.of(TimeFunction.NANOSECOND, (Expression) this);
    }

    /// Seconds since 1970-01-01T00:00 UTC, rounded down, as int64.
    default Expression epochSeconds() {
        return Call.of(TimeFunction.EPOCH_SECONDS, (Expression) this);
    }

    /// Milliseconds since 1970-01-01T00:00 UTC, rounded down, as int64.
    default Expression epochMillis() {
        return Call.of(TimeFunction.EPOCH_MILLIS, (Expression) this);
    }

    /// Microseconds since 1970-01-01T00:00 UTC, rounded down, as int64.
    default Expression epochMicros() {
        return Call.of(TimeFunction.EPOCH_MICROS, (Expression) this);
    }

    /// Truncates to the start of the year, quarter, month, week (Monday), day, hour, minute or second, in the same
    /// type. `unit` is one of these words.
    default Expression truncate(String unit) {
        return Call.of(TimeFunction.TRUNCATE, (Expression) this, unit);
    }

    /// The end of the unit, which is the start of the next one; a time that is the start of one is unchanged. In the
    /// units and the type of [#truncate].
    default Expression ceil(String unit) {
        return Call.of(TimeFunction.CEILING, (Expression) this, unit);
    }

    /// The nearer of [#truncate] and [#ceil]; the later one if both are equally near.
    default Expression round(String unit) {
        return Call.of(TimeFunction.NEAREST, (Expression) this, unit);
    }

    /// Adds years to a date or timestamp, in its type, in local time; if the month does not have the day, the result is
    /// its last day.
    default Expression plusYears(@Nullable Object years) {
        return Call.of(TimeFunction.PLUS, (Expression) this, "year", years);
    }

    /// Adds months; if the month does not have the day, the result is its last day.
    default Expression plusMonths(@Nullable Object months) {
        return Call.of(TimeFunction.PLUS, (Expression) this, "month", months);
    }

    /// Adds weeks.
    default Expression plusWeeks(@Nullable Object weeks) {
        return Call.of(TimeFunction.PLUS, (Expression) this, "week", weeks);
    }

    /// Adds days.
    default Expression plusDays(@Nullable Object days) {
        return Call.of(TimeFunction.PLUS, (Expression) this, "day", days);
    }

    /// Adds hours to a timestamp, in its type.
    default Expression plusHours(@Nullable Object hours) {
        return Call.of(TimeFunction.PLUS, (Expression) this, "hour", hours);
    }

    /// Adds minutes.
    default Expression plusMinutes(@Nullable Object minutes) {
        return Call.of(TimeFunction.PLUS, (Expression) this, "minute", minutes);
    }

    /// Adds seconds.
    default Expression plusSeconds(@Nullable Object seconds) {
        return Call.of(TimeFunction.PLUS, (Expression) this, "second", seconds);
    }

    /// The number of days from this date to `other`, as int32: negative if `other` is earlier. For timestamps, between
    /// their dates.
    default Expression daysUntil(@Nullable Object other) {
        return Call.of(TimeFunction.DAYS_BETWEEN, (Expression) this, other);
    }

    /// The number of whole units from this to `other`, as int64: if `other` is earlier, the negated number from there
    /// to here. Units are those of [#truncate]; of dates, those from day on. 23 hours are 0 days. Times with a zone are
    /// compared in that of this.
    default Expression unitsUntil(String unit, @Nullable Object other) {
        return Call.of(TimeFunction.UNITS_BETWEEN, (Expression) this, unit, other);
    }

    /// A timestamp without a zone, taken as local time in a zone, such as `Europe/Berlin`. A time that the clock
    /// skipped is moved forward by the gap; one that it showed twice is the earlier.
    default Expression atZone(String zone) {
        return Call.of(TimeFunction.AT_ZONE, (Expression) this, zone);
    }

    /// The same instant in another zone; the timestamp must have one.
    default Expression inZone(String zone) {
        return Call.of(TimeFunction.IN_ZONE, (Expression) this, zone);
    }

    /// The local time of a timestamp with a zone, without it.
    default Expression withoutZone() {
        return Call.of(TimeFunction.WITHOUT_ZONE, (Expression) this);
    }

    /// Like [#parseDate], but null instead of an error.
    default Expression tryParseDate(String pattern) {
        return Call.of(TimeFunction.TRY_PARSE_DATE, (Expression) this, pattern);
    }

    /// Like [#parseTimestamp], but null instead of an error.
    default Expression tryParseTimestamp(String pattern) {
        return Call.of(TimeFunction.TRY_PARSE_TIMESTAMP, (Expression) this, pattern);
    }

    /// Parses the text as a date with a pattern of `DateTimeFormatter`; other text is an error.
    default Expression parseDate(String pattern) {
        return Call.of(TimeFunction.PARSE_DATE, (Expression) this, pattern);
    }

    /// Parses the text as a `timestamp[us]` with a pattern of `DateTimeFormatter`; other text is an error.
    default Expression parseTimestamp(String pattern) {
        return Call.of(TimeFunction.PARSE_TIMESTAMP, (Expression) this, pattern);
    }

    /// Formats the date or time with a pattern of `DateTimeFormatter`.
    default Expression format(String pattern) {
        return Call.of(TimeFunction.FORMAT, (Expression) this, pattern);
    }
}
