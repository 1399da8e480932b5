package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.fault.FaultKind;
import dev.millrace.internal.thread.TaskCancellation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Evaluates expressions over chunks under an error policy. A chunk on which they fail is evaluated again in halves,
/// down to the single rows that fail, for which the policy decides; so errors cost time only where they occur. Users'
/// functions in the expressions are called again with rows that they have already seen.
///
/// One thread.
final class ErrorBisection {
    /// Evaluates expressions over some rows. The caller owns the rows and the result.
    interface Work {
        Block compute(Block rows);
    }

    private final StepContext context;
    private final String place;
    private final TaskErrors.Operation errors;
    private final Work work;
    private final Work instead;
    private final TaskCancellation running = TaskCancellation.ofThread();

    /// @param site the user's line
    /// @param work for rows that do not fail
    /// @param instead for a single row that does, if the policy writes nulls
    ErrorBisection(String name, String site, ErrorPolicy policy, StepContext context, Work work, Work instead) {
        this.context = context;
        this.place = name + CallSite.suffix(site);
        this.errors = context.errors().of(name, policy);
        this.work = work;
        this.instead = instead;
    }

    /// The rows of the chunk that remain: at most one block; null if there is none. The caller keeps ownership of the
    /// chunk.
    @Nullable
    Block compute(Block chunk) {
        errors.called(chunk.rows());
        try {
            return work.compute(chunk);
        } catch (MillraceException e) {
            requireTolerable(e);
            if (chunk.rows() == 0) {
                throw UserCode.located(place, context.position(), e);
            }
        }
        List<Block> parts = new ArrayList<>();
        try {
            halve(chunk, 0, chunk.rows(), parts);
            return parts.isEmpty() ? null : Blocks.concatenate(context.allocator(), parts);
        } finally {
            parts.forEach(Block::close);
        }
    }

    /// The rows failed together, or there is only one.
    private void halve(Block chunk, long from, long rows, List<Block> parts) {
        long half = rows / 2;
        if (half > 0) {
            attempt(chunk, from, half, parts);
        }
        attempt(chunk, from + half, rows - half, parts);
    }

    private void attempt(Block chunk, long from, long rows, List<Block> parts) {
        running.check();
        try (Block part = chunk.slice(from, rows)) {
            MillraceException failure;
            try {
                parts.add(work.compute(part));
                return;
            } catch (MillraceException e) {
                requireTolerable(e);
                failure = e;
            }
            if (rows > 1) {
                halve(chunk, from, rows, parts);
                return;
            }
            fail(chunk, from, part, failure);
            if (errors.policy().action() == ErrorPolicy.Action.NULLS) {
                parts.add(instead.compute(part));
            }
        }
    }

    private void fail(Block chunk, long row, Block part, MillraceException failure) {
        // The exception of a user's function is the cause of our sentence; dead letters need its class and line.
        Throwable cause =
                failure.culprit() == Culprit.USER && failure.getCause() != null ? failure.getCause() : alone(failure);
        errors.failed(
                cause,
                RowTransforms.where(context.position(), chunk, row),
                context.position().origin(),
                RowTransforms.number(context.position(), chunk, row),
                1,
                _ -> RowJson.of(part, 0));
    }

    /// The caller adds the position of the row: in a part of one row it is always the first.
    private static MillraceException alone(MillraceException failure) {
        return new MillraceException(
                failure.culprit(), failure.getMessage().replace(", in row 0 of the block", ""), failure.getCause());
    }

    private void requireTolerable(MillraceException e) {
        if (errors.policy().isFail() || !FaultKind.of(e, false).isTolerable()) {
            throw UserCode.located(place, context.position(), e);
        }
    }
}
