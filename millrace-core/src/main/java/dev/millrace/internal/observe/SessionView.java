package dev.millrace.internal.observe;

import dev.millrace.compute.Resources;
import dev.millrace.stats.SpillStats;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What a session as a whole knows of itself. Thread-safe; every method is cheap.
public interface SessionView {
    /// The runtime's name.
    String runtime();

    /// All resources, and those in use.
    Resources total();

    Resources used();

    /// Block memory: the limit, and what is held of it in this process.
    long memoryLimit();

    long memoryHeld();

    SpillStats spill();

    /// CPU time used so far, where it is known.
    OptionalLong cpuNanos();

    List<NodeView> nodes();

    /// One node.
    ///
    /// @param name null: the only one
    record NodeView(@Nullable String name, Resources total, Resources used, long blockMemory) {}
}
