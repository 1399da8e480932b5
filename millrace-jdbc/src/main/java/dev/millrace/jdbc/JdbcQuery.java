package dev.millrace.jdbc;

import dev.millrace.error.MillraceException;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The rows of a query. They are streamed over one connection unless the query is split by [#shard] or [#shardBy]: then
/// each part is a query of its own on a connection of its own, and sees what is committed when it begins. Projection
/// pushdown: columns that are not used are left out of the query.
///
/// ```java
/// session.read(Jdbc.connect("jdbc:postgresql://host/db", "me", secret)
///         .query("SELECT id, text FROM documents WHERE lang = 'en'")
///         .shard("id", 16))
/// ```
public final class JdbcQuery implements Source {
    private static final long serialVersionUID = 1L;
    static final int DEFAULT_FETCH = 10_000;

    private final Connections connections;
    private final String database;
    private final String sql;
    private final @Nullable ShardPlan shards;
    private final int fetch;
    private final @Nullable List<String> wanted;
    /// Fetched from the database on first use.
    private @Nullable Schema schema;

    JdbcQuery(Connections connections, String database, String sql, @Nullable ShardPlan shards, int fetch) {
        this(
                new ConfidentialConnections(connections, database),
                database,
                DatabaseAccess.requireQuery(sql),
                shards,
                fetch,
                null,
                null);
    }

    private JdbcQuery(
            Connections connections,
            String database,
            String sql,
            @Nullable ShardPlan shards,
            int fetch,
            @Nullable List<String> wanted,
            @Nullable Schema schema) {
        this.connections = connections;
        this.database = database;
        this.sql = sql;
        this.shards = shards;
        this.fetch = fetch;
        this.wanted = wanted;
        this.schema = schema;
    }

    /// Splits the query into ranges of one of its columns: a number, a date or a timestamp. An index on the column
    /// helps. Rows with a null are in the last part.
    public JdbcQuery shard(String column, int parts) {
        return new JdbcQuery(connections, database, sql, ShardPlan.ranges(column, parts), fetch, wanted, schema);
    }

    /// Splits the query by the remainder of an integer expression in the database's own SQL: `hashtext(name)` in
    /// PostgreSQL, `hash(name)` in DuckDB. Every part scans the whole table.
    public JdbcQuery shardBy(String expression, int parts) {
        return new JdbcQuery(
                connections, database, sql, ShardPlan.remainders(expression, parts), fetch, wanted, schema);
    }

    /// The number of rows that the driver fetches at a time.
    public JdbcQuery fetchSize(int rows) {
        if (rows < 1) {
            throw MillraceException.user("The fetch size must be at least 1, not " + rows + ".");
        }
        return new JdbcQuery(connections, database, sql, shards, rows, wanted, schema);
    }

    @Override
    public String name() {
        return "Jdbc(" + database + (shards == null ? "" : ", " + shards) + ")";
    }

    private synchronized Schema all() {
        Schema known = schema;
        if (known == null) {
            known = QueryColumns.schema(connections, sql);
            schema = known;
            if (shards != null) {
                shards.check(known, sql);
            }
        }
        return known;
    }

    @Override
    public Optional<Schema> schema() {
        Schema all = all();
        return Optional.of(
                wanted == null
                        ? all
                        : Schema.of(wanted.stream()
                                .map(name -> all.field(all.require(name, "query")))
                                .toList()));
    }

    @Override
    public Optional<Source> project(List<String> columns) {
        return columns.isEmpty()
                ? Optional.empty()
                : Optional.of(new JdbcQuery(connections, database, sql, shards, fetch, List.copyOf(columns), all()));
    }

    /// Without an order the database may return the rows of a repeated query in a different order.
    @Override
    public boolean isRepeatable() {
        return shards != null;
    }

    @Override
    public Iterator<Split> splits(SplitRequest request) {
        Schema columns = schema().orElseThrow();
        List<QueryShard> parts = shards == null ? List.of(QueryShard.ALL) : shards.cut(connections, sql, all());
        return parts.stream()
                .<Split>map(part -> new QuerySplit(connections, database, sql, part, wanted != null, columns, fetch))
                .iterator();
    }
}
