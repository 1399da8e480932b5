package dev.millrace.internal.engine;

import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.Settings;
import java.util.function.Consumer;

/// What a session provides to a run.
///
/// @param capacity shared by all runs of the session
/// @param memory the session's account; the run opens a child of it
/// @param observer notified of a new run at its start (progress, dashboard)
public record ExecutionContext(
        Runtime runtime,
        CapacityShare capacity,
        Allocator memory,
        Settings settings,
        String name,
        Consumer<PlanRun> observer) {}
