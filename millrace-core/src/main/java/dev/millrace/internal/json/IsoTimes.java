package dev.millrace.internal.json;

import dev.millrace.type.TimeUnit;
import java.time.DateTimeException;
import java.time.LocalDate;

/// Points in time as ISO 8601 writes them: `2024-02-29`, with a space or `T` and `13`, `13:45`, `13:45:30` or
/// `13:45:30.5`
/// behind, and `Z`, `+01`, `+0100` or `+01:00` behind that. Without a zone the time is taken as it stands, with one it
/// is brought to UTC. One thread.
final class IsoTimes {
    private static final long NANOS = 1_000_000_000L;
    private static final long DAY_SECONDS = 86_400;

    private long units;
    /// The date that was parsed last: dates come in runs, and few of them are many.
    private int lastYmd = -1;

    private long lastDay;

    /// Of the last text that was one.
    long units() {
        return units;
    }

    /// Whether the text is a point in time that the unit can tell exactly.
    boolean timestamp(byte[] text, int from, int to, TimeUnit unit) {
        if (to - from < 10 || text[from + 4] != '-' || text[from + 7] != '-') {
            return false;
        }
        int year = digits(text, from, 4);
        int month = digits(text, from + 5, 2);
        int day = digits(text, from + 8, 2);
        if ((year | month | day) < 0 || !date(year, month, day)) {
            return false;
        }
        long seconds = lastDay * DAY_SECONDS;
        long nanos = 0;
        int at = from + 10;
        if (at < to) {
            if (text[at] != ' ' && text[at] != 'T') {
                return false;
            }
            int end = zoneStart(text, at + 1, to);
            int hour = at + 3 <= end ? digits(text, at + 1, 2) : -1;
            int minute = 0;
            int second = 0;
            at += 3;
            if (at < end) {
                minute = text[at] == ':' && at + 3 <= end ? digits(text, at + 1, 2) : -1;
                at += 3;
            }
            if (at < end) {
                second = text[at] == ':' && at + 3 <= end ? digits(text, at + 1, 2) : -1;
                at += 3;
            }
            if (at < end) {
                nanos = text[at] == '.' ? fraction(text, at + 1, end) : -1;
            }
            int offset = offset(text, end, to);
            if ((hour | minute | second) < 0
                    || nanos < 0
                    || hour > 23
                    || minute > 59
                    || second > 59
                    || offset == Integer.MIN_VALUE) {
                return false;
            }
            seconds += hour * 3600L + minute * 60L + second - offset;
        }
        long perSecond = unit.perSecond();
        long perUnit = NANOS / perSecond;
        if (nanos % perUnit != 0 || Math.abs(seconds) >= Long.MAX_VALUE / perSecond - 1) {
            return false;
        }
        units = seconds * perSecond + nanos / perUnit;
        return true;
    }

    private boolean date(int year, int month, int day) {
        int ymd = (year * 100 + month) * 100 + day;
        if (ymd != lastYmd) {
            if (month < 1 || month > 12 || day < 1 || day > 31) {
                return false;
            }
            try {
                lastDay = LocalDate.of(year, month, day).toEpochDay();
            } catch (DateTimeException _) {
                return false;
            }
            lastYmd = ymd;
        }
        return true;
    }

    private static int zoneStart(byte[] text, int from, int to) {
        for (int i = to - 1; i >= from && i >= to - 6; i--) {
            if (text[i] == 'Z' || text[i] == '+' || text[i] == '-') {
                return i;
            }
        }
        return to;
    }

    /// Seconds ahead of UTC; the lowest int if it is no zone.
    private static int offset(byte[] text, int from, int to) {
        if (from == to || text[from] == 'Z') {
            return to - from <= 1 ? 0 : Integer.MIN_VALUE;
        }
        int length = to - from - 1;
        boolean colon = length == 5 && text[from + 3] == ':';
        if (length != 2 && length != 4 && !colon) {
            return Integer.MIN_VALUE;
        }
        int hours = digits(text, from + 1, 2);
        int minutes = length == 2 ? 0 : digits(text, from + (colon ? 4 : 3), 2);
        if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) {
            return Integer.MIN_VALUE;
        }
        int seconds = hours * 3600 + minutes * 60;
        return text[from] == '-' ? -seconds : seconds;
    }

    private static long fraction(byte[] text, int from, int to) {
        if (from == to || to - from > 9) {
            return -1;
        }
        long nanos = 0;
        for (int i = from; i < from + 9; i++) {
            int digit = i < to ? text[i] - '0' : 0;
            if (digit < 0 || digit > 9) {
                return -1;
            }
            nanos = nanos * 10 + digit;
        }
        return nanos;
    }

    private static int digits(byte[] text, int from, int count) {
        int value = 0;
        for (int i = from; i < from + count; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}
