package dev.millrace.internal.expression;

/// The proleptic Gregorian calendar on days since 1970-01-01, in integer arithmetic: years start in March, so that the
/// leap day is the last of its year and all eras of 400 years are identical.
final class CalendarDays {
    static final long SECONDS_PER_DAY = 86_400;

    private static final int DAYS_PER_ERA = 146_097;
    /// The number of days from 0000-03-01 to 1970-01-01.
    private static final int EPOCH = 719_468;

    private CalendarDays() {}

    static int year(long day) {
        long shifted = day + EPOCH;
        long era = Math.floorDiv(shifted, DAYS_PER_ERA);
        int ofEra = (int) (shifted - era * DAYS_PER_ERA);
        int yearOfEra = yearOfEra(ofEra);
        int monthFromMarch = monthFromMarch(ofEra - firstDay(yearOfEra));
        return (int) (yearOfEra + era * 400) + (monthFromMarch >= 10 ? 1 : 0);
    }

    /// 1 to 12.
    static int month(long day) {
        int month = monthFromMarch(dayFromMarch(day));
        return month < 10 ? month + 3 : month - 9;
    }

    static int dayOfMonth(long day) {
        int ofYear = dayFromMarch(day);
        return ofYear - (153 * monthFromMarch(ofYear) + 2) / 5 + 1;
    }

    /// 1 (Monday) to 7.
    static int dayOfWeek(long day) {
        return (int) Math.floorMod(day + 3, 7L) + 1;
    }

    static long firstDayOfYear(int year) {
        return firstDayOfMonth(year, 1);
    }

    static long firstDayOfMonth(int year, int month) {
        int fromMarch = month > 2 ? year : year - 1;
        long era = Math.floorDiv(fromMarch, 400);
        int yearOfEra = (int) (fromMarch - era * 400);
        int ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5;
        return era * DAYS_PER_ERA + firstDay(yearOfEra) + ofYear - EPOCH;
    }

    /// The ISO week, which is determined by the Thursday of the week.
    static int week(long day) {
        long thursday = day - dayOfWeek(day) + 4;
        return (int) (thursday - firstDayOfYear(year(thursday))) / 7 + 1;
    }

    private static int dayFromMarch(long day) {
        int ofEra = (int) Math.floorMod(day + EPOCH, (long) DAYS_PER_ERA);
        return ofEra - firstDay(yearOfEra(ofEra));
    }

    private static int yearOfEra(int dayOfEra) {
        return (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / (DAYS_PER_ERA - 1)) / 365;
    }

    private static int firstDay(int yearOfEra) {
        return 365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100;
    }

    /// 0 (March) to 11 (February).
    private static int monthFromMarch(int dayOfYear) {
        return (5 * dayOfYear + 2) / 153;
    }
}
