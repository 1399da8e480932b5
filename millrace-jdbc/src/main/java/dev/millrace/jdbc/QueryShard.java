package dev.millrace.jdbc;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One part of a query.
///
/// @param condition with a `?` for each value; null for all rows
record QueryShard(@Nullable String condition, List<Object> values, String description) implements Serializable {
    public static final QueryShard ALL = new QueryShard(null, List.of(), "");
}
