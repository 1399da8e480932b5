package dev.millrace.internal.backpressure;

import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.internal.resource.BudgetAllocator;
import java.util.List;

/// Keeps block memory within the run's limit, by a budget per operator.
public final class ResourceBudget implements BackpressurePolicy {
    private final List<TaskOperator> operators;
    private final double reservedShare;
    private final long[] taskBytes;
    private final long[] outputBytes;
    private final long[] wanted;
    private final long[] budget;
    /// The current index of each operator in the arrays; -1 when it has ended.
    private final int[] slots;

    private long limit;

    public ResourceBudget(List<TaskOperator> operators, double reservedShare) {
        this.operators = operators;
        this.reservedShare = reservedShare;
        int n = operators.size();
        this.taskBytes = new long[n];
        this.outputBytes = new long[n];
        this.wanted = new long[n];
        this.budget = new long[n];
        this.slots = new int[n];
    }

    /// Sets the bytes that the run may use in total from now on.
    public void limit(long bytes) {
        this.limit = bytes;
    }

    @Override
    public void refresh() {
        int n = 0;
        for (int i = 0; i < operators.size(); i++) {
            TaskOperator operator = operators.get(i);
            if (operator.isFinished() && operator.storeBytes() == 0) {
                slots[i] = -1;
                continue;
            }
            slots[i] = n;
            taskBytes[n] = operator.taskBytes();
            outputBytes[n] = operator.queuedBytes();
            wanted[n] = operator.inputReady() ? operator.estimateTaskBytes() : 0;
            n++;
        }
        BudgetAllocator.allocate(limit, reservedShare, n, taskBytes, outputBytes, wanted, budget);
    }

    @Override
    public String name() {
        return "ResourceBudget";
    }

    @Override
    public boolean allows(TaskOperator operator) {
        int slot = slots[operator.position()];
        return slot < 0 || wanted[slot] <= budget[slot];
    }

    @Override
    public String reason(TaskOperator operator) {
        int slot = slots[operator.position()];
        return slot < 0
                ? "has ended"
                : "needs " + wanted[slot] + " bytes, " + budget[slot] + " left of the run's " + limit;
    }

    @Override
    public boolean yieldsWhenNothingRuns() {
        return true;
    }
}
