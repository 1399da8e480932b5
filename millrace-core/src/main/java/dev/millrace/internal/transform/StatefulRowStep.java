package dev.millrace.internal.transform;

import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.function.RowFlatFunction;
import dev.millrace.function.RowFunction;
import dev.millrace.function.RowPredicate;
import java.util.List;

/// A row function that an actor creates once.
record StatefulRowStep(String name, RowOperation.Stateful operation, ErrorPolicy onError) implements StatefulStep {
    @Override
    public Object createState() throws Exception {
        Object state = operation.factory().create();
        Class<?> wanted = switch (operation.kind()) {
            case MAP -> RowFunction.class;
            case FILTER -> RowPredicate.class;
            case FLAT_MAP -> RowFlatFunction.class;
        };
        if (state != null && !wanted.isInstance(state)) {
            throw MillraceException.user(name + ": its factory returned a "
                    + state.getClass().getName() + ", which is no " + wanted.getSimpleName() + ".");
        }
        return state;
    }

    @Override
    public ChunkTransform open(StepContext context) {
        RowOperation running = switch (operation.kind()) {
            case MAP -> new RowOperation.Map((RowFunction) context.requireState());
            case FILTER -> new RowOperation.Filter((RowPredicate) context.requireState());
            case FLAT_MAP -> new RowOperation.FlatMap((RowFlatFunction) context.requireState());
        };
        return new RowStep(List.of(new RowStep.Named(name, running, onError))).open(context);
    }
}
