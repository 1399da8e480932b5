package dev.millrace.internal.transform;

import dev.millrace.batch.Batch;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.fault.FaultKind;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Calls a user's function with batches, in one task: checks what it returns, and does what its error policy says if it
/// fails. A batch that is refused memory is called again in halves, if it may be divided. One thread.
abstract sealed class BatchCalls implements AutoCloseable permits EmittingCalls, FutureCalls, SingleCalls {
    final String name;
    final StepContext context;
    final TaskErrors.Operation errors;
    final FunctionMeter meter;
    final TaskCancellation running = TaskCancellation.ofThread();
    private final boolean isDivisible;
    private long batches;
    /// The columns of the latest batch that did not fail, and rows of nulls that wait for the first one; only for
    /// policies that write nulls.
    private @Nullable Schema learned;

    private long nullsBefore;

    /// @param batchSize as in [dev.millrace.runtime.FunctionUse]
    /// @param isDivisible false if the rows of a batch belong together
    BatchCalls(String name, int batchSize, ErrorPolicy onError, boolean isDivisible, StepContext context) {
        this.name = name;
        this.context = context;
        this.errors = context.errors().of(name, onError);
        this.meter = context.counters().meter(name, batchSize);
        this.isDivisible = isDivisible;
    }

    String name() {
        return name;
    }

    /// The input of one call.
    ///
    /// @param where its rows come from, for errors
    /// @param first number of its first row in the origin, or [DeadLetters#UNKNOWN_ROW]
    record Input(Block block, String where, long first) {
        long rows() {
            return block.rows();
        }

        Kept kept() {
            return new Kept(block, where, first);
        }

        /// Some of its rows, which the caller closes.
        Input slice(long from, long count) {
            return new Input(block.slice(from, count), where, first == DeadLetters.UNKNOWN_ROW ? first : first + from);
        }
    }

    /// Calls the function with a block, which this owns from here, and emits its result, or what its policy makes of
    /// the failure.
    abstract void call(Input input, ChunkSink out) throws Exception;

    /// The input has ended.
    void finish(ChunkSink out) throws Exception {
        if (nullsBefore > 0) {
            throw MillraceException.user(name + " failed on all of the " + nullsBefore + " rows of "
                    + context.position().origin()
                    + ", so the columns that its policy, nulls, should fill are not known."
                    + " Use the policy skip. The first: " + errors.firstCause());
        }
    }

    @Override
    public void close() {}

    /// Closes the block if the task is cancelled.
    void requireRunning(Block block) {
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(block);
            running.check();
            scope.keep();
        }
    }

    /// The input of a call once more, for the case that the call fails.
    ///
    /// @param block null if its rows are not needed
    record Kept(@Nullable Block block, String where, long first) {
        Block requireBlock() {
            return Objects.requireNonNull(block, "rows that are needed again are kept");
        }
    }

    Kept keptOf(Input input) {
        boolean isNeeded = input.rows() > 1 || errors.policy().action() == ErrorPolicy.Action.DEAD_LETTER;
        return new Kept(isNeeded ? input.block().retain() : null, input.where(), input.first());
    }

    /// The largest single memory request of a call with this many rows.
    long mostAtOnce(long rows) {
        return isDivisible && rows > 1 ? context.batches().mostAtOnce() : Long.MAX_VALUE;
    }

    /// What a call does.
    interface Work {
        /// The results, in order; the caller owns them.
        List<Block> results() throws Exception;

        /// False if rows of it were handed on already.
        default boolean mayRunAgain() {
            return true;
        }
    }

    /// Does the work of a call, and emits its results, or what the policy makes of the failure.
    ///
    /// @param kept its input as [#keptOf] gave it, which this closes
    void settle(Kept kept, long rows, Work work, ChunkSink out) throws Exception {
        List<Block> results = null;
        boolean tooLarge = false;
        try {
            results = work.results();
            errors.called(rows);
        } catch (RuntimeException e) {
            tooLarge = isDivisible && rows > 1 && work.mayRunAgain() && MemoryRefused.isIn(e);
            if (!tooLarge) {
                errors.called(rows);
                tolerate(e, kept, rows);
            }
        } finally {
            if (kept.block() != null && !tooLarge) {
                kept.block().close();
            }
        }
        if (tooLarge) {
            inHalves(new Input(kept.requireBlock(), kept.where(), kept.first()), out);
        } else {
            emit(results, rows, out);
        }
    }

    /// Throws the failure unless the policy tolerates it.
    ///
    /// @param input with its rows, if the policy keeps them
    private void tolerate(RuntimeException e, Kept input, long rows) {
        if (errors.policy().isFail()
                || !(e instanceof MillraceException)
                || !FaultKind.of(e, false).isTolerable()) {
            throw e;
        }
        // Errors of the function are already worded with their place: the policy needs the original exception.
        Throwable cause = e.getCause() == null ? e : e.getCause();
        errors.failed(
                cause,
                input.where(),
                context.position().origin(),
                input.first(),
                rows,
                row -> RowJson.of(input.requireBlock(), row));
    }

    /// Calls the function with each half of the rows, and closes the input.
    private void inHalves(Input input, ChunkSink out) throws Exception {
        context.batches().refused(name, input.rows());
        context.counters().addShrunk();
        try (Block block = input.block()) {
            long half = block.rows() / 2;
            callAgain(input.slice(0, half), out);
            callAgain(input.slice(half, block.rows() - half), out);
        }
    }

    /// Calls with a part of the rows of a call that failed; what it makes is emitted before this returns.
    void callAgain(Input part, ChunkSink out) throws Exception {
        call(part, out);
    }

    /// Emits what a call of this many rows made.
    ///
    /// @param results in order; null if the call failed and the policy tolerates it
    private void emit(@Nullable List<Block> results, long rows, ChunkSink out) throws Exception {
        try (ResourceScope scope = new ResourceScope()) {
            if (results != null) {
                results.forEach(scope::add);
            }
            if (errors.policy().action() == ErrorPolicy.Action.NULLS) {
                nullsBefore += results == null ? rows : 0;
                learned = results == null || results.isEmpty()
                        ? learned
                        : results.getFirst().schema();
                if (learned != null) {
                    emitNulls(learned, out);
                }
            }
            scope.keep();
        }
        if (results != null) {
            shrinkBatches(rows, results.stream().mapToLong(Block::sizeBytes).sum());
            emitAll(results, out);
        }
    }

    private static void emitAll(List<Block> results, ChunkSink out) throws Exception {
        int next = 0;
        try {
            while (next < results.size()) {
                out.emit(results.get(next++));
            }
        } finally {
            results.subList(next, results.size()).forEach(Block::close);
        }
    }

    /// A call returned this many bytes: the following ones get fewer rows, if that is more than the task's share.
    private void shrinkBatches(long rows, long bytes) {
        if (isDivisible && context.batches().made(name, rows, bytes)) {
            context.counters().addShrunk();
        }
    }

    private void emitNulls(Schema columns, ChunkSink out) throws Exception {
        if (nullsBefore == 0) {
            return;
        }
        try (Block none = Block.of(Schema.empty(), List.of(), nullsBefore)) {
            nullsBefore = 0;
            out.emit(Blocks.widen(context.allocator(), none, columns));
        }
    }

    /// A call begins.
    void count() {
        batches++;
    }

    /// Throws what is wrong with a batch that the function made.
    void check(@Nullable Batch made, String where) {
        if (made == null) {
            throw MillraceException.user(name + " returned null (" + place(where)
                    + "). Return a batch; one without rows is batch.slice(0, 0).");
        }
        String first = made.columns().isEmpty() ? null : made.columns().getFirst();
        for (String column : made.columns()) {
            long length = made.lengthOf(column);
            if (length != made.rows()) {
                throw MillraceException.user(name + " returned " + made.rows() + " rows in column '" + first + "' and "
                        + length + " in '" + column + "' (" + place(where) + "). Return columns of equal length.");
            }
        }
    }

    /// "batch 3, part-3.parquet, rows 0-31"
    String place(String where) {
        return isDivisible ? "batch " + batches + ", " + where : where;
    }
}
