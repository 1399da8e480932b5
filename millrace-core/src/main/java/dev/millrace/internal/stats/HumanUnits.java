package dev.millrace.internal.stats;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/// Amounts rounded for people: three significant digits, and the unit that keeps them below a thousand.
public final class HumanUnits {
    private static final String[] TIMES = {"ns", "µs", "ms", "s"};
    private static final String[] BYTES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    private static final String[] COUNTS = {"", "k", "M", "G", "T", "P", "E"};
    private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

    /// Counts below this are shown exactly.
    private static final long EXACT_COUNT = 1_000_000;

    private HumanUnits() {}

    /// As [#time(double)].
    public static String time(long nanos) {
        return time((double) nanos);
    }

    /// "850 ns", "1.77 ms", "12.3 s"; from a minute on "2 min 5 s" and "3 h 12 min".
    public static String time(double nanos) {
        if (nanos < 59.95e9) {
            return scaled(nanos, 1_000, TIMES);
        }
        long seconds = Math.round(nanos / 1e9);
        long minutes = seconds / 60;
        if (minutes < 60) {
            return minutes + " min" + (seconds % 60 == 0 ? "" : " " + seconds % 60 + " s");
        }
        long hours = Math.round(seconds / 60.0) / 60;
        long rest = Math.round(seconds / 60.0) % 60;
        return hours + " h" + (rest == 0 ? "" : " " + rest + " min");
    }

    /// As [#bytes(double)].
    public static String bytes(long bytes) {
        return bytes((double) bytes);
    }

    /// "17 B", "7.81 KiB", "128 MiB".
    public static String bytes(double bytes) {
        return scaled(bytes, 1_024, BYTES);
    }

    /// As [#count(double)].
    public static String count(long count) {
        return count((double) count);
    }

    /// "999,999", then "1.23 M".
    public static String count(double count) {
        return Math.round(count) < EXACT_COUNT
                ? String.format(Locale.ROOT, "%,d", Math.round(count))
                : scaled(count, 1_000, COUNTS).strip();
    }

    /// "12.3 M rows/s", "850 rows/s", "0.5 rows/s"; "-" where no time has passed.
    public static String rowsPerSecond(long rows, long nanos) {
        return nanos <= 0 ? "-" : scaled(rows * 1e9 / nanos, 1_000, COUNTS).strip() + " rows/s";
    }

    /// "45 %" of a share of 0.45. Never 100 % before the end.
    public static String percent(double share) {
        long percent = Math.round(share * 100);
        return (percent >= 100 && share < 1 ? 99 : percent) + " %";
    }

    private static String scaled(double amount, int step, String[] units) {
        int unit = 0;
        double rest = amount;
        // 999.6 of a unit would be shown as 1000: the next unit takes over where three digits round up to it.
        while (unit < units.length - 1 && Math.abs(rest) >= step - 0.5) {
            rest /= step;
            unit++;
        }
        BigDecimal shown = Math.abs(rest) < 1000
                ? new BigDecimal(rest).round(THREE_DIGITS)
                : new BigDecimal(rest).setScale(0, RoundingMode.HALF_UP);
        if (unit == 0) {
            shown = shown.setScale(Math.min(2, Math.max(0, shown.scale())), RoundingMode.HALF_UP);
        }
        shown = shown.signum() == 0 ? BigDecimal.ZERO : shown.stripTrailingZeros();
        return shown.toPlainString() + " " + units[unit];
    }
}
