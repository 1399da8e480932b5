package dev.millrace.internal.observe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A bounded record of the attempts of a run: when each that runs was started, every n-th that ended, the slowest of
/// each operator, and errors by their sentence. n doubles whenever an operator has too many, so a run of any length
/// costs the same memory, and what is kept is spread evenly over it. Loop thread only.
public final class TaskTimeline {
    static final int SLOWEST = 20;
    static final int MAX_SAMPLES = 256;
    static final int MAX_ERRORS = 100;
    private static final int MAX_RUNNING = 500;
    private static final int MAX_TEXT = 2_000;

    private final long startedAt;
    private final Map<Long, Long> begun = new HashMap<>();
    private final Map<Integer, Kept> kept = new HashMap<>();
    private final Map<String, RunError> errors = new LinkedHashMap<>();

    /// @param startedAt the run's start, on the clock of all times given here
    public TaskTimeline(long startedAt) {
        this.startedAt = startedAt;
    }

    /// What the timeline asks of an attempt. Its text is built for the few that are kept.
    ///
    /// @param wallNanos without the pauses
    public record Attempt(
            long id,
            int operator,
            @Nullable String node,
            long wallNanos,
            long cpuNanos,
            long pausedNanos,
            long rows,
            Supplier<String> input) {}

    /// An attempt was handed to the runtime.
    public void begun(long id, long now) {
        begun.put(id, now);
    }

    /// It has ended.
    public void ended(Attempt attempt, boolean failed, long now) {
        Long start = begun.remove(attempt.id);
        kept.computeIfAbsent(attempt.operator, _ -> new Kept()).add(attempt, failed, start == null ? now : start, now);
    }

    /// An attempt failed with this error.
    public void failed(String operator, Throwable cause, Supplier<String> input, long now) {
        String message = cut(cause.getMessage() == null ? cause.toString() : cause.getMessage());
        RunError before = errors.get(operator + message);
        if (before == null && errors.size() >= MAX_ERRORS) {
            return;
        }
        errors.put(
                operator + message,
                before == null
                        ? new RunError(operator, "attempt failed", message, cut(input.get()), 1, now - startedAt)
                        : new RunError(
                                operator, before.kind(), message, before.where(), before.count() + 1, now - startedAt));
    }

    /// The errors of attempts, the oldest first.
    public List<RunError> errors() {
        return List.copyOf(errors.values());
    }

    /// The attempts that ended, by operator and start.
    public List<TaskSample> ended() {
        List<TaskSample> all = new ArrayList<>();
        kept.values().forEach(of -> of.list(all));
        all.sort(Comparator.comparingInt(TaskSample::operator).thenComparingLong(TaskSample::startNanos));
        return all;
    }

    /// A running attempt; null if it is unknown.
    public @Nullable TaskSample running(Attempt attempt, long now) {
        Long start = begun.get(attempt.id);
        return start == null
                ? null
                : new TaskSample(
                        attempt.id,
                        attempt.operator,
                        cut(attempt.input.get()),
                        attempt.node,
                        start - startedAt,
                        now - startedAt,
                        0,
                        0,
                        attempt.rows,
                        TaskSample.Outcome.RUNNING,
                        false);
    }

    /// How many running attempts are worth listing.
    public int maxRunning() {
        return MAX_RUNNING;
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
    }

    /// The attempts of one operator.
    private final class Kept {
        private final PriorityQueue<TaskSample> slowest =
                new PriorityQueue<>(Comparator.comparingLong((TaskSample task) -> task.endNanos() - task.startNanos()));
        private List<TaskSample> spread = new ArrayList<>();
        private long stride = 1;
        private long seen;

        void add(Attempt attempt, boolean failed, long start, long now) {
            boolean isSpread = seen++ % stride == 0;
            boolean isSlow = slowest.size() < SLOWEST
                    || now - start
                            > slowest.element().endNanos() - slowest.element().startNanos();
            if (!isSpread && !isSlow) {
                return;
            }
            TaskSample sample = new TaskSample(
                    attempt.id,
                    attempt.operator,
                    cut(attempt.input.get()),
                    attempt.node,
                    start - startedAt,
                    now - startedAt,
                    attempt.cpuNanos,
                    attempt.pausedNanos,
                    attempt.rows,
                    failed ? TaskSample.Outcome.FAILED : TaskSample.Outcome.FINISHED,
                    false);
            if (isSlow) {
                slowest.add(sample.asSlow());
                if (slowest.size() > SLOWEST) {
                    slowest.remove();
                }
            }
            if (isSpread) {
                spread.add(sample);
                if (spread.size() == MAX_SAMPLES) {
                    thin();
                }
            }
        }

        private void thin() {
            List<TaskSample> half = new ArrayList<>(MAX_SAMPLES);
            for (int i = 0; i < spread.size(); i += 2) {
                half.add(spread.get(i));
            }
            spread = half;
            stride *= 2;
        }

        void list(List<TaskSample> into) {
            Set<Long> listed = new HashSet<>();
            for (TaskSample task : slowest) {
                listed.add(task.id());
                into.add(task);
            }
            for (TaskSample task : spread) {
                if (!listed.contains(task.id())) {
                    into.add(task);
                }
            }
        }
    }
}
