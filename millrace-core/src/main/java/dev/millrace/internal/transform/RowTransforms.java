package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.runtime.FunctionUse;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The running forms of [RowStep]: filters only select rows of the block, everything else writes new columns.
final class RowTransforms {
    private RowTransforms() {}

    static ChunkTransform open(List<RowStep.Named> operations, StepContext context) {
        boolean filters = operations.stream()
                .allMatch(named -> named.operation() instanceof RowOperation.Filter
                        || named.operation() instanceof RowOperation.FilterRecord<?>);
        return filters ? new RowFilter(operations, context) : new RowPipeline(operations, context);
    }

    /// One meter for all operations, since each row runs through all.
    static FunctionMeter meter(List<RowStep.Named> operations, StepContext context) {
        String names = operations.stream().map(RowStep.Named::name).collect(Collectors.joining(" -> "));
        return context.counters().meter(names, FunctionUse.ROWS);
    }

    /// Reports the errors of row operations, with their row, to the task.
    static final class Failures implements RowStages.Failures {
        private final TaskErrors.Operation[] operations;
        private final InputPosition position;
        private @Nullable Block chunk;
        private long row;
        private long nulls;

        Failures(List<RowStep.Named> all, StepContext context) {
            this.position = context.position();
            this.operations = all.stream()
                    .map(named -> context.errors().of(named.name(), named.onError()))
                    .toArray(TaskErrors.Operation[]::new);
        }

        /// The following rows belong to this chunk.
        void enter(Block next) {
            chunk = next;
        }

        private Block requireChunk() {
            return Objects.requireNonNull(chunk, "rows are of a chunk that was entered");
        }

        /// This row is being processed.
        void at(long next) {
            row = next;
        }

        @Override
        public void called(int operation) {
            operations[operation].called(1);
        }

        @Override
        public void failed(int operation, Object item, Throwable cause) {
            operations[operation].failed(
                    cause,
                    where(position, requireChunk(), row),
                    position.origin(),
                    number(position, requireChunk(), row),
                    1,
                    _ -> RowJson.of(RowStages.asRow(item)));
            nulls++;
        }

        /// Rows of nulls have the columns of those that did not fail.
        void requireColumns(RowSink sink) {
            TaskErrors.Operation last = operations[operations.length - 1];
            if (nulls > 0 && sink.rows() > 0 && !sink.knowsColumns()) {
                throw MillraceException.user(last.name() + " failed on all of the " + sink.rows() + " rows of "
                        + position.origin() + ", so the columns that its policy, nulls, should fill are not known. Map"
                        + " to a record, or use the policy skip. The first: " + last.firstCause());
            }
        }
    }

    /// The number of a row in its origin, or [DeadLetters#UNKNOWN_ROW].
    static long number(InputPosition position, Block chunk, long row) {
        return isExact(position, chunk) ? position.firstRow() + row : DeadLetters.UNKNOWN_ROW;
    }

    private static boolean isExact(InputPosition position, Block chunk) {
        return chunk.rows() == position.rows();
    }

    /// The position of a row of a chunk in the input: exact while no earlier step has dropped or added rows.
    static String where(InputPosition position, Block chunk, long row) {
        return isExact(position, chunk) ? position.range(position.firstRow() + row, 1) : position.toString();
    }
}
