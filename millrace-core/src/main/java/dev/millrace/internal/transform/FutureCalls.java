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
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// Calls of an asynchronous function: a number of them is in flight at once, fewer when memory is short. Results are
/// emitted in the order of the input, by the task's thread, so nothing is started while the steps that follow are busy.
///
/// Futures are never cancelled: a cancelled future is complete at once, while the function may still use its batch,
/// whose memory would be reused. When results are not wanted any more, the calls in flight are waited for, as a
/// function is that has not returned; only their waits for memory end.
final class FutureCalls extends BatchCalls {
    private final AsyncBatchFunction function;
    private final int mostInFlight;
    private final @Nullable MemoryTurn task = MemoryTurn.ofThread();
    private final ArrayDeque<FutureCall> inFlight = new ArrayDeque<>();
    private long started;
    /// The number of the call whose result is emitted: calls with parts of its rows have it too.
    private long settling;

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
        inFlight.addLast(start(input, kept(input), ++started));
    }

    /// The input once more: besides for errors, for results that are dropped.
    private static Input kept(Input input) {
        return new Input(input.block().retain(), input.where(), input.first());
    }

    private boolean isFull() {
        return inFlight.size() >= mostInFlight
                || !inFlight.isEmpty() && context.allocator().isTight();
    }

    @Override
    void callAgain(Input part, ChunkSink out) throws Exception {
        requireRunning(part.block());
        settle(start(part, kept(part), settling), out);
    }

    @Override
    void finish(ChunkSink out) throws Exception {
        while (!inFlight.isEmpty() && out.wantsMore()) {
            settle(inFlight.removeFirst(), out);
        }
        super.finish(out);
    }

    /// Calls the function with a block, which this owns from here. A function that throws is a future that has failed.
    private FutureCall start(Input input, Input kept, long number) {
        count();
        long rows = input.rows();
        MemoryTurn turn = task == null ? null : task.ofCall(number, mostAtOnce(rows));
        Allocator account =
                turn == null ? context.allocator() : context.allocator().onBehalfOf(turn);
        BatchScope scope = new BatchScope(name, account, "its future was completed");
        FutureCall call = new FutureCall(name, kept, number, scope, task, turn);
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
        settling = call.number();
        settle(call.kept().kept(), call.kept().rows(), () -> List.of(result(call)), out);
    }

    /// The result of the first call, which is made again if it was dropped.
    private Block result(FutureCall first) {
        FutureCall call = first;
        Block result = resultOf(call);
        while (result == null) {
            call = start(kept(call.kept()), call.kept(), call.number());
            result = resultOf(call);
        }
        return result;
    }

    /// Null if it was dropped.
    private @Nullable Block resultOf(FutureCall call) {
        String where = call.kept().where();
        try (call) {
            await(call);
            if (call.hasYieldedAsFirst()) {
                throw Objects.requireNonNull(task, "a task was asked to make room")
                        .yields();
            }
            if (!call.take()) {
                return null;
            }
            Throwable failure = call.failure();
            if (failure != null) {
                throw UserCode.failed(name, where, failure);
            }
            Batch returned = call.result();
            check(returned, where);
            try {
                // Under the bound of the call: a batch that the function has not made of its input is copied here.
                MemoryTurn.atMostAtOnce(mostAtOnce(call.kept().rows()));
                return call.scope().toBlock(Objects.requireNonNull(returned, "it was checked"));
            } catch (MemoryRefused e) {
                throw UserCode.failed(name, where, e);
            } finally {
                MemoryTurn.atMostAtOnce(Long.MAX_VALUE);
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
            meter.end(began, call.kept().rows());
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
