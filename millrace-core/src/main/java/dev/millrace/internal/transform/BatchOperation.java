package dev.millrace.internal.transform;

import dev.millrace.error.MillraceException;
import dev.millrace.function.AsyncBatchFunction;
import dev.millrace.function.BatchFlatFunction;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Factory;
import java.io.Serializable;

/// A user's function over batches.
public sealed interface BatchOperation extends Serializable {
    /// What the user passed: a function, or the factory of one.
    Serializable function();

    /// True if an actor creates the function.
    default boolean isStateful() {
        return this instanceof Stateful;
    }

    /// One batch in, one out.
    record Function(BatchFunction function) implements BatchOperation {}

    /// One batch in, any number out.
    record Emitting(BatchFlatFunction function) implements BatchOperation {}

    /// One batch in, a future of one out.
    record Asynchronous(AsyncBatchFunction function) implements BatchOperation {}

    /// A class instantiated once per actor.
    record Stateful(Kind kind, Factory<?> function) implements BatchOperation {
        /// What the factory creates.
        public enum Kind {
            MAP(BatchFunction.class),
            FLAT_MAP(BatchFlatFunction.class),
            ASYNC(AsyncBatchFunction.class);

            private final Class<?> type;

            Kind(Class<?> type) {
                this.type = type;
            }
        }

        public Stateful(Factory<? extends BatchFunction> factory) {
            this(Kind.MAP, factory);
        }

        /// @param name for the error
        Object create(String name) throws Exception {
            Object state = function.create();
            if (state != null && !kind.type.isInstance(state)) {
                throw MillraceException.user(name + ": its factory returned a "
                        + state.getClass().getName() + ", which is no " + kind.type.getSimpleName() + ".");
            }
            return state;
        }

        /// The operation that calls what the actor created.
        BatchOperation running(Object state) {
            return switch (kind) {
                case MAP -> new Function((BatchFunction) state);
                case FLAT_MAP -> new Emitting((BatchFlatFunction) state);
                case ASYNC -> new Asynchronous((AsyncBatchFunction) state);
            };
        }
    }
}
