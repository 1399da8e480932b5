package dev.millrace.internal.transform;

import dev.millrace.block.RowOrigin;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.fault.FaultKind;
import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.ToleratedErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// The errors of one task that policies tolerated. Reported to the engine when the task is done, so that a task that is
/// run again counts once. One thread.
public final class TaskErrors implements AutoCloseable {
    private final TaskContext task;
    private final DeadLetters letters;
    private final InputPosition position;
    private final List<Operation> operations = new ArrayList<>();

    TaskErrors(TaskContext task, long chunkBytes, InputPosition position) {
        this.task = task;
        this.position = position;
        this.letters = new DeadLetters(task, chunkBytes);
    }

    /// One function of the chain, with its policy.
    Operation of(String name, ErrorPolicy policy) {
        Operation operation = new Operation(name, policy);
        operations.add(operation);
        return operation;
    }

    /// The task has produced all its output.
    void finish() {
        letters.finish();
        for (Operation operation : operations) {
            if (!operation.policy.isFail()) {
                task.tolerated(operation.told());
                if (operation.failed > 0) {
                    task.count(TaskCounters.of(operation.policy.action()), operation.failed);
                }
            }
        }
    }

    @Override
    public void close() {
        letters.close();
    }

    final class Operation {
        private final String name;
        private final ErrorPolicy policy;
        private long rows;
        private long failed;
        private @Nullable String firstCause;

        private Operation(String name, ErrorPolicy policy) {
            this.name = name;
            this.policy = policy;
        }

        String name() {
            return name;
        }

        ErrorPolicy policy() {
            return policy;
        }

        @Nullable
        String firstCause() {
            return firstCause;
        }

        void called(long withRows) {
            rows += withRows;
        }

        /// Tolerates the failure of some rows, or throws it.
        ///
        /// @param first number of the first of them in the origin, or [DeadLetters#UNKNOWN_ROW]
        /// @param data each of them as JSON, by its number from 0
        void failed(Throwable cause, String where, String origin, long first, long count, LongFunction<String> data) {
            if (policy.isFail() || !FaultKind.of(cause, false).isTolerable()) {
                throw UserCode.failed(name, where, cause);
            }
            if (firstCause == null) {
                firstCause = UserCode.failed(name, where, cause).getMessage();
            }
            failed += count;
            if (failed > policy.most()) {
                throw tooMany(told(), cause);
            }
            if (policy.action() == ErrorPolicy.Action.DEAD_LETTER) {
                String deadLetters = Objects.requireNonNull(policy.deadLetters(), "the policy keeps dead letters");
                for (long i = 0; i < count; i++) {
                    RowOrigin from = first == DeadLetters.UNKNOWN_ROW || !origin.equals(position.origin())
                            ? new RowOrigin(origin, first, 1)
                            : position.file(first + i);
                    letters.add(deadLetters, name, from.name(), from.firstRow(), cause, data.apply(i));
                }
            }
        }

        private ToleratedErrors told() {
            return new ToleratedErrors(name, policy, rows, failed, firstCause);
        }
    }

    /// The error of an exceeded limit.
    public static MillraceException tooMany(ToleratedErrors errors, @Nullable Throwable cause) {
        ErrorPolicy policy = errors.policy();
        String allowed = errors.failed() > policy.most()
                ? "at most " + policy.most()
                : "at most " + policy.mostRatio() * 100 + " % of " + errors.rows();
        return new MillraceException(
                Culprit.USER,
                errors.operation() + " failed on " + errors.failed() + (errors.failed() == 1 ? " row" : " rows")
                        + ", and its policy, " + policy + ", lets " + allowed + " pass. The first: "
                        + errors.firstCause(),
                cause);
    }
}
