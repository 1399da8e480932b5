package dev.millrace.runtime;

import dev.millrace.compute.Resources;

/// The description of one actor for a runtime.
///
/// @param concurrency the number of calls it runs at once
public record ActorSpec(long id, String operator, ActorProgram program, Resources resources, int concurrency) {}
