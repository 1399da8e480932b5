package dev.millrace.runtime;

import dev.millrace.compute.Resources;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Gets more nodes for a runtime whose cluster can grow. Thread-safe.
public interface NodeSupply {
    /// Asks for a node that has this much, and waits until it has joined: at once if there is one, within ten seconds
    /// if none can come, and for minutes while a machine is being started.
    ///
    /// @return why there is none, as a part of a sentence; empty if there is one
    Optional<String> obtain(Resources need);

    /// Lets it see what waits for resources: for as long as something does, it asks for more nodes. `waiting` is called
    /// at any time, from any thread; it must be cheap, and empty when nothing waits.
    void watch(Supplier<List<Resources>> waiting);
}
