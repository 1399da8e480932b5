package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import java.util.List;

/// The running forms of [RowStep]: filters alone choose rows of the block, everything else writes new columns.
final class RowTransforms {
    private RowTransforms() {}

    static Transform open(List<RowStep.Named> operations, StepContext context) {
        boolean filters = operations.stream()
                .allMatch(named -> named.operation() instanceof RowOperation.Filter
                        || named.operation() instanceof RowOperation.FilterRecord<?>);
        return filters ? new RowFilter(operations, context) : new RowPipeline(operations, context);
    }

    /// Where a row of a chunk lies in the input: exact while no step before has dropped or added rows.
    static String where(InputPosition position, Block chunk, long row) {
        return chunk.rows() == position.rows() ? position.range(position.firstRow() + row, 1) : position.toString();
    }
}
