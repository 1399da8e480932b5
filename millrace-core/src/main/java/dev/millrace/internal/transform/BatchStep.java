package dev.millrace.internal.transform;

import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import java.util.List;

/// A user's function over batches.
///
/// @param inFlight batches of an asynchronous function at once
public record BatchStep(String name, BatchOperation operation, BatchCut cut, ErrorPolicy onError, int inFlight)
        implements TransformStep {
    /// The step of a function over batches, or of one that an actor creates.
    public static TransformStep of(String name, BatchOperation operation, Compute compute) {
        int size = compute.batchSize() == null ? Compute.WHOLE_BLOCK : compute.batchSize();
        return of(name, operation, new BatchCut.Rows(size), compute);
    }

    /// The step of a function over the groups of equal keys.
    public static TransformStep ofGroups(String name, BatchOperation operation, List<String> keys, Compute compute) {
        return of(name, operation, new BatchCut.Groups(keys), compute);
    }

    private static TransformStep of(String name, BatchOperation operation, BatchCut cut, Compute compute) {
        int inFlight =
                compute.batchesInFlight() == null ? Compute.DEFAULT_BATCHES_IN_FLIGHT : compute.batchesInFlight();
        BatchStep step = new BatchStep(name, operation, cut, compute.onError(), inFlight);
        return operation.isStateful() ? new StatefulBatchStep(step) : step;
    }

    @Override
    public boolean takesWholeBlocks() {
        return true;
    }

    @Override
    public ChunkTransform open(StepContext context) {
        return open(operation, context);
    }

    /// @param running the operation with its object, if an actor creates it
    ChunkTransform open(BatchOperation running, StepContext context) {
        return switch (cut) {
            case BatchCut.Rows rows -> new BatchTransform(calls(running, rows.size(), context), rows.size(), context);
            case BatchCut.Groups groups ->
                new GroupTransform(calls(running, Compute.WHOLE_BLOCK, context), groups.keys(), context);
        };
    }

    private BatchCalls calls(BatchOperation running, int batchSize, StepContext context) {
        boolean isDivisible = cut instanceof BatchCut.Rows;
        return switch (running) {
            case BatchOperation.Function map ->
                new SingleCalls(name, map.function(), batchSize, onError, isDivisible, context);
            case BatchOperation.Emitting emitting ->
                new EmittingCalls(name, emitting.function(), batchSize, onError, isDivisible, context);
            case BatchOperation.Asynchronous asynchronous ->
                new FutureCalls(name, asynchronous.function(), inFlight, batchSize, onError, isDivisible, context);
            case BatchOperation.Stateful _ ->
                throw MillraceException.internal(name + " runs without its actor's state");
        };
    }
}
