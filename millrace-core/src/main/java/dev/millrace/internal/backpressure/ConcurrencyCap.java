package dev.millrace.internal.backpressure;

import dev.millrace.internal.operator.TaskOperator;

/// No more tasks than the user allows, no more calls than the actors of a pool take.
public final class ConcurrencyCap implements BackpressurePolicy {
    @Override
    public String name() {
        return "ConcurrencyCap";
    }

    @Override
    public boolean allows(TaskOperator operator) {
        return operator.slots().hasSlot();
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
