package dev.millrace.jdbc;

import dev.millrace.source.ReadContext;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.type.Schema;

/// One part of a query, read on its own connection.
///
/// @param projected whether the columns are a subset of the query's
record QuerySplit(
        Connections connections,
        String database,
        String sql,
        QueryShard shard,
        boolean projected,
        Schema columns,
        int fetch)
        implements Split {
    @Override
    public String description() {
        return database + (shard.condition() == null ? "" : ", " + shard.description());
    }

    @Override
    public SplitReader open(ReadContext context) {
        return new QueryReader(this, context);
    }
}
