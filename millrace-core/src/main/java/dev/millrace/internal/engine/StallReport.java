package dev.millrace.internal.engine;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.fault.ThreadPlace;
import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.memory.Allocator;
import dev.millrace.stats.OperatorStats;
import dev.millrace.stats.RunStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Builds the error of a run without progress for too long, with a snapshot of the run: what each operator has in
/// flight and which policy holds it, what its account holds, and the stacks of its threads.
final class StallReport {
    private static final int MAX_THREADS = 8;
    private static final int MAX_FRAMES = 12;
    /// The prefix of the thread names of the embedded runtime, before the name of the operator they work for.
    private static final String WORKERS = "millrace-worker-";

    private StallReport() {}

    /// @param unread consumers that block the others by not reading, or empty
    static MillraceException of(
            String run,
            Duration timeout,
            RunStats stats,
            List<TaskOperator> operators,
            Allocator account,
            String unread) {
        StringBuilder text =
                new StringBuilder("Run '" + run + "' made no progress for " + timeout.toMillis() / 1000.0 + " s: ");
        List<String> states = new ArrayList<>();
        for (OperatorStats operator : stats.operators()) {
            if (!operator.finished()) {
                states.add(describe(operator));
            }
        }
        if (!unread.isEmpty()) {
            states.add(unread);
        }
        text.append(String.join(", ", states))
                .append(
                        unread.isEmpty()
                                ? ". Look for a function that never returns, or a future that is never completed, or raise the"
                                        + " stall timeout."
                                : ". Read every shard, each on a thread of its own, and close those that nobody reads.");
        text.append("\nMemory: ")
                .append(account.heldInAll())
                .append(" of ")
                .append(account.limit())
                .append(" bytes in use");
        for (TaskOperator operator : operators) {
            Allocator own = operator.account();
            text.append("; ").append(own.name()).append(" holds ").append(own.heldBytes());
            if (own.admission().waiting() > 0) {
                text.append(" and waits for ").append(own.admission().waitingBytes());
            }
        }
        threads(operators)
                .forEach((name, stack) -> text.append("\n").append(name).append(stack));
        return MillraceException.resources(text.toString());
    }

    private static String describe(OperatorStats operator) {
        return operator.name() + " has " + operator.tasksRunning() + " tasks under way"
                + (operator.queuedBlocks() > 0 ? " and " + operator.queuedBlocks() + " blocks that wait" : "")
                + (operator.heldReason() != null ? " and is held (" + operator.heldReason() + ")" : "");
    }

    /// The stacks of the threads of this process that work for the operators.
    private static Map<String, String> threads(List<TaskOperator> operators) {
        Map<String, String> stacks = new TreeMap<>();
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            String name = thread.getName();
            boolean ours = name.startsWith(WORKERS)
                    && operators.stream().anyMatch(operator -> name.endsWith(" " + operator.name()));
            // Idle threads keep the name of their last operator, and are parked in their pool.
            boolean busy = frames.length > 6;
            if (ours && busy && stacks.size() < MAX_THREADS) {
                StringBuilder stack = new StringBuilder();
                for (int i = 0; i < Math.min(MAX_FRAMES, frames.length); i++) {
                    stack.append("\n    at ").append(frames[i]);
                }
                stacks.put(name + ThreadPlace.waits(thread), stack.toString());
            }
        });
        return stacks;
    }
}
