package dev.millrace.compute;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/// The resources of an actor: a model chooses its threads and its device from it. A factory calls it while it creates
/// its object, on the calling thread:
///
/// ```java
/// int threads = ActorContext.current().map(actor -> (int) actor.resources().cpus()).orElse(1);
/// ```
///
/// @param operator the operator's name for errors, e.g. "mapBatches(OnnxModel)"
/// @param resources as requested by its [Compute]
/// @param gpus the numbers of this actor's devices, one for each GPU or fraction of one; empty if the operator requests
///     none
public record ActorContext(String operator, Resources resources, List<Integer> gpus) {
    private static final ScopedValue<ActorContext> CURRENT = ScopedValue.newInstance();

    public ActorContext {
        gpus = List.copyOf(gpus);
    }

    /// The context of the actor that this thread is starting; empty outside a factory called by an actor.
    public static Optional<ActorContext> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }

    /// Calls with this as the current one. For runtimes and tests.
    public <T> T call(Callable<T> start) throws Exception {
        return ScopedValue.where(CURRENT, this).call(start::call);
    }
}
