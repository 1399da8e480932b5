package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;
import dev.millrace.memory.Allocator;
import org.jspecify.annotations.Nullable;

/// An operator whose tasks each take a bundle of the queued blocks of its only input. An incomplete bundle waits for
/// more, and becomes a task when no more blocks arrive.
abstract class BundleOperator extends TaskOperator {
    BundleOperator(
            String name,
            OperatorHost host,
            Resources need,
            int maxConcurrency,
            @Nullable ActorPool pool,
            Allocator account,
            long targetBytes) {
        super(name, host, need, maxConcurrency, pool, account, false, targetBytes);
    }

    /// True when this much is enough for a task.
    abstract boolean isBundle(long rows, long sizeBytes);

    @Override
    void inputArrived(BlockChannel input) {
        creditBundle();
    }

    /// Returns credit for an incomplete bundle, which must not block its producers.
    final void creditBundle() {
        if (!inputReady()) {
            input(0).credit();
        }
    }

    @Override
    public boolean inputReady() {
        BlockChannel input = input(0);
        return !input.isEmpty() && (input.isEnded() || isBundle(input.rows(), input.sizeBytes()));
    }

    @Override
    boolean inputExhausted() {
        return input(0).isExhausted();
    }

    @Override
    public boolean needsMore(BlockChannel input) {
        return !inputReady();
    }
}
