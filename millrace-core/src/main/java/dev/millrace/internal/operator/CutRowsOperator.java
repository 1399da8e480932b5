package dev.millrace.internal.operator;

import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.runtime.BlockSlice;
import org.jspecify.annotations.Nullable;

/// Cuts blocks with more rows than wanted into pieces, by their metadata alone; smaller ones pass unchanged.
final class CutRowsOperator extends RunningOperator {
    private final long rows;

    CutRowsOperator(PhysicalPlan.Rows plan) {
        super(plan.name());
        this.rows = plan.rows();
    }

    @Override
    void inputArrived(BlockChannel input) {
        while (!isStopped() && !input.isEmpty()) {
            TaskRun producer = input.producer();
            long bytes = input.bytes();
            long since = input.since();
            BlockSlice slice = input.poll();
            if (slice.rows() <= rows) {
                emit(slice, producer, bytes, since);
            } else {
                cut(slice, producer, bytes, since);
            }
        }
    }

    /// The last piece carries the bytes of the block: its producer gets credit when that piece is taken.
    private void cut(BlockSlice slice, @Nullable TaskRun producer, long bytes, long since) {
        for (long from = 0; from + rows < slice.rows(); from += rows) {
            emit(slice.slice(from, rows), null, 0, since);
            if (isStopped()) {
                slice.release();
                if (producer != null) {
                    producer.left(bytes);
                    producer.credit();
                }
                return;
            }
        }
        long last = (slice.rows() - 1) / rows * rows;
        emit(new BlockSlice(slice.block(), slice.from() + last, slice.rows() - last), producer, bytes, since);
    }

    @Override
    void inputEnded(BlockChannel input) {
        if (input.isEmpty()) {
            finish();
        }
    }

    @Override
    double rowsWanted(BlockChannel input) {
        return requireOutput().to().rowsWanted(requireOutput());
    }

    @Override
    public boolean needsMore(BlockChannel input) {
        return requireOutput().to().needsMore(requireOutput());
    }
}
