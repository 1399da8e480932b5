package dev.millrace.internal.exchange;

/// What one map task gave, as the engine sees it.
///
/// @param shards what the task told; null where blocks are taken as they are
public record MapOutput(long rows, long bytes, MapShards shards) {}
