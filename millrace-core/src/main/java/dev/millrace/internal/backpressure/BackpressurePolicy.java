package dev.millrace.internal.backpressure;

import dev.millrace.internal.operator.TaskOperator;

/// One reason to hold an operator back. [#allows] is called very often and allocates nothing; the sentence is built
/// only when it is read.
public interface BackpressurePolicy {
    String name();

    /// Reads what the answers for all operators depend on. Called once before operators are asked, and again when a
    /// task was started: what one answer costs must not depend on the number of operators.
    default void refresh() {}

    /// Whether the operator, whose input is ready, may start one more task.
    boolean allows(TaskOperator operator);

    /// The reason of a refusal; only after one.
    String reason(TaskOperator operator);

    /// True if the liveness rule may override the policy when nothing runs: it guards memory, not correctness.
    boolean yieldsWhenNothingRuns();

    default TaskVerdict check(TaskOperator operator) {
        return allows(operator) ? TaskVerdict.ALLOWED : new TaskVerdict(false, name(), reason(operator));
    }
}
