package dev.millrace.internal.operator;

import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.runtime.BlockSlice;
import org.jspecify.annotations.Nullable;

/// Passes on all of its first input, then all of the second, and so on; in the order of arrival if order is not kept.
final class UnionOperator extends RunningOperator {
    private final boolean ordered;
    private int current;

    UnionOperator(PhysicalPlan.Union plan, boolean ordered) {
        super(plan.name());
        this.ordered = ordered;
    }

    @Override
    void inputArrived(BlockChannel input) {
        if (!ordered || input == currentInput()) {
            drain(input);
        }
    }

    private @Nullable BlockChannel currentInput() {
        return current < inputs().size() ? input(current) : null;
    }

    private void drain(BlockChannel input) {
        while (!isStopped() && !input.isEmpty()) {
            TaskRun producer = input.producer();
            long bytes = input.bytes();
            long since = input.since();
            BlockSlice slice = input.poll();
            emit(slice, producer, bytes, since);
        }
    }

    @Override
    void inputEnded(BlockChannel ended) {
        BlockChannel input;
        while (!isStopped() && (input = currentInput()) != null) {
            if (ordered) {
                drain(input);
            }
            if (!input.isExhausted()) {
                return;
            }
            current++;
        }
        finish();
    }

    @Override
    double rowsWanted(BlockChannel input) {
        double wanted = requireOutput().to().rowsWanted(requireOutput());
        return wanted == Double.POSITIVE_INFINITY || !ordered || input == currentInput() ? wanted : 0;
    }

    @Override
    public boolean needsMore(BlockChannel input) {
        return (!ordered || input == currentInput()) && requireOutput().to().needsMore(requireOutput());
    }
}
