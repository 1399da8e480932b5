package dev.millrace.internal.backpressure;

import dev.millrace.internal.operator.TaskOperator;
import java.util.List;

/// Holds back an operator while tasks of its own, or of an operator nearer to the output, wait for memory: another task
/// would only wait in the same line. Downstream operators continue, since they free memory. Preempted tasks go before
/// new ones. While a consumer waits for memory, which is never long, no task starts at all. In a run whose consumer is
/// away, no task starts while a task of another run waits whose consumer is present.
public final class MemoryWait implements BackpressurePolicy {
    public static final String NAME = "Memory";

    private final List<TaskOperator> operators;
    /// The position of the operator nearest to the output with a task that waits for memory; -1 if none waits.
    private int lastWaiting = -1;

    public MemoryWait(List<TaskOperator> operators) {
        this.operators = operators;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean allows(TaskOperator operator) {
        return operator.position() > lastWaiting && !operator.launcher().hasYielded() && operator.mayBegin();
    }

    @Override
    public void refresh() {
        int last = operators.size() - 1;
        while (last >= 0 && operators.get(last).waitingForMemory() == 0) {
            last--;
        }
        lastWaiting = last;
    }

    @Override
    public String reason(TaskOperator operator) {
        if (operator.position() <= lastWaiting) {
            return describe(operators.get(lastWaiting));
        }
        return (operator.launcher().hasYielded()
                        ? "tasks that made room for others go first, "
                        : operator.account().admission().isContendedByConsumer()
                                ? "a consumer waits for memory, "
                                : "tasks of a run whose consumer is there wait for memory, ")
                + operator.account().heldInAll() + " of " + operator.account().limit() + " bytes are in use";
    }

    /// "2 tasks of map(resize) wait for 33554432 bytes of memory, 425000000 of 500000000 are in use".
    public static String describe(TaskOperator operator) {
        int tasks = operator.waitingForMemory();
        return tasks + (tasks == 1 ? " task of " : " tasks of ") + operator.name() + (tasks == 1 ? " waits" : " wait")
                + " for " + operator.account().admission().waitingBytes() + " bytes of memory, "
                + operator.account().heldInAll() + " of " + operator.account().limit() + " are in use";
    }

    @Override
    public boolean yieldsWhenNothingRuns() {
        return false;
    }
}
