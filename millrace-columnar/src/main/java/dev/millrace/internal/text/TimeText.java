package dev.millrace.internal.text;

import static dev.millrace.internal.text.IntegerText.areDigits;
import static dev.millrace.internal.text.IntegerText.digits;
import static dev.millrace.internal.text.IntegerText.pairs;
import static dev.millrace.internal.text.TextWords.at;
import static dev.millrace.internal.text.TextWords.word;

import dev.millrace.type.TimeUnit;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Parses dates and times, for every format and for casts, in ISO 8601:
///
/// | what | grammar |
/// |---|---|
/// | date | `2024-02-29`; years before 0 or beyond 9999 with a sign and 4 to 9 digits, as java.time writes them |
/// | time of day | `13:45`, `13:45:30`, `13:45:30.123`; hours alone are none |
/// | timestamp | a date; a date, `T` or a blank, and a time of day |
/// | timestamp with a zone | the same, and behind a time `Z`, `+01`, `+0100`, `+01:00` or `+01:00:00`, up to 18:00 |
///
/// A timestamp without a zone accepts no offset. One with a zone does not require it: without an offset the time is a
/// local time of the zone. Digits beyond the unit must be zero. Blanks around the text are not allowed.
public final class TimeText {
    public static final int NO_DATE = Integer.MIN_VALUE;
    public static final long NO_TIME = Long.MIN_VALUE;

    private static final long SECONDS_PER_DAY = 86_400;
    private static final long MAX_OFFSET_SECONDS = 18 * 3_600;
    private static final long NANOS = 1_000_000_000L;
    private static final long DASHES = 0xFF00_00FF_0000_0000L;
    private static final long DASH_BYTES = TextWords.repeat('-') & DASHES;
    private static final long COLONS = 0x0000_FF00_00FF_0000L;
    private static final long COLON_BYTES = TextWords.repeat(':') & COLONS;
    private static final long ZEROS = TextWords.repeat('0');
    private static final int[] DAYS = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    private static final int DATE_LENGTH = 10;
    /// The minimum number of digits of a year with a sign.
    private static final int MIN_YEAR_DIGITS = 4;
    private static final int MAX_YEAR_DIGITS = 9;
    /// `-01:00:00`
    private static final int MAX_OFFSET_LENGTH = 9;
    private static final int FRACTION_DIGITS = 9;

    /// For each unit, the first second that it cannot represent.
    private static final long[] MAX_SECONDS = Arrays.stream(TimeUnit.values())
            .mapToLong(unit -> Long.MAX_VALUE / unit.perSecond() - 1)
            .toArray();

    private TimeText() {}

    /// Days since 1970-01-01, or [#NO_DATE].
    public static int date(MemorySegment bytes, int from, int to) {
        if (to - from != DATE_LENGTH && dateEnd(bytes, from, to) != to) {
            return NO_DATE;
        }
        long day = day(bytes, from, to);
        // Also rejects years that are too far away.
        return day == (int) day ? (int) day : NO_DATE;
    }

    /// The end of a date that begins here, or -1.
    private static int dateEnd(MemorySegment bytes, int from, int to) {
        int end = from + DATE_LENGTH;
        if (end > to) {
            return -1;
        }
        byte first = at(bytes, from);
        if (first != '-' && first != '+') {
            return end;
        }
        int year = from + 1;
        int dash = year;
        while (dash < to && dash - year <= MAX_YEAR_DIGITS && at(bytes, dash) != '-') {
            dash++;
        }
        return dash + 6 <= to ? dash + 6 : -1;
    }

    /// Days since 1970-01-01, or [#NO_TIME].
    private static long day(MemorySegment bytes, int from, int end) {
        // With a sign it is longer, since the year has at least four digits.
        if (end - from != DATE_LENGTH) {
            return signedDay(bytes, from, end);
        }
        return day(word(bytes, from), word(bytes, from + DATE_LENGTH - Long.BYTES));
    }

    /// The day of a ten-character date, given its first eight and its last eight characters.
    private static long day(long head, long tail) {
        long compact = head & 0xFFFF_FFFFL | head >>> 8 & 0xFFFF_0000_0000L | tail & 0xFFFF_0000_0000_0000L;
        if ((head & DASHES) != DASH_BYTES || !areDigits(compact)) {
            return NO_TIME;
        }
        long pairs = pairs(compact);
        int year = (int) (pairs & 0xFF) * 100 + (int) (pairs >>> 16 & 0xFF);
        return day(year, (int) (pairs >>> 32 & 0xFF), (int) (pairs >>> 48));
    }

    /// The day of a date whose year has a sign.
    private static long signedDay(MemorySegment bytes, int from, int end) {
        int dash = end - 6;
        int count = dash - from - 1;
        if (count < MIN_YEAR_DIGITS
                || count > MAX_YEAR_DIGITS
                || at(bytes, dash) != '-'
                || at(bytes, dash + 3) != '-') {
            return NO_TIME;
        }
        int year = 0;
        for (int i = from + 1; i < dash; i++) {
            int digit = at(bytes, i) - '0';
            if (digit < 0 || digit > 9) {
                return NO_TIME;
            }
            year = year * 10 + digit;
        }
        long month = digits(word(bytes, dash + 1), 2);
        long day = digits(word(bytes, dash + 4), 2);
        return (month | day) < 0 ? NO_TIME : day(at(bytes, from) == '-' ? -year : year, (int) month, (int) day);
    }

    private static long day(int year, int month, int day) {
        if (month < 1 || month > 12 || day < 1 || day > DAYS[month] && !(month == 2 && day == 29 && isLeap(year))) {
            return NO_TIME;
        }
        // Years begin in March, so that the leap day is the last day.
        int shifted = month > 2 ? year : year - 1;
        int century = Math.floorDiv(shifted, 100);
        int ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
        return shifted * 365L + (shifted >> 2) - century + (century >> 2) + ofYear - 719_468;
    }

    private static boolean isLeap(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    /// Nanoseconds since midnight, or [#NO_TIME].
    private static long timeOfDay(MemorySegment bytes, int from, int to) {
        int length = to - from;
        if (length < 5 || length == 6 || length == 7 || length == 9) {
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
        long nanos = length > 8 ? fraction(bytes, from + 8, to) : 0;
        return nanos < 0 ? NO_TIME : ((hour * 60 + minute) * 60 + second) * NANOS + nanos;
    }

    /// Nanoseconds, or -1.
    private static long fraction(MemorySegment bytes, int from, int to) {
        if (at(bytes, from) != '.') {
            return -1;
        }
        long nanos = 0;
        int end = from + 1 + FRACTION_DIGITS;
        for (int i = from + 1; i < end; i++) {
            int digit = i < to ? at(bytes, i) - '0' : 0;
            if (digit < 0 || digit > 9) {
                return -1;
            }
            nanos = nanos * 10 + digit;
        }
        for (int i = end; i < to; i++) {
            if (at(bytes, i) != '0') {
                return -1;
            }
        }
        return nanos;
    }

    /// Units since midnight, or [#NO_TIME], also if the unit is too coarse.
    public static long timeOfDay(MemorySegment bytes, int from, int to, TimeUnit unit) {
        long nanos = timeOfDay(bytes, from, to);
        long perUnit = NANOS / unit.perSecond();
        return nanos == NO_TIME || nanos % perUnit != 0 ? NO_TIME : nanos / perUnit;
    }

    /// Units since the epoch, or [#NO_TIME], also if the unit is too coarse or too fine for it.
    ///
    /// @param clock the clock of the type's zone; null: the type has none
    public static long timestamp(MemorySegment bytes, int from, int to, TimeUnit unit, @Nullable ZoneClock clock) {
        int dateEnd = to - from == DATE_LENGTH ? to : dateEnd(bytes, from, to);
        long day = dateEnd < 0 ? NO_TIME : day(bytes, from, dateEnd);
        if (dateEnd == to || day == NO_TIME) {
            return midnight(day, unit, clock);
        }
        long seconds = day * SECONDS_PER_DAY;
        byte between = at(bytes, dateEnd);
        if (between != ' ' && between != 'T') {
            return NO_TIME;
        }
        int end = clock == null ? to : offsetStart(bytes, dateEnd + 1, to);
        long nanos = timeOfDay(bytes, dateEnd + 1, end);
        if (nanos == NO_TIME) {
            return NO_TIME;
        }
        seconds += nanos / NANOS;
        if (clock != null) {
            long offset = end == to ? clock.offset(seconds) : offset(bytes, end, to);
            if (offset == NO_TIME) {
                return NO_TIME;
            }
            seconds -= offset;
        }
        return inUnits(seconds, nanos % NANOS, unit);
    }

    /// The same for a text in an array, which is copied if it is more than a date.
    public static long timestamp(
            byte[] text, int from, int to, TimeUnit unit, @Nullable ZoneClock clock, TextScratch scratch) {
        if (to - from == DATE_LENGTH) {
            return midnight(day(word(text, from), word(text, to - Long.BYTES)), unit, clock);
        }
        int length = scratch.put(text, from, to);
        return timestamp(scratch.bytes(), 0, length, unit, clock);
    }

    /// @param day or [#NO_TIME], for which the result is [#NO_TIME] too
    private static long midnight(long day, TimeUnit unit, @Nullable ZoneClock clock) {
        if (day == NO_TIME) {
            return NO_TIME;
        }
        long seconds = day * SECONDS_PER_DAY;
        return inUnits(clock == null ? seconds : seconds - clock.offset(seconds), 0, unit);
    }

    /// True if the text begins with a date and has an offset after its time.
    public static boolean hasOffset(MemorySegment bytes, int from, int to) {
        int dateEnd = dateEnd(bytes, from, to);
        return dateEnd > 0 && dateEnd < to && offsetStart(bytes, dateEnd + 1, to) < to;
    }

    private static long inUnits(long seconds, long nanos, TimeUnit unit) {
        long perSecond = unit.perSecond();
        if (Math.abs(seconds) >= MAX_SECONDS[unit.ordinal()]) {
            return NO_TIME;
        }
        // Divisions by a variable are slow, and most texts have no fraction.
        if (nanos == 0) {
            return seconds * perSecond;
        }
        long perUnit = NANOS / perSecond;
        return nanos % perUnit == 0 ? seconds * perSecond + nanos / perUnit : NO_TIME;
    }

    /// The position of the offset of a time, or `to`.
    private static int offsetStart(MemorySegment bytes, int from, int to) {
        for (int i = to - 1; i >= from && i >= to - MAX_OFFSET_LENGTH; i--) {
            byte value = at(bytes, i);
            if (value == 'Z' || value == '+' || value == '-') {
                return i;
            }
        }
        return to;
    }

    /// The offset in seconds ahead of UTC.
    private static long offset(MemorySegment bytes, int from, int to) {
        if (at(bytes, from) == 'Z') {
            return to == from + 1 ? 0 : NO_TIME;
        }
        int length = to - from - 1;
        boolean isColoned = length == 5 && at(bytes, from + 3) == ':'
                || length == 8 && at(bytes, from + 3) == ':' && at(bytes, from + 6) == ':';
        if (length != 2 && length != 4 && !isColoned) {
            return NO_TIME;
        }
        long hours = digits(word(bytes, from + 1), 2);
        long minutes = length == 2 ? 0 : digits(word(bytes, from + (isColoned ? 4 : 3)), 2);
        long rest = length == 8 ? digits(word(bytes, from + 7), 2) : 0;
        if ((hours | minutes | rest) < 0 || minutes > 59 || rest > 59) {
            return NO_TIME;
        }
        long seconds = hours * 3600 + minutes * 60 + rest;
        return seconds > MAX_OFFSET_SECONDS ? NO_TIME : at(bytes, from) == '-' ? -seconds : seconds;
    }
}
