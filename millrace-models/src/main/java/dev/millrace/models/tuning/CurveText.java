package dev.millrace.models.tuning;

import dev.millrace.internal.stats.HumanUnits;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// The measured curve as a table, by actors and batch size.
final class CurveText {
    private static final int BAR = 24;
    private static final String EIGHTHS = " ▏▎▍▌▋▊▉";

    private CurveText() {}

    static String of(TuningReport report) {
        List<TuningPoint> points = report.points().stream()
                .sorted(Comparator.comparingInt(TuningPoint::actors).thenComparingInt(TuningPoint::batchSize))
                .toList();
        double fastest =
                points.stream().mapToDouble(TuningPoint::rowsPerSecond).max().orElse(0);
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%6s %7s %8s %10s  %-" + BAR + "s %10s%n",
                "batch",
                "actors",
                "threads",
                "rows/s",
                "",
                "memory"));
        for (TuningPoint point : points) {
            boolean chosen = report.best().filter(point::equals).isPresent();
            text.append(line(point, fastest).stripTrailing())
                    .append(chosen ? "  <" : "")
                    .append('\n');
        }
        text.append('\n');
        report.best()
                .ifPresentOrElse(
                        best -> text.append("Best: ")
                                .append(choice(best))
                                .append(", ")
                                .append(report.reason())
                                .append(".\n"),
                        () -> text.append(report.reason())
                                .append(report.reason().endsWith(".") ? "\n" : ".\n"));
        if (!report.complete()) {
            text.append("The time was up before everything was tried; more of it may find more.\n");
        }
        report.best().ifPresent(best -> text.append(code(best)).append('\n'));
        return text.toString();
    }

    /// One point as a line, for progress output.
    static String progress(TuningPoint point) {
        return "batches of " + point.batchSize() + ", " + TuningSearch.actors(point.actors()) + ": "
                + (point.worked()
                        ? rate(point) + " rows/s, " + HumanUnits.bytes((double) point.peakBytes())
                        : point.failure());
    }

    private static String line(TuningPoint point, double fastest) {
        String what = point.worked()
                ? String.format(
                        Locale.ROOT,
                        "%-" + BAR + "s %10s",
                        bar(point.rowsPerSecond() / fastest),
                        HumanUnits.bytes((double) point.peakBytes()))
                : point.failure();
        return String.format(
                Locale.ROOT,
                "%6d %7d %8d %10s  %s",
                point.batchSize(),
                point.actors(),
                point.threads(),
                point.worked() ? rate(point) : "-",
                what);
    }

    static String bar(double share) {
        int eighths = (int) Math.round(Math.clamp(share, 0, 1) * BAR * 8);
        return "█".repeat(eighths / 8) + (eighths % 8 == 0 ? "" : EIGHTHS.charAt(eighths % 8));
    }

    private static String rate(TuningPoint point) {
        return String.format(Locale.ROOT, point.rowsPerSecond() < 1000 ? "%.1f" : "%,.0f", point.rowsPerSecond());
    }

    private static String choice(TuningPoint best) {
        return "batches of " + best.batchSize() + " in " + TuningSearch.actors(best.actors()) + " of "
                + (best.threads() == 1 ? "1 thread" : best.threads() + " threads")
                + (best.actors() == 1 ? "" : " each") + ", " + rate(best) + " rows/s, "
                + HumanUnits.bytes((double) best.peakBytes());
    }

    private static String code(TuningPoint best) {
        return "Compute.actors(" + best.actors() + ").cpus(" + best.threads() + ").batchSize(" + best.batchSize() + ")";
    }
}
