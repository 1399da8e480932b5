package dev.millrace.internal.exchange;

/// The output of one map task, as the engine sees it.
///
/// @param shards what the task reported; null if blocks are taken unchanged
public record MapOutput(long rows, long bytes, MapShards shards) {}
