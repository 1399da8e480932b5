package dev.millrace.internal.backpressure;

import dev.millrace.internal.operator.TaskOperator;

/// Limits the number of tasks to what the user allows, and the number of calls to what the actors of a pool accept.
public final class ConcurrencyCap implements BackpressurePolicy {
    @Override
    public String name() {
        return "ConcurrencyCap";
    }

    @Override
    public boolean allows(TaskOperator operator) {
        return operator.slots().hasSlotForNew();
    }

    @Override
    public String reason(TaskOperator operator) {
        return operator.slots().describe();
    }

    @Override
    public boolean yieldsWhenNothingRuns() {
        return false;
    }
}
