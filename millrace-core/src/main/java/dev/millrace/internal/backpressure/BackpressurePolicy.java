package dev.millrace.internal.backpressure;

import dev.millrace.internal.operator.TaskOperator;

/// One reason to hold an operator back. [#allows] is asked very often and allocates nothing; the sentence is made
/// only when somebody reads it.
public interface BackpressurePolicy {
    String name();

    /// May the operator, whose input is ready, start one more task?
    boolean allows(TaskOperator operator);

    /// Why not; only after a refusal.
    String reason(TaskOperator operator);

    /// True if the policy is set aside when nothing runs: it guards memory, not correctness.
    boolean yieldsWhenNothingRuns();

    default TaskVerdict check(TaskOperator operator) {
        return allows(operator) ? TaskVerdict.ALLOWED : new TaskVerdict(false, name(), reason(operator));
    }
}
