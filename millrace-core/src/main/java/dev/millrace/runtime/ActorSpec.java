package dev.millrace.runtime;

import dev.millrace.compute.Resources;
import org.jspecify.annotations.Nullable;

/// The description of one actor for a runtime.
///
/// @param concurrency the number of calls it runs at once
/// @param node where it runs; null: the runtime chooses
public record ActorSpec(
        long id,
        String operator,
        ActorProgram program,
        Resources resources,
        int concurrency,
        @Nullable String node) {
    /// An actor that may run anywhere.
    public ActorSpec(long id, String operator, ActorProgram program, Resources resources, int concurrency) {
        this(id, operator, program, resources, concurrency, null);
    }
}
