package dev.millrace.internal.csv;

import static dev.millrace.internal.csv.IntegerText.digits;
import static dev.millrace.internal.csv.Words.at;
import static dev.millrace.internal.csv.Words.word;

import dev.millrace.type.TimeUnit;
import java.lang.foreign.MemorySegment;

/// Dates and times as ISO 8601 writes them: `2024-02-29`, `13:45[:30[.123]]`, both with a space or a `T` between them,
/// and `Z`, `+01`, `+0100` or `+01:00` behind.
final class TimeText {
    static final int NO_DATE = Integer.MIN_VALUE;
    static final long NO_TIME = Long.MIN_VALUE;

    private static final long SECONDS_PER_DAY = 86_400;
    private static final long NANOS = 1_000_000_000L;
    private static final long DASHES = 0xFF00_00FF_0000_0000L;
    private static final long DASH_BYTES = Words.repeat('-') & DASHES;
    private static final long COLONS = 0x0000_FF00_00FF_0000L;
    private static final long COLON_BYTES = Words.repeat(':') & COLONS;
    private static final long ZEROS = Words.repeat('0');
    private static final int[] DAYS = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    private TimeText() {}

    /// Days since 1970-01-01, or [#NO_DATE].
    static int date(MemorySegment bytes, int from, int to) {
        return to - from == 10 ? date(bytes, from) : NO_DATE;
    }

    private static int date(MemorySegment bytes, int from) {
        long word = word(bytes, from);
        if ((word & DASHES) != DASH_BYTES) {
            return NO_DATE;
        }
        long front = digits(word & ~DASHES | ZEROS & DASHES, 8);
        long day = digits(word(bytes, from + 8), 2);
        if ((front | day) < 0) {
            return NO_DATE;
        }
        int year = (int) (front / 10_000);
        int month = (int) (front / 10 % 100);
        if (month < 1 || month > 12 || day < 1 || day > DAYS[month] && !(month == 2 && day == 29 && isLeap(year))) {
            return NO_DATE;
        }
        // Years begin in March, so that the leap day is the last one.
        int shifted = month > 2 ? year : year - 1;
        int era = Math.floorDiv(shifted, 400);
        int ofEra = shifted - era * 400;
        int ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + (int) day - 1;
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468;
    }

    private static boolean isLeap(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    /// Nanoseconds since midnight, or [#NO_TIME].
    static long timeOfDay(MemorySegment bytes, int from, int to) {
        int length = to - from;
        if (length < 5 || length == 6 || length == 7 || length == 9 || length > 18) {
            return NO_TIME;
        }
        long word = word(bytes, from);
        if (length == 5) {
            word = word & 0xFF_FFFF_FFFFL | (long) ':' << 40 | (long) '0' << 48 | (long) '0' << 56;
        }
        if ((word & COLONS) != COLON_BYTES) {
            return NO_TIME;
        }
        long packed = digits(word & ~COLONS | ZEROS & COLONS, 8);
        if (packed < 0) {
            return NO_TIME;
        }
        long hour = packed / 1_000_000;
        long minute = packed / 1_000 % 100;
        long second = packed % 100;
        if (hour > 23 || minute > 59 || second > 59) {
            return NO_TIME;
        }
        long nanos = 0;
        if (length > 8) {
            if (at(bytes, from + 8) != '.') {
                return NO_TIME;
            }
            for (int i = 9; i < 18; i++) {
                int digit = i < length ? at(bytes, from + i) - '0' : 0;
                if (digit < 0 || digit > 9) {
                    return NO_TIME;
                }
                nanos = nanos * 10 + digit;
            }
        }
        return ((hour * 60 + minute) * 60 + second) * NANOS + nanos;
    }

    /// Units since midnight, or [#NO_TIME] also where the unit is too coarse.
    static long timeOfDay(MemorySegment bytes, int from, int to, TimeUnit unit) {
        long nanos = timeOfDay(bytes, from, to);
        long perUnit = NANOS / unit.perSecond();
        return nanos == NO_TIME || nanos % perUnit != 0 ? NO_TIME : nanos / perUnit;
    }

    /// Units since the epoch, or [#NO_TIME] also where the unit is too coarse or too fine for it.
    ///
    /// @param zoned the text must tell its distance from UTC, or else must not
    static long timestamp(MemorySegment bytes, int from, int to, TimeUnit unit, boolean zoned) {
        int length = to - from;
        if (length < 10) {
            return NO_TIME;
        }
        int day = date(bytes, from);
        if (day == NO_DATE) {
            return NO_TIME;
        }
        if (length == 10) {
            return zoned ? NO_TIME : inUnits(day * SECONDS_PER_DAY, 0, unit);
        }
        byte between = at(bytes, from + 10);
        if (between != ' ' && between != 'T') {
            return NO_TIME;
        }
        int end = to;
        long offset = 0;
        if (zoned) {
            end = zoneStart(bytes, from + 11, to);
            offset = end == to ? NO_TIME : offset(bytes, end, to);
            if (offset == NO_TIME) {
                return NO_TIME;
            }
        }
        long nanos = timeOfDay(bytes, from + 11, end);
        return nanos == NO_TIME
                ? NO_TIME
                : inUnits(day * SECONDS_PER_DAY + nanos / NANOS - offset, nanos % NANOS, unit);
    }

    private static long inUnits(long seconds, long nanos, TimeUnit unit) {
        long perSecond = unit.perSecond();
        long perUnit = NANOS / perSecond;
        boolean fits = nanos % perUnit == 0 && Math.abs(seconds) < Long.MAX_VALUE / perSecond - 1;
        return fits ? seconds * perSecond + nanos / perUnit : NO_TIME;
    }

    private static int zoneStart(MemorySegment bytes, int from, int to) {
        for (int i = to - 1; i >= from && i >= to - 6; i--) {
            byte value = at(bytes, i);
            if (value == 'Z' || value == '+' || value == '-') {
                return i;
            }
        }
        return to;
    }

    /// Seconds ahead of UTC.
    private static long offset(MemorySegment bytes, int from, int to) {
        if (at(bytes, from) == 'Z') {
            return to == from + 1 ? 0 : NO_TIME;
        }
        int length = to - from - 1;
        boolean colon = length == 5 && at(bytes, from + 3) == ':';
        if (length != 2 && length != 4 && !colon) {
            return NO_TIME;
        }
        long hours = digits(word(bytes, from + 1), 2);
        long minutes = length == 2 ? 0 : digits(word(bytes, from + (colon ? 4 : 3)), 2);
        if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) {
            return NO_TIME;
        }
        long seconds = hours * 3600 + minutes * 60;
        return at(bytes, from) == '-' ? -seconds : seconds;
    }
}
