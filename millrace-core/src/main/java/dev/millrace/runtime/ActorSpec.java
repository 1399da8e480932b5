package dev.millrace.runtime;

import dev.millrace.compute.Resources;

/// One actor for a runtime.
///
/// @param concurrency calls it runs at once
public record ActorSpec(long id, String operator, ActorProgram program, Resources resources, int concurrency) {}
