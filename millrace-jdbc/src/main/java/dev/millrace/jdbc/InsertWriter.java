package dev.millrace.jdbc;

import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.sink.Fragment;
import dev.millrace.sink.SinkWriter;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Inserts the rows of one attempt, in one transaction.
final class InsertWriter implements SinkWriter {
    private final Connections connections;
    private final TableJob job;
    private final String attempt;
    private final int batch;
    /// Held until the end, even if a later step fails.
    private @Nullable OpenConnection open;
    /// Null before the first rows.
    private @Nullable RowInsert insert;
    private long rows;
    private int waiting;

    public InsertWriter(Connections connections, TableJob job, String attempt, int batch) {
        this.connections = connections;
        this.job = job;
        this.attempt = attempt;
        this.batch = batch;
    }

    private record RowInsert(Connection connection, PreparedStatement statement, Schema schema) {}

    private RowInsert begin(Schema columns) throws SQLException {
        OpenConnection opened = DatabaseAccess.open(connections);
        open = opened;
        Connection connection = opened.connection();
        connection.setAutoCommit(false);
        List<String> names = new ArrayList<>();
        for (Field field : columns.fields()) {
            names.add(DatabaseAccess.quote(connection, field.name()));
        }
        if (!job.direct()) {
            names.add(TableJob.ATTEMPT);
        }
        PreparedStatement statement =
                connection.prepareStatement("INSERT INTO " + job.staging() + " (" + String.join(", ", names)
                        + ") VALUES (" + String.join(", ", Collections.nCopies(names.size(), "?")) + ")");
        return new RowInsert(connection, statement, columns);
    }

    @Override
    public void write(Block chunk) {
        try {
            RowInsert begun = insert;
            if (begun == null) {
                SqlValues.check(chunk.schema());
                begun = begin(chunk.schema());
                insert = begun;
            }
            List<String> names = begun.schema().names();
            if (!chunk.schema().names().equals(names)) {
                throw MillraceException.data("The columns changed within a task from " + names + " to "
                        + chunk.schema().names() + ". Select the columns before the write.");
            }
            insert(begun.statement(), chunk);
        } catch (SQLException e) {
            throw DatabaseAccess.failed("Rows could not be inserted into '" + job.table() + "'", e);
        }
    }

    private void insert(PreparedStatement statement, Block chunk) throws SQLException {
        int width = chunk.schema().size();
        int[] codes = chunk.schema().fields().stream().mapToInt(SqlValues::code).toArray();
        for (long row = 0; row < chunk.rows(); row++) {
            for (int i = 0; i < width; i++) {
                SqlValues.bind(statement, i + 1, chunk.column(i).value(row), codes[i]);
            }
            if (!job.direct()) {
                statement.setString(width + 1, attempt);
            }
            statement.addBatch();
            rows++;
            if (++waiting == batch) {
                send(statement);
            }
        }
    }

    private void send(PreparedStatement statement) throws SQLException {
        if (waiting > 0) {
            waiting = 0;
            TaskCancellation.ofThread().check();
            statement.executeBatch();
        }
    }

    @Override
    public Fragment finish() {
        RowInsert begun = insert;
        if (begun == null) {
            return new Fragment(List.of());
        }
        boolean asked = false;
        try {
            send(begun.statement());
            asked = true;
            begun.connection().commit();
        } catch (SQLException e) {
            if (asked && job.direct() && !DatabaseAccess.isRefusal(e)) {
                throw unknown(e);
            }
            throw DatabaseAccess.failed("Rows could not be inserted into '" + job.table() + "'", e);
        }
        return new Fragment(List.of(TableJob.written(attempt, begun.schema().names(), rows)));
    }

    /// Without a staging table there is nothing to look up, and inserting the rows again could duplicate them. The
    /// cause is copied into a plain SQLException, because a transient one would make the task be retried.
    private MillraceException unknown(SQLException e) {
        return new MillraceException(
                Culprit.RESOURCES,
                "Nobody knows whether " + rows + " rows were inserted into '" + job.table() + "': the database did not"
                        + " answer to the commit of a task (" + e.getMessage() + "). Look into the table before writing"
                        + " again. A write without direct() finds out by itself.",
                new SQLException(e.getMessage(), e.getSQLState(), e.getErrorCode()));
    }

    /// The database rolls back what was not committed.
    @Override
    public void close() throws SQLException {
        try (OpenConnection closed = open;
                PreparedStatement alsoClosed = insert == null ? null : insert.statement()) {
            if (closed != null && alsoClosed != null && !closed.connection().isClosed()) {
                closed.connection().rollback();
            }
        }
    }
}
