package dev.millrace.internal.engine;

import dev.millrace.internal.operator.OperatorPipeline;
import dev.millrace.internal.operator.ReadOperator;
import dev.millrace.internal.operator.TaskOperator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The end of a run: once all output is delivered, or none is wanted, cancelled tasks have a limited time to end, then
/// the run ends without them. Confined to the thread that drives the [TaskScheduler].
final class RunEnding {
    private final String run;
    private final Duration cancelTimeout;
    private final OperatorPipeline pipeline;
    private final WorkUnderWay work;
    /// True since the run only waits for its tasks to end.
    private boolean ending;

    private long since;
    /// Some tasks did not end, and the run ends without them.
    private boolean givenUp;

    RunEnding(String run, Duration cancelTimeout, OperatorPipeline pipeline, WorkUnderWay work) {
        this.run = run;
        this.cancelTimeout = cancelTimeout;
        this.pipeline = pipeline;
        this.work = work;
    }

    /// True when all output has been delivered, or none is wanted, and nothing is in flight.
    boolean isEnded() {
        if (!pipeline.output().isFinished() || !work.isEmpty()) {
            return false;
        }
        for (TaskOperator operator : pipeline.tasks()) {
            if (operator instanceof ReadOperator read && read.isListing()) {
                return false;
            }
        }
        return true;
    }

    /// Gives up what did not end in time.
    void tend(long now) {
        if (!pipeline.output().isFinished()) {
            return;
        }
        if (!ending) {
            ending = true;
            since = now;
        }
        if (isEnded() || now < giveUpAt()) {
            return;
        }
        List<String> left = new ArrayList<>(work.giveUp());
        for (TaskOperator operator : pipeline.tasks()) {
            if (operator instanceof ReadOperator read) {
                read.giveUpListing().ifPresent(left::add);
            }
        }
        givenUp = true;
        System.getLogger(TaskScheduler.class.getName())
                .log(
                        System.Logger.Level.WARNING,
                        "Run '" + run + "' ends without work that did not end within "
                                + cancelTimeout.toMillis() / 1000.0
                                + " s of being cancelled: " + String.join("; ", left)
                                + ". It keeps its thread and its memory until it returns. Functions and sources should"
                                + " end when their thread is interrupted; FaultSettings.cancelTimeout says how long"
                                + " they have.");
    }

    private long giveUpAt() {
        return since + cancelTimeout.toNanos();
    }

    /// When [#tend] must be called even without an event; Long.MAX_VALUE for never.
    long deadline() {
        return ending && !isEnded() ? giveUpAt() : Long.MAX_VALUE;
    }

    /// True when the run ended without some of its tasks, which may still hold memory.
    boolean hasGivenUp() {
        return givenUp;
    }
}
