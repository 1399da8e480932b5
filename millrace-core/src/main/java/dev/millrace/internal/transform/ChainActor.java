package dev.millrace.internal.transform;

import dev.millrace.compute.ActorContext;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.FailureChain;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.TaskContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The state of an actor that runs a chain: the user's objects, one per stateful step, created in order and closed in
/// reverse.
public record ChainActor(ChainSpec chain) implements ActorProgram {
    /// The objects of one actor.
    record States(List<Object> objects) {}

    /// The objects that the actor of this task created; empty for a plain task.
    static List<Object> states(TaskContext context) {
        return context.actorState() instanceof States(List<Object> objects) ? objects : List.of();
    }

    @Override
    public Object start(ActorContext context) throws Exception {
        return context.call(this::makeStates);
    }

    private States makeStates() throws Exception {
        List<Object> made = new ArrayList<>();
        for (TransformStep step : chain.steps()) {
            if (step instanceof StatefulStep stateful) {
                try {
                    Object state = stateful.createState();
                    if (state == null) {
                        throw MillraceException.user(step.name() + ": its factory returned null. Return an object.");
                    }
                    made.add(state);
                } catch (Throwable e) {
                    closeAll(made, e);
                    throw e instanceof MillraceException known
                            ? known
                            : UserCode.failure(step.name() + " did not start", e);
                }
            }
        }
        return new States(List.copyOf(made));
    }

    @Override
    public void stop(Object state) throws Exception {
        Throwable failure = closeAll(((States) state).objects(), null);
        if (failure != null) {
            throw UserCode.failure(chain.operator() + " did not close", failure);
        }
    }

    /// Closes all closeable objects, in reverse order; returns the first failure.
    private static @Nullable Throwable closeAll(List<Object> objects, @Nullable Throwable first) {
        Throwable failure = first;
        for (Object object : objects.reversed()) {
            if (object instanceof AutoCloseable closeable) {
                try {
                    closeable.close();
                } catch (Throwable e) {
                    failure = FailureChain.add(failure, e);
                }
            }
        }
        return failure;
    }
}
