package dev.millrace.internal.transform;

import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.fault.FaultKind;
import dev.millrace.type.Schema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Cuts the input into batches, calls the user's function with each, checks what comes back. A batch within one chunk
/// shares its memory; one that spans chunks is a copy.
final class BatchTransform implements Transform {
    private static final long AUTO_BYTES = 16L << 20;

    private final String name;
    private final BatchFunction function;
    private final StepContext context;
    private final ArrayDeque<Block> pending = new ArrayDeque<>();
    private long pendingRows;
    /// Rows per batch; 0: whatever comes. Of AUTO it is known with the first rows.
    private long size;
    private boolean auto;
    /// Where the first pending row lies in the input, as far as it is known.
    private String origin = "";
    private long firstRow;
    private long batches;
    private final TaskErrors.Operation errors;
    /// The columns of the latest batch that did not fail, and rows of nulls that wait for the first one; null policies
    /// only.
    private Schema learned;

    private long nullsBefore;

    BatchTransform(
            String name, BatchFunction function, int batchSize, ErrorPolicy onError, StepContext context) {
        this.errors = context.errors().of(name, onError);
        this.name = name;
        this.function = function;
        this.context = context;
        this.auto = batchSize == Compute.AUTO;
        this.size = Math.max(0, batchSize);
    }

    @Override
    public void accept(Block chunk, ChunkSink out) throws Exception {
        if (chunk.rows() == 0) {
            // The function is not called without rows; what it would return is not known.
            chunk.close();
            return;
        }
        if (auto) {
            auto = false;
            size = Math.max(1, (long) (AUTO_BYTES / Math.max(1.0, (double) chunk.sizeBytes() / chunk.rows())));
        }
        InputPosition position = context.position();
        boolean exact = chunk.rows() == position.rows();
        if (pending.isEmpty() || !position.origin().equals(origin)) {
            origin = position.origin();
            firstRow = position.firstRow();
        }
        if (size == 0) {
            call(chunk, position.toString(), exact ? position.firstRow() : DeadLetters.UNKNOWN_ROW, out);
            return;
        }
        pending.addLast(chunk);
        pendingRows += chunk.rows();
        while (pendingRows >= size && out.wantsMore()) {
            call(
                    take(size),
                    exact ? position.range(firstRow, size) : position.toString(),
                    exact ? firstRow : DeadLetters.UNKNOWN_ROW,
                    out);
            firstRow += size;
        }
    }

    @Override
    public void finish(ChunkSink out) throws Exception {
        if (pendingRows > 0 && out.wantsMore()) {
            long rows = pendingRows;
            call(take(rows), context.position().toString(), DeadLetters.UNKNOWN_ROW, out);
        }
        if (nullsBefore > 0) {
            throw MillraceException.user(name + " failed on all of the " + nullsBefore + " rows of "
                    + context.position().origin() + ", so the columns that its policy, nulls, should fill are not known."
                    + " Use the policy skip. The first: " + errors.firstCause());
        }
    }

    /// The first `rows` pending rows as one block.
    private Block take(long rows) {
        List<Block> pieces = new ArrayList<>();
        try {
            long missing = rows;
            while (missing > 0) {
                Block first = pending.removeFirst();
                if (first.rows() <= missing) {
                    pieces.add(first);
                    missing -= first.rows();
                } else {
                    try (first) {
                        pieces.add(first.slice(0, missing));
                        pending.addFirst(first.slice(missing, first.rows() - missing));
                    }
                    missing = 0;
                }
            }
            pendingRows -= rows;
            return pieces.size() == 1 ? pieces.getFirst().retain() : Blocks.concatenate(context.allocator(), pieces);
        } finally {
            pieces.forEach(Block::close);
        }
    }

    /// Calls the function with a block, and sends what it returns, or what its policy makes of the failure.
    private void call(Block block, String where, long first, ChunkSink out) throws Exception {
        ErrorPolicy policy = errors.policy();
        long rows = block.rows();
        errors.called(rows);
        if (policy.isFail()) {
            out.emit(result(block, where));
            return;
        }
        Block result = null;
        Block kept = policy.action() == ErrorPolicy.Action.DEAD_LETTER ? block.retain() : null;
        try {
            result = result(block, where);
        } catch (MillraceException e) {
            // Those of the function are told with the place already: the policy wants what it threw.
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (!FaultKind.of(e, false).isTolerable()) {
                throw e;
            }
            errors.failed(
                    cause, where, context.position().origin(), first, rows, row -> RowJson.of(kept, row));
        } finally {
            if (kept != null) {
                kept.close();
            }
        }
        if (policy.action() == ErrorPolicy.Action.NULLS) {
            nullsBefore += result == null ? rows : 0;
            learned = result == null ? learned : result.schema();
            if (learned == null) {
                return;
            }
            emitNulls(result, out);
        }
        if (result != null) {
            out.emit(result);
        }
    }

    private void emitNulls(Block result, ChunkSink out) throws Exception {
        if (nullsBefore == 0) {
            return;
        }
        try (Block none = Block.of(Schema.empty(), List.of(), nullsBefore)) {
            nullsBefore = 0;
            out.emit(Blocks.widen(context.allocator(), none, learned));
        } catch (Throwable e) {
            if (result != null) {
                result.close();
            }
            throw e;
        }
    }

    /// Calls the function with a block, which ends with the call.
    private Block result(Block block, String where) {
        batches++;
        Block result;
        try (BatchScope scope = new BatchScope(name, context.allocator())) {
            Batch batch = scope.adopt(block);
            long started = System.nanoTime();
            Batch returned;
            try {
                returned = function.apply(batch);
            } catch (Throwable e) {
                throw UserCode.failed(name, where, e);
            } finally {
                context.counters().addUdfNanos(System.nanoTime() - started);
            }
            check(returned, where);
            result = scope.toBlock(returned);
        }
        return result;
    }

    private void check(Batch returned, String where) {
        if (returned == null) {
            throw MillraceException.user(name + " returned null (batch " + batches + ", " + where
                    + "). Return a batch; one without rows is batch.slice(0, 0).");
        }
        String first = returned.columns().isEmpty() ? null : returned.columns().getFirst();
        for (String column : returned.columns()) {
            long length = returned.lengthOf(column);
            if (length != returned.rows()) {
                throw MillraceException.user(name + " returned " + returned.rows() + " rows in column '" + first
                        + "' and " + length + " in '" + column + "' (batch " + batches + ", " + where
                        + "). Return columns of equal length.");
            }
        }
    }

    @Override
    public void close() {
        pending.forEach(Block::close);
        pending.clear();
    }
}
