package dev.millrace.internal.exchange;

import dev.millrace.type.Schema;

/// Shards whose rows are narrow; see [NarrowRows].
///
/// @param rows the schema of the original rows
/// @param bytes of the original rows
public record NarrowShards(MapShards shards, Schema rows, long bytes) implements MapShards {}
