package dev.millrace;

import dev.millrace.compute.Resources;

/// What a session has, and what of it is free now.
///
/// @param total,free CPUs, GPUs, memory beside blocks, custom resources
/// @param blockBytes,freeBlockBytes block memory
public record SessionResources(Resources total, Resources free, long blockBytes, long freeBlockBytes) {}
