package dev.millrace.internal.transform;

import dev.millrace.error.MillraceException;

/// A batch function that an actor creates once, e.g. a loaded model.
///
/// @param step its operation is a [BatchOperation.Stateful]
record StatefulBatchStep(BatchStep step) implements StatefulStep {
    private BatchOperation.Stateful operation() {
        return (BatchOperation.Stateful) step.operation();
    }

    @Override
    public String name() {
        return step.name();
    }

    @Override
    public Object createState() throws Exception {
        return operation().create(name());
    }

    @Override
    public boolean takesWholeBlocks() {
        return step.takesWholeBlocks();
    }

    @Override
    public ChunkTransform open(StepContext context) {
        if (context.state() == null) {
            throw MillraceException.internal(name() + " runs without its actor's state");
        }
        return step.open(operation().running(context.state()), context);
    }
}
