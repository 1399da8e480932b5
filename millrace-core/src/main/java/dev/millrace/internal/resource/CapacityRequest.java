package dev.millrace.internal.resource;

import dev.millrace.compute.Resources;
import org.jspecify.annotations.Nullable;

/// Something that a run was refused and waits for.
///
/// @param at the node that must have it, because an actor or a paused task is there; null: any
public record CapacityRequest(Resources amount, @Nullable NodeRoom at) {}
