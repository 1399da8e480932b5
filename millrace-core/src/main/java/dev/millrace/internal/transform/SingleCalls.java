package dev.millrace.internal.transform;

import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.block.Block;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.function.BatchFunction;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.memory.MemoryTurn;
import java.util.List;

/// Calls of a function that returns one batch.
final class SingleCalls extends BatchCalls {
    private final BatchFunction function;

    SingleCalls(
            String name,
            BatchFunction function,
            int batchSize,
            ErrorPolicy onError,
            boolean isDivisible,
            StepContext context) {
        super(name, batchSize, onError, isDivisible, context);
        this.function = function;
    }

    @Override
    void call(Input input, ChunkSink out) throws Exception {
        requireRunning(input.block());
        long rows = input.rows();
        Kept kept = keptOf(input);
        settle(kept, rows, () -> List.of(result(input.block(), input.where())), out);
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
        count();
        long rows = batch.rows();
        try {
            MemoryTurn.atMostAtOnce(mostAtOnce(rows));
            Batch returned = called(batch, where);
            check(returned, where);
            // Under the same bound: a batch that the function has not made of its input is copied here.
            return scope.toBlock(returned);
        } catch (MemoryRefused e) {
            throw UserCode.failed(name, where, e);
        } finally {
            MemoryTurn.atMostAtOnce(Long.MAX_VALUE);
        }
    }

    private Batch called(Batch batch, String where) {
        long rows = batch.rows();
        long began = meter.begin();
        try {
            return function.apply(batch);
        } catch (Throwable e) {
            throw UserCode.failed(name, where, e);
        } finally {
            meter.end(began, rows);
        }
    }
}
