package dev.millrace.internal.exchange;

import dev.millrace.type.Schema;

/// Shards whose rows travel narrow; see [NarrowRows].
///
/// @param rows what the rows are
/// @param bytes what they take as such
public record NarrowShards(MapShards shards, Schema rows, long bytes) implements MapShards {}
