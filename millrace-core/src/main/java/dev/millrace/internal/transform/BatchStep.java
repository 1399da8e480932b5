package dev.millrace.internal.transform;

import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import java.util.List;

/// A user's function over batches.
public record BatchStep(String name, BatchOperation operation, BatchCut cut, ErrorPolicy onError)
        implements TransformStep {
    /// The step of a function over batches, or of one that an actor creates.
    ///
    /// @param batchSize as in [BatchCut.Rows], or null for the whole block
    public static TransformStep of(String name, BatchOperation operation, Integer batchSize, ErrorPolicy onError) {
        int size = batchSize == null ? Compute.WHOLE_BLOCK : batchSize;
        return of(new BatchStep(name, operation, new BatchCut.Rows(size), onError));
    }

    /// The step of a function over the groups of equal keys.
    public static TransformStep ofGroups(
            String name, BatchOperation operation, List<String> keys, ErrorPolicy onError) {
        return of(new BatchStep(name, operation, new BatchCut.Groups(keys), onError));
    }

    private static TransformStep of(BatchStep step) {
        return step.operation.isStateful() ? new StatefulBatchStep(step) : step;
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
            case BatchOperation.Stateful _ ->
                throw MillraceException.internal(name + " runs without its actor's state");
        };
    }
}
