package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import java.util.List;

/// Takes rows of several inputs by row number, so that the block boundaries of its inputs do not matter.
abstract class AlignedOperator extends TaskOperator {
    AlignedOperator(PhysicalPlan plan, OperatorHost host, Resources resources, Allocator account, long targetBytes) {
        super(plan.name(), host, resources, Integer.MAX_VALUE, null, account, false, targetBytes);
    }

    /// Moves the next `rows` rows of an input, which has that many, to the end of a list.
    ///
    /// @return how many of their bytes count as memory of the run
    final long take(BlockChannel input, long rows, List<BlockSlice> into) {
        long now = host.now();
        long missing = rows;
        long bytes = 0;
        while (missing > 0) {
            boolean counted = input.bytes() > 0;
            long part = Math.min(missing, input.peek().rows());
            if (part == input.peek().rows()) {
                meter.waited(now - input.since());
            }
            BlockSlice slice = input.takeRows(part);
            bytes += counted ? slice.sizeBytes() : 0;
            into.add(slice);
            missing -= part;
        }
        return bytes;
    }

    /// Removes blocks without rows, which would hide the blocks after them.
    final void dropEmptyBlocks() {
        for (BlockChannel input : inputs()) {
            while (!input.isEmpty() && input.peek().rows() == 0) {
                input.take().release();
            }
        }
    }

    @Override
    final long guessOutputBytes() {
        long bytes = 0;
        for (BlockChannel input : inputs()) {
            bytes += input.isEmpty() ? 0 : input.peek().sizeBytes();
        }
        return bytes;
    }

    @Override
    final double rowsWanted(BlockChannel input) {
        double wanted = requireOutput().to().rowsWanted(requireOutput());
        if (wanted == Double.POSITIVE_INFINITY) {
            return wanted;
        }
        wanted -= expectedRows() + input.rows();
        return wanted > 0 ? wanted : needsMore(input) ? 1 : 0;
    }
}
