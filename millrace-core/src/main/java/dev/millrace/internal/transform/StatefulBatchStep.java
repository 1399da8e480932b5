package dev.millrace.internal.transform;

import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Factory;

/// A batch function that an actor creates once, e.g. a loaded model.
///
/// @param batchSize as for [BatchStep]
record StatefulBatchStep(String name, Factory<? extends BatchFunction> factory, int batchSize, ErrorPolicy onError)
        implements StatefulStep {
    @Override
    public Object createState() throws Exception {
        return factory.create();
    }

    @Override
    public boolean takesWholeBlocks() {
        return true;
    }

    @Override
    public ChunkTransform open(StepContext context) {
        if (!(context.state() instanceof BatchFunction function)) {
            throw MillraceException.internal(name + " runs without its actor's state");
        }
        return new BatchTransform(name, function, batchSize, onError, context);
    }
}
