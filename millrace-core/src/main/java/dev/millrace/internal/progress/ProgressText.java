package dev.millrace.internal.progress;

import static dev.millrace.internal.stats.HumanUnits.bytes;
import static dev.millrace.internal.stats.HumanUnits.count;
import static dev.millrace.internal.stats.HumanUnits.percent;
import static dev.millrace.internal.stats.HumanUnits.rowsPerSecond;
import static dev.millrace.internal.stats.HumanUnits.time;

import dev.millrace.internal.stats.StatsText;
import dev.millrace.stats.OperatorStats;
import dev.millrace.stats.RunStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/// A run's progress as text: a pure function of its stats and the available width. No line is longer than the width.
public final class ProgressText {
    /// A refusal is part of normal work; the reason is shown only for an operator that was held back for longer than
    /// this.
    private static final Duration WORTH_SAYING = Duration.ofSeconds(3);

    private static final int MAX_BAR = 30;
    private static final int MIN_BAR = 8;

    /// The share and the spaces of a line.
    private static final int BESIDES = 10;

    private ProgressText() {}

    /// One line for the run, then one per operator: name, bar, share, rows, rate; below it what holds it back, and
    /// hints.
    ///
    /// @param unicode whether the terminal can show block characters
    public static List<String> bars(RunStats run, int width, boolean unicode) {
        List<String> lines = new ArrayList<>();
        lines.add(cut(heading(run), width, unicode));
        int numbers = run.operators().stream()
                .mapToInt(operator -> numbers(operator, run).length())
                .max()
                .orElse(0);
        // A third of the line, and all that a whole bar and the numbers leave.
        int name = Math.min(
                Math.max(width / 3, width - numbers - MAX_BAR - BESIDES),
                run.operators().stream()
                        .mapToInt(operator -> operator.title().length())
                        .max()
                        .orElse(0));
        int bar = Math.min(MAX_BAR, width - name - numbers - BESIDES);
        for (OperatorStats operator : run.operators()) {
            String line = "  " + pad(cut(operator.title(), name, unicode), name) + " ";
            if (bar >= MIN_BAR) {
                line += bar(operator.done(), bar, unicode) + " ";
            }
            lines.add(cut(line + pad(shareText(operator), 5) + " " + numbers(operator, run), width, unicode));
            String why = why(operator, "    ");
            if (!why.isEmpty()) {
                lines.add(cut(why, width, unicode));
            }
            StatsText.hints(run, operator).forEach(hint -> lines.addAll(wrap("    hint: ", hint, width, unicode)));
        }
        return lines;
    }

    /// The whole run in one line, for logs: unfinished operators with their share, rows and rate; the time left; what
    /// holds them back; hints.
    public static String line(RunStats run) {
        String text = run.operators().stream()
                .filter(operator -> !operator.finished())
                .map(operator -> operator.title() + ": " + rows(operator)
                        + (operator.done().isPresent() ? ", " + shareText(operator) : "") + ", "
                        + rowsPerSecond(operator.outputRows(), run.elapsedNanos()))
                .collect(Collectors.joining(" | "));
        if (text.isEmpty()) {
            text = run.name() + ": " + count(run.outputRows()) + " rows";
        }
        text += left(run);
        String held = run.operators().stream()
                .filter(operator -> !why(operator, "").isEmpty())
                .map(operator -> why(operator, ""))
                .distinct()
                .collect(Collectors.joining(", "));
        return text + (held.isEmpty() ? "" : "; " + held) + hints(run, "; hint: ");
    }

    /// The remaining text when a run has ended.
    public static String summary(RunStats run) {
        return StatsText.summary(run) + hints(run, "\n  hint: ");
    }

    private static String hints(RunStats run, String before) {
        return run.hints().stream().map(hint -> before + hint.sentence()).collect(Collectors.joining());
    }

    /// The text in lines of the width, cut between words; what follows the first is indented as far as its prefix.
    private static List<String> wrap(String prefix, String text, int width, boolean unicode) {
        List<String> lines = new ArrayList<>();
        String line = prefix;
        for (String word : text.split(" ", -1)) {
            boolean begins = line.length() <= prefix.length();
            if (!begins && line.length() + 1 + word.length() > width) {
                lines.add(cut(line, width, unicode));
                line = " ".repeat(prefix.length());
                begins = true;
            }
            line += (begins ? "" : " ") + word;
        }
        lines.add(cut(line, width, unicode));
        return lines;
    }

    /// The progress of the whole run: that of its slowest operator with a known total.
    static OptionalDouble share(RunStats run) {
        return run.operators().stream()
                .filter(operator -> !operator.finished())
                .map(OperatorStats::done)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .min();
    }

    private static String heading(RunStats run) {
        return run.name() + ": " + time(run.elapsedNanos()) + left(run) + ", memory " + bytes(run.memoryBytes());
    }

    /// ", 12 s left", if that can be estimated from what was done so far.
    private static String left(RunStats run) {
        OptionalDouble share = share(run);
        if (share.isEmpty() || share.getAsDouble() <= 0) {
            return "";
        }
        double rest = run.elapsedNanos() * (1 - share.getAsDouble()) / share.getAsDouble();
        return ", " + time(rest < 1e9 ? 1e9 : Math.rint(rest / 1e9) * 1e9) + " left";
    }

    private static String shareText(OperatorStats operator) {
        OptionalDouble share = operator.done();
        return share.isEmpty() ? "" : percent(share.getAsDouble());
    }

    private static String numbers(OperatorStats operator, RunStats run) {
        return rows(operator) + ", " + rowsPerSecond(operator.outputRows(), run.elapsedNanos());
    }

    /// "1,000 rows", "1,000 rows written".
    private static String rows(OperatorStats operator) {
        return count(operator.outputRows())
                + (operator.outputRows() == 1 ? " row" : " rows")
                + (operator.written().isPresent() ? " written" : "");
    }

    private static String why(OperatorStats operator, String prefix) {
        long held = operator.heldNanos().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        return operator.heldReason() == null || held < WORTH_SAYING.toNanos()
                ? ""
                : prefix + "backpressure by " + operator.heldBy() + ": " + operator.heldReason();
    }

    private static String bar(OptionalDouble share, int width, boolean unicode) {
        int full = (int) Math.floor(share.orElse(0) * width);
        return (unicode ? "█" : "#").repeat(full) + (unicode ? "░" : "-").repeat(width - full);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private static String cut(String text, int width, boolean unicode) {
        String dots = unicode ? "…" : "..";
        return text.length() <= width
                ? text
                : text.substring(0, Math.max(0, width - dots.length()))
                        + dots.substring(0, Math.min(width, dots.length()));
    }
}
