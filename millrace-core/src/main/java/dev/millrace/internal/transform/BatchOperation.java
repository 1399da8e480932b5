package dev.millrace.internal.transform;

import dev.millrace.function.BatchFunction;
import dev.millrace.function.Factory;
import java.io.Serializable;

/// A user's function over batches.
public sealed interface BatchOperation extends Serializable {
    record Function(BatchFunction function) implements BatchOperation {}

    /// A class instantiated once per actor.
    record Stateful(Factory<? extends BatchFunction> factory) implements BatchOperation {}
}
