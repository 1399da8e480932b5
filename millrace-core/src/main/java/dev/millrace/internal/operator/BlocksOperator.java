package dev.millrace.internal.operator;

import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.runtime.BlockSlice;

/// Blocks that are already in the store. They are not memory of this run, so they count for nothing here.
final class BlocksOperator extends RunningOperator {
    private final PhysicalPlan.Blocks plan;
    private final OperatorHost host;

    BlocksOperator(PhysicalPlan.Blocks plan, OperatorHost host) {
        super(plan.name());
        this.plan = plan;
        this.host = host;
    }

    @Override
    void open() {
        for (BlockSlice slice : plan.blocks()) {
            if (isStopped()) {
                return;
            }
            slice.block().retain();
            emit(slice, null, 0, host.now());
        }
        finish();
    }

    @Override
    void inputArrived(BlockChannel input) {}

    @Override
    void inputEnded(BlockChannel input) {}
}
