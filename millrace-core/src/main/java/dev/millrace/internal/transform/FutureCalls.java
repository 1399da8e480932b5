package dev.millrace.internal.transform;

import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.block.Block;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.function.AsyncBatchFunction;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.memory.MemoryTurn;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletionStage;

/// Calls of an asynchronous function: a number of them is in flight at once, fewer when memory is short. Results are
/// emitted in the order of the input, by the task's thread, so nothing is started while the steps that follow are busy.
///
/// Futures are never cancelled: a cancelled future is complete at once, while the function may still use its batch, whose
/// memory would be reused. When results are not wanted any more, the calls in flight are waited for, as a function is
/// that has not returned; only their waits for memory end.
final class FutureCalls extends BatchCalls {
    private final AsyncBatchFunction function;
    private final int mostInFlight;
    private final MemoryTurn task = MemoryTurn.ofThread();
    private final ArrayDeque<FutureCall> inFlight = new ArrayDeque<>();

    FutureCalls(
            String name,
            AsyncBatchFunction function,
            int mostInFlight,
            int batchSize,
            ErrorPolicy onError,
            boolean isDivisible,
            StepContext context) {
        super(name, batchSize, onError, isDivisible, context);
        this.function = function;
        this.mostInFlight = mostInFlight;
    }

    @Override
    void call(Input input, ChunkSink out) throws Exception {
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(input.block());
            running.check();
            while (isFull() || !inFlight.isEmpty() && inFlight.getFirst().isDone()) {
                settle(inFlight.removeFirst(), out);
            }
            if (!out.wantsMore()) {
                return;
            }
            scope.keep();
        }
        inFlight.addLast(start(input));
    }

    private boolean isFull() {
        return inFlight.size() >= mostInFlight
                || !inFlight.isEmpty() && context.allocator().isTight();
    }

    @Override
    void callAgain(Input part, ChunkSink out) throws Exception {
        requireRunning(part.block());
        settle(start(part), out);
    }

    @Override
    void finish(ChunkSink out) throws Exception {
        while (!inFlight.isEmpty() && out.wantsMore()) {
            settle(inFlight.removeFirst(), out);
        }
        super.finish(out);
    }

    /// Calls the function with a block, which this owns from here. A function that throws is a future that has failed.
    private FutureCall start(Input input) {
        count();
        long rows = input.rows();
        Input kept = new Input(keptOf(input.block()), input.where(), input.first());
        MemoryTurn turn = task == null ? null : task.ofCall(mostAtOnce(rows));
        Allocator account = turn == null ? context.allocator() : context.allocator().onBehalfOf(turn);
        BatchScope scope = new BatchScope(name, account, "its future was completed");
        FutureCall call = new FutureCall(name, kept, rows, scope, task, turn);
        Batch batch = scope.adopt(input.block());
        long began = meter.begin();
        try {
            MemoryTurn.atMostAtOnce(mostAtOnce(rows));
            CompletionStage<Batch> future = function.apply(batch);
            if (future == null) {
                throw MillraceException.user("It returned null instead of a future. Return a CompletionStage, e.g."
                        + " CompletableFuture.supplyAsync(...).");
            }
            call.follow(future);
        } catch (Throwable e) {
            call.complete(null, e);
        } finally {
            MemoryTurn.atMostAtOnce(Long.MAX_VALUE);
            meter.suspend(began);
        }
        return call;
    }

    private void settle(FutureCall call, ChunkSink out) throws Exception {
        settle(call.kept(), call.rows(), () -> List.of(result(call)), out);
    }

    private Block result(FutureCall call) {
        String where = call.kept().where();
        try (call) {
            await(call);
            if (call.hasYielded()) {
                throw task.yields();
            }
            Throwable failure = call.failure();
            if (failure != null) {
                throw UserCode.failed(name, where, failure);
            }
            Batch returned = call.result();
            check(returned, where);
            try {
                return call.scope().toBlock(returned);
            } catch (MemoryRefused e) {
                throw UserCode.failed(name, where, e);
            }
        }
    }

    private void await(FutureCall call) {
        long began = meter.begin();
        boolean interrupted = false;
        try {
            while (!call.await()) {
                interrupted |= Thread.interrupted();
                running.check();
            }
            running.check();
        } catch (RuntimeException e) {
            call.giveUp();
            inFlight.forEach(FutureCall::giveUp);
            throw e;
        } finally {
            meter.end(began, call.rows());
            if (interrupted) {
                // Not for this wait: restored for the code that it was meant for.
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        inFlight.forEach(FutureCall::giveUp);
        while (!inFlight.isEmpty()) {
            FutureCall call = inFlight.removeFirst();
            try (Block _ = call.kept().block()) {
                call.close();
            }
        }
    }
}
