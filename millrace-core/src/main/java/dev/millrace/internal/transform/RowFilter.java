package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.kernel.SelectionVector;
import dev.millrace.internal.thread.TaskCancellation;
import java.util.List;

/// Only filters: tests each row of a chunk and takes the ones that pass, column by column. Types and columns stay
/// unchanged.
final class RowFilter implements ChunkTransform {
    private final List<RowStep.Named> operations;
    private final StepContext context;
    private final RowFeed feed;
    private final RowStages stages;
    private final RowTransforms.Failures failures;
    private final FunctionMeter meter;
    private final TaskCancellation running = TaskCancellation.ofThread();
    private boolean passed;

    RowFilter(List<RowStep.Named> operations, StepContext context) {
        this.operations = operations;
        this.context = context;
        this.feed = new RowFeed(operations.getFirst().name());
        this.meter = RowTransforms.meter(operations, context);
        this.failures = new RowTransforms.Failures(operations, context);
        this.stages = RowStages.filters(operations, failures, _ -> passed = true);
    }

    @Override
    public void accept(Block chunk, ChunkSink out) throws Exception {
        Block kept;
        try (chunk) {
            kept = Blocks.take(context.allocator(), chunk, select(chunk, out.rowsWanted()));
        }
        out.emit(kept);
    }

    /// @param wanted the number of rows that is enough
    private SelectionVector select(Block chunk, long wanted) {
        int[] positions = new int[Math.toIntExact(chunk.rows())];
        int count = 0;
        int row = 0;
        long began = meter.begin();
        feed.enter(chunk);
        failures.enter(chunk);
        try {
            for (; row < positions.length && count < wanted; row++) {
                running.check();
                positions[count] = row;
                passed = false;
                failures.at(row);
                stages.accept(feed.row(row));
                count += passed ? 1 : 0;
            }
        } catch (Throwable e) {
            throw UserCode.failed(
                    operations.get(stages.current()).name(), RowTransforms.where(context.position(), chunk, row), e);
        } finally {
            feed.leave();
            meter.end(began, row);
        }
        return count == positions.length ? SelectionVector.all(count) : SelectionVector.of(positions, count);
    }
}
