package dev.millrace.internal.sessionlog;

import dev.millrace.internal.observe.OperatorDetails;
import dev.millrace.internal.observe.RunDetails;
import dev.millrace.internal.observe.RunError;
import dev.millrace.stats.Hint;
import dev.millrace.stats.OperatorStats;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// What of a run was written already. Each decision, hint and error is written once, when it is first seen: a run of
/// any length has a bounded log.
final class RunNotes {
    private static final int MAX_SCALINGS = 1_000;

    private final String run;
    private final Consumer<LogEntry> to;
    private final Set<String> said = new HashSet<>();
    private final Map<String, String> scalings = new HashMap<>();
    private int scaled;

    RunNotes(String run, Consumer<LogEntry> to) {
        this.run = run;
        this.to = to;
    }

    /// Writes what is new in these figures.
    void note(RunDetails now) {
        List<OperatorStats> operators = now.stats().operators();
        for (int i = 0; i < operators.size(); i++) {
            OperatorStats operator = operators.get(i);
            if (operator.heldBy() != null && said.add("held " + operator.name() + " " + operator.heldBy())) {
                write(
                        System.Logger.Level.DEBUG,
                        "held back",
                        operator.title() + " by " + operator.heldBy() + ": " + operator.heldReason());
            }
            if (i < now.operators().size()) {
                scaling(operator, now.operators().get(i));
            }
        }
        for (Hint hint : now.stats().hints()) {
            if (said.add("hint " + hint.sentence())) {
                write(System.Logger.Level.INFO, "hint", hint.sentence());
            }
        }
        for (RunError error : now.errors()) {
            if (said.add("error " + error.operator() + error.kind() + error.message())) {
                write(
                        System.Logger.Level.WARNING,
                        error.kind(),
                        error.operator() + (error.where().isEmpty() ? "" : " at " + error.where()) + ": "
                                + error.message());
            }
        }
    }

    private void scaling(OperatorStats operator, OperatorDetails details) {
        String reason = details.scaling();
        if (!reason.isEmpty() && !reason.equals(scalings.put(operator.name(), reason)) && scaled++ < MAX_SCALINGS) {
            write(
                    System.Logger.Level.DEBUG,
                    "actors",
                    operator.title() + ": " + operator.actors() + " of " + details.maxActors() + ": " + reason);
        }
    }

    void write(System.Logger.Level level, String event, String text) {
        to.accept(new LogEntry(Instant.now(), level, run, event, text));
    }
}
