package dev.millrace.jdbc;

import java.io.Serializable;
import java.util.List;

/// One part of a query.
///
/// @param condition with a `?` for each value; null: all rows
record Shard(String condition, List<Object> values, String description) implements Serializable {
    public static final Shard ALL = new Shard(null, List.of(), "");
}
