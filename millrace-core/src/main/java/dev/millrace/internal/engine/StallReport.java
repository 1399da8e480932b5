package dev.millrace.internal.engine;

import dev.millrace.error.MillraceException;
import dev.millrace.stats.OperatorStats;
import dev.millrace.stats.RunStats;
import java.time.Duration;

/// Words the error of a run in which nothing has happened for too long.
final class StallReport {
    private StallReport() {}

    static MillraceException of(String run, Duration timeout, RunStats stats) {
        StringBuilder text = new StringBuilder(
                "Run '" + run + "' made no progress for " + timeout.toMillis() / 1000.0 + " s: ");
        String separator = "";
        for (OperatorStats operator : stats.operators()) {
            if (operator.finished()) {
                continue;
            }
            text.append(separator)
                    .append(operator.name())
                    .append(" has ")
                    .append(operator.tasksRunning())
                    .append(" tasks under way");
            if (operator.heldReason() != null) {
                text.append(" and is held (").append(operator.heldReason()).append(')');
            }
            separator = ", ";
        }
        return MillraceException.resources(
                text.append(". Look for a function that never returns, or raise the stall timeout.").toString());
    }
}
