package dev.millrace.internal.python;

import dev.millrace.compute.ActorContext;
import dev.millrace.function.ExternalFunction;
import dev.millrace.function.Factory;
import dev.millrace.function.OutputSchema;
import dev.millrace.type.Schema;
import java.util.Optional;

/// Starts a worker process for an actor, on the machine where the actor is.
public record PythonFactory(PythonProgram program, ExternalFunction.Use use) implements Factory<Object>, OutputSchema {
    @Override
    public Object create() throws Exception {
        PythonWorker worker = PythonWorker.start(program, use, 0, ActorContext.current());
        return use == ExternalFunction.Use.FLAT_MAP_BATCHES
                ? new PythonStream(worker)
                : new PythonCalls(worker, use == ExternalFunction.Use.FILTER);
    }

    @Override
    public Optional<Schema> outputSchema(Schema input) {
        return use == ExternalFunction.Use.FILTER ? Optional.of(input) : Optional.ofNullable(program.output());
    }
}
