package dev.millrace.internal.transform;

import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.block.BlockShaper;
import dev.millrace.internal.fault.FaultKind;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.memory.MemoryTurn;
import dev.millrace.type.Schema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Cuts the input into batches, calls the user's function with each, and checks the result. A batch within one chunk
/// shares its memory; one that spans chunks is a copy. Whole blocks are assembled by the rules of
/// [BlockShaper].
///
/// Batches have the requested size, unless their results are larger than the task's share of memory: then they get
/// smaller ([BatchFit]), down to one row. A batch that is refused memory is retried in halves.
final class BatchTransform implements ChunkTransform {
    private static final long AUTO_BYTES = 16L << 20;

    private final String name;
    private final BatchFunction function;
    private final StepContext context;
    private final ArrayDeque<Block> pending = new ArrayDeque<>();
    private long pendingRows;
    /// The approximate number of bytes of the pending rows.
    private double pendingBytes;
    /// Rows per batch; 0: whole blocks. For AUTO it is computed from the first rows.
    private long size;
    private boolean auto;
    /// Whether whole blocks have to be assembled from chunks.
    private final boolean joinsBlocks;
    /// The position of the first pending row in the input, as far as it is known.
    private String origin = "";
    private long firstRow;
    private long batches;
    private final TaskErrors.Operation errors;
    private final FunctionMeter meter;
    private final TaskCancellation running = TaskCancellation.ofThread();
    /// The columns of the latest batch that did not fail, and rows of nulls that wait for the first one; only for
    /// policies that write nulls.
    private Schema learned;

    private long nullsBefore;

    BatchTransform(String name, BatchFunction function, int batchSize, ErrorPolicy onError, StepContext context) {
        this.errors = context.errors().of(name, onError);
        this.meter = context.counters().meter(name, batchSize);
        this.name = name;
        this.function = function;
        this.context = context;
        this.auto = batchSize == Compute.AUTO;
        this.size = Math.max(0, batchSize);
        this.joinsBlocks = batchSize == Compute.WHOLE_BLOCK && !context.getsBlocks();
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
            long bytes = Math.min(AUTO_BYTES, context.batches().shareBytes());
            size = Math.max(1, (long) (bytes / Math.max(1.0, (double) chunk.sizeBytes() / chunk.rows())));
        }
        InputPosition position = context.position();
        boolean exact = chunk.rows() == position.rows();
        if (pending.isEmpty()) {
            origin = position.origin();
            firstRow = position.firstRow();
        }
        boolean together = position.origin().equals(origin) && position.firstRow() == firstRow + pendingRows;
        if (batchRows() == 0) {
            call(chunk, position.toString(), exact ? position.firstRow() : DeadLetters.UNKNOWN_ROW, out);
            return;
        }
        pending.addLast(chunk);
        pendingRows += chunk.rows();
        pendingBytes += chunk.sizeBytes();
        shrinkWhatIsCollected();
        while (pendingRows >= batchRows() && out.wantsMore()) {
            Block batch = take(batchRows());
            if (!exact || pendingRows >= position.rows()) {
                // There was no memory for so many rows, or their origin is unknown.
                call(batch, position.toString(), DeadLetters.UNKNOWN_ROW, out);
                continue;
            }
            long behind = position.firstRow() + position.rows() - pendingRows;
            if (together) {
                call(batch, position.range(firstRow, batch.rows()), firstRow, out);
            } else {
                String both = origin + ", row " + firstRow + " to " + position.range(behind - 1, 1);
                call(batch, both, DeadLetters.UNKNOWN_ROW, out);
            }
            together = true;
            origin = position.origin();
            firstRow = behind;
        }
    }

    /// More rows than a batch may request at once could not be concatenated. If they were collected all the same, they
    /// would take the memory that the previous steps need to produce the rest.
    private void shrinkWhatIsCollected() {
        if (pendingBytes > context.batches().mostAtOnce()
                && pendingRows < batchRows()
                && context.batches().made(name, pendingRows, (long) pendingBytes)) {
            context.counters().addShrunk();
        }
    }

    /// Rows of the next batch; 0: each chunk as it arrives. More than are pending while a whole block is incomplete.
    private long batchRows() {
        long most = context.batches().rows(name);
        long wanted = joinsBlocks
                ? BlockShaper.rowsOfBlock(
                        pendingRows,
                        pendingBytes,
                        context.targetBytes(),
                        context.allocator().isTight())
                : size;
        return most == Long.MAX_VALUE ? wanted : wanted == 0 ? most : Math.min(wanted, most);
    }

    @Override
    public void finish(ChunkSink out) throws Exception {
        while (pendingRows > 0 && out.wantsMore()) {
            long rows = batchRows() == 0 ? pendingRows : Math.min(pendingRows, batchRows());
            call(take(rows), context.position().toString(), DeadLetters.UNKNOWN_ROW, out);
        }
        if (nullsBefore > 0) {
            throw MillraceException.user(name + " failed on all of the " + nullsBefore + " rows of "
                    + context.position().origin()
                    + ", so the columns that its policy, nulls, should fill are not known."
                    + " Use the policy skip. The first: " + errors.firstCause());
        }
    }

    /// The first `rows` pending rows as one block; fewer, if there is no memory to concatenate so many.
    private Block take(long rows) {
        long wanted = rows;
        while (true) {
            List<Block> pieces = removeFirst(wanted);
            try {
                Block batch = pieces.size() == 1
                        ? pieces.getFirst().retain()
                        : Blocks.concatenate(context.allocator(), pieces);
                pendingBytes -= pendingBytes * wanted / pendingRows;
                pendingRows -= wanted;
                return batch;
            } catch (MemoryRefused e) {
                if (pieces.size() == 1) {
                    throw e;
                }
                pieces.reversed().forEach(piece -> pending.addFirst(piece.retain()));
            } finally {
                pieces.forEach(Block::close);
            }
            context.batches().refused(name, wanted);
            context.counters().addShrunk();
            wanted /= 2;
        }
    }

    private List<Block> removeFirst(long rows) {
        List<Block> pieces = new ArrayList<>();
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
        return pieces;
    }

    /// Calls the function with a block, and emits its result, or what its policy makes of the failure.
    private void call(Block block, String where, long first, ChunkSink out) throws Exception {
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(block);
            running.check();
            scope.keep();
        }
        ErrorPolicy policy = errors.policy();
        long rows = block.rows();
        Block kept = rows > 1 || policy.action() == ErrorPolicy.Action.DEAD_LETTER ? block.retain() : null;
        Block result = null;
        boolean tooLarge = false;
        try {
            result = result(block, where);
            errors.called(rows);
        } catch (RuntimeException e) {
            tooLarge = rows > 1 && MemoryRefused.isIn(e);
            if (!tooLarge) {
                errors.called(rows);
                tolerate(e, where, first, rows, kept);
            }
        } finally {
            if (kept != null && !tooLarge) {
                kept.close();
            }
        }
        if (tooLarge) {
            inHalves(kept, where, first, out);
            return;
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
            if (context.batches().made(name, rows, result.sizeBytes())) {
                context.counters().addShrunk();
            }
            out.emit(result);
        }
    }

    /// Throws the failure unless the policy tolerates it.
    private void tolerate(RuntimeException e, String where, long first, long rows, Block kept) {
        if (errors.policy().isFail()
                || !(e instanceof MillraceException)
                || !FaultKind.of(e, false).isTolerable()) {
            throw e;
        }
        // Errors of the function are already worded with their place: the policy needs the original exception.
        Throwable cause = e.getCause() == null ? e : e.getCause();
        errors.failed(cause, where, context.position().origin(), first, rows, row -> RowJson.of(kept, row));
    }

    private void inHalves(Block block, String where, long first, ChunkSink out) throws Exception {
        context.batches().refused(name, block.rows());
        context.counters().addShrunk();
        try (block) {
            long half = block.rows() / 2;
            long second = first == DeadLetters.UNKNOWN_ROW ? first : first + half;
            call(block.slice(0, half), where, first, out);
            call(block.slice(half, block.rows() - half), where, second, out);
        }
    }

    private void emitNulls(Block result, ChunkSink out) throws Exception {
        if (nullsBefore == 0) {
            return;
        }
        try (ResourceScope scope = new ResourceScope();
                Block none = Block.of(Schema.empty(), List.of(), nullsBefore)) {
            scope.add(result);
            nullsBefore = 0;
            out.emit(Blocks.widen(context.allocator(), none, learned));
            scope.keep();
        }
    }

    /// Calls the function with a block, which is closed with the call.
    private Block result(Block block, String where) {
        long began = System.nanoTime();
        long inFunction = meter.nanos();
        try (BatchScope scope = new BatchScope(name, context.allocator())) {
            return apply(scope, scope.adopt(block), where);
        } finally {
            meter.addOverhead(System.nanoTime() - began - (meter.nanos() - inFunction));
        }
    }

    private Block apply(BatchScope scope, Batch batch, String where) {
        batches++;
        Batch returned;
        long rows = batch.rows();
        long began = meter.begin();
        try {
            MemoryTurn.atMostAtOnce(batch.rows() > 1 ? context.batches().mostAtOnce() : Long.MAX_VALUE);
            returned = function.apply(batch);
        } catch (Throwable e) {
            throw UserCode.failed(name, where, e);
        } finally {
            MemoryTurn.atMostAtOnce(Long.MAX_VALUE);
            meter.end(began, rows);
        }
        check(returned, where);
        try {
            return scope.toBlock(returned);
        } catch (MemoryRefused e) {
            throw UserCode.failed(name, where, e);
        }
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
