package dev.millrace.internal.transform;

import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.function.BatchFunction;

/// A user's function over batches.
///
/// @param batchSize rows, or `Compute.WHOLE_BLOCK` (each input block; inside a fused chain what would be a block if the
///     steps before it had a task of their own), or `Compute.AUTO` (16 MiB by the first block's bytes per row)
public record BatchStep(String name, BatchFunction function, int batchSize, ErrorPolicy onError)
        implements TransformStep {
    /// The step of a function over batches, or of one that an actor creates.
    ///
    /// @param batchSize as above, or null for the whole block
    public static TransformStep of(String name, BatchOperation operation, Integer batchSize, ErrorPolicy onError) {
        int size = batchSize == null ? Compute.WHOLE_BLOCK : batchSize;
        return switch (operation) {
            case BatchOperation.Function function -> new BatchStep(name, function.function(), size, onError);
            case BatchOperation.Stateful stateful -> new StatefulBatchStep(name, stateful.factory(), size, onError);
        };
    }

    @Override
    public boolean takesWholeBlocks() {
        return true;
    }

    @Override
    public ChunkTransform open(StepContext context) {
        return new BatchTransform(name, function, batchSize, onError, context);
    }
}
