package dev.millrace;

import dev.millrace.compute.Resources;

/// The resources of a session, and what of them is free now.
///
/// @param total,free CPUs, GPUs, memory beside blocks, custom resources
/// @param blockBytes,freeBlockBytes block memory: of the workers, where they have one of their own, and there what open
///     runs have not taken
public record SessionResources(Resources total, Resources free, long blockBytes, long freeBlockBytes) {}
