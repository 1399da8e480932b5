package dev.millrace.jdbc;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.source.ReadContext;
import dev.millrace.source.SplitReader;
import dev.millrace.type.Field;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads the rows of one part of a query as the database delivers them.
final class QueryReader implements SplitReader {
    private static final int CHECKED_EVERY = 256;

    private final QuerySplit split;
    private final ReadContext context;
    private final List<CellReader> cells;
    /// Held until the end, even if a later step fails.
    private @Nullable OpenConnection open;
    private @Nullable PreparedStatement statement;
    private @Nullable ResultSet rows;
    private long read;
    private boolean ended;

    QueryReader(QuerySplit split, ReadContext context) {
        this.split = split;
        this.context = context;
        this.cells = split.columns().fields().stream().map(CellReader::of).toList();
    }

    private ResultSet begin() throws SQLException {
        OpenConnection opened = DatabaseAccess.open(split.connections());
        open = opened;
        Connection connection = opened.connection();
        // PostgreSQL fetches a result in parts only inside a transaction.
        connection.setAutoCommit(false);
        PreparedStatement query =
                connection.prepareStatement(text(connection), ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
        statement = query;
        query.setFetchSize(split.fetch());
        int at = 1;
        for (Object value : split.shard().values()) {
            ShardPlan.bind(query, at++, value);
        }
        return query.executeQuery();
    }

    private String text(Connection connection) throws SQLException {
        if (!split.projected() && split.shard().condition() == null) {
            return split.sql();
        }
        List<String> names = new ArrayList<>();
        for (Field field : split.columns().fields()) {
            names.add(DatabaseAccess.quote(connection, field.name()));
        }
        String condition = split.shard().condition();
        return "SELECT " + names.stream().collect(Collectors.joining(", ")) + " FROM (" + split.sql() + ") "
                + DatabaseAccess.ALIAS + (condition == null ? "" : " WHERE " + condition);
    }

    @Override
    public @Nullable Block next() {
        if (ended) {
            return null;
        }
        List<ColumnBuilder> builders = new ArrayList<>();
        try {
            ResultSet result = rows;
            if (result == null) {
                result = begin();
                rows = result;
            }
            for (Field field : split.columns().fields()) {
                builders.add(ColumnBuilder.of(context.allocator(), field.type(), 0));
            }
            long count = fill(result, builders);
            if (count == 0 && read > 0) {
                return null;
            }
            read += count;
            List<Column> columns = builders.stream().map(ColumnBuilder::build).toList();
            return Block.of(split.columns(), columns, count);
        } catch (SQLException e) {
            throw DatabaseAccess.failed("The query '" + split.sql() + "' failed after " + read + " rows", e);
        } finally {
            builders.forEach(ColumnBuilder::close);
        }
    }

    private long fill(ResultSet result, List<ColumnBuilder> builders) throws SQLException {
        long count = 0;
        while (result.next()) {
            for (int i = 0; i < builders.size(); i++) {
                append(result, builders.get(i), i);
            }
            count++;
            if (count % CHECKED_EVERY == 0
                    && builders.stream().mapToLong(ColumnBuilder::sizeBytes).sum() >= context.chunkBytes()) {
                return count;
            }
        }
        result.close();
        ended = true;
        return count;
    }

    private void append(ResultSet row, ColumnBuilder builder, int i) throws SQLException {
        try {
            cells.get(i).append(row, i + 1, builder);
        } catch (MillraceException | ArithmeticException | ClassCastException e) {
            throw new MillraceException(
                    Culprit.DATA,
                    "The value " + row.getString(i + 1) + " of the column '"
                            + split.columns().field(i).name() + "' does not fit "
                            + split.columns().field(i).type() + ". Cast it in the query.",
                    e);
        }
    }

    @Override
    public void close() throws SQLException {
        ended = true;
        try (OpenConnection closed = open;
                PreparedStatement alsoClosed = statement) {
            if (closed != null && alsoClosed != null && !closed.connection().isClosed()) {
                closed.connection().rollback();
            }
        }
    }
}
