package dev.millrace.compute;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/// What an actor has for itself: a model chooses its threads and its device by it. A factory asks for it while it makes
/// its object, on the thread that it is called on:
///
/// ```java
/// int threads = ActorContext.current().map(actor -> (int) actor.resources().cpus()).orElse(1);
/// ```
///
/// @param operator the operator's name for errors, e.g. "mapBatches(OnnxModel)"
/// @param resources what its [Compute] asks for
/// @param gpus the numbers of the devices that are this actor's, one for each GPU or part of one; empty where the
/// operator asks for none
public record ActorContext(String operator, Resources resources, List<Integer> gpus) {
    private static final ScopedValue<ActorContext> CURRENT = ScopedValue.newInstance();

    public ActorContext {
        gpus = List.copyOf(gpus);
    }

    /// Of the actor that is being started by this thread; empty outside of a factory that an actor calls.
    public static Optional<ActorContext> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }

    /// Calls with this as the current one. For runtimes and tests.
    public <T> T call(Callable<T> start) throws Exception {
        return ScopedValue.where(CURRENT, this).call(start::call);
    }
}
