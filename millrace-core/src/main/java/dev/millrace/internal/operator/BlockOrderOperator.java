package dev.millrace.internal.operator;

import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// Collects all blocks, which may be spilled meanwhile, and passes them on in an order determined by the seed.
final class BlockOrderOperator extends RunningOperator {
    private final OperatorHost host;
    private final long seed;
    private final List<BlockSlice> blocks = new ArrayList<>();

    BlockOrderOperator(PhysicalPlan.BlockOrder plan, OperatorHost host) {
        super(plan.name());
        this.host = host;
        this.seed = plan.seed();
    }

    @Override
    void inputArrived(BlockChannel input) {
        while (!isStopped() && !input.isEmpty()) {
            BlockSlice slice = input.take();
            slice.block().maySpill();
            blocks.add(slice);
        }
    }

    @Override
    void inputEnded(BlockChannel input) {
        if (isStopped()) {
            return;
        }
        Collections.shuffle(blocks, new Random(seed));
        for (int i = 0; i < blocks.size(); i++) {
            if (isStopped()) {
                return;
            }
            BlockSlice next = blocks.set(i, null);
            emit(next, null, 0, host.now());
        }
        finish();
    }

    @Override
    void onStop() {
        for (BlockSlice slice : blocks) {
            if (slice != null) {
                slice.release();
            }
        }
        blocks.clear();
    }
}
