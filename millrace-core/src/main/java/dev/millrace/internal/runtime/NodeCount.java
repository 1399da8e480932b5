package dev.millrace.internal.runtime;

import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// How many nodes run the tasks and actors of a session, for functions that divide something among them: a limit of
/// requests. A worker says it to the threads that start its functions; in one process it is 1.
///
/// @param before what the thread had
public record NodeCount(@Nullable IntSupplier before) implements AutoCloseable {
    private static final ThreadLocal<@Nullable IntSupplier> CURRENT = new ThreadLocal<>();

    /// That of the session for which this thread works now. It may be asked later, by any thread, and follows nodes
    /// that join and are lost.
    public static IntSupplier current() {
        IntSupplier nodes = CURRENT.get();
        return nodes == null ? () -> 1 : nodes;
    }

    /// Sets it for this thread until the scope is closed by it.
    ///
    /// @param nodes thread-safe
    public static NodeCount enter(IntSupplier nodes) {
        NodeCount scope = new NodeCount(CURRENT.get());
        CURRENT.set(nodes);
        return scope;
    }

    @Override
    public void close() {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }
}
