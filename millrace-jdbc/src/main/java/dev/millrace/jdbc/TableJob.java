package dev.millrace.jdbc;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.FailureChain;
import dev.millrace.internal.wording.SecretText;
import dev.millrace.sink.Fragment;
import dev.millrace.sink.WriteMode;
import dev.millrace.sink.WrittenFile;
import dev.millrace.type.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One write to a table, as the driver sees it.
///
/// @param direct true to write without a staging table
record TableJob(Connections connections, String table, String id, boolean direct) {
    private static final System.Logger LOG = System.getLogger(TableJob.class.getName());
    static final String ATTEMPT = "millrace_attempt";
    /// Separates the parts of a fragment's path: the attempt, then the columns.
    private static final String SEPARATOR = "\u001f";
    /// The maximum number of attempts in one statement, because databases limit its parameters.
    private static final int ATTEMPTS_AT_ONCE = 500;

    /// The name of the staging table, into which tasks insert.
    String staging() {
        if (direct) {
            return table;
        }
        int dot = table.lastIndexOf('.');
        return table.substring(0, dot + 1) + "millrace_" + id.replace('-', '_');
    }

    static WrittenFile written(String attempt, List<String> columns, long rows) {
        return new WrittenFile(attempt + SEPARATOR + String.join(SEPARATOR, columns), rows, 0);
    }

    public OpenConnection open() {
        return DatabaseAccess.open(connections);
    }

    /// @return false if there is nothing to do
    public boolean start(Connection connection, WriteMode mode, @Nullable Schema created) {
        try (Statement statement = connection.createStatement()) {
            boolean there = isThere(connection);
            if (!there && created == null) {
                throw MillraceException.user(
                        "There is no table '" + table
                                + "', or it may not be read. Make it, or let the write do so: createIfMissing(dataset.schema()).");
            }
            if (!there && created != null) {
                SqlValues.check(created);
                statement.execute(SqlValues.create(connection, table, created));
            }
            boolean occupied = there && (mode == WriteMode.IGNORE || mode == WriteMode.ERROR) && hasRows(statement);
            if (occupied && mode == WriteMode.IGNORE) {
                return false;
            }
            if (occupied) {
                throw MillraceException.user("The table '" + table + "' has rows already, and the write mode is error."
                        + " Write to another table, or append or overwrite.");
            }
            if (!direct) {
                statement.execute("CREATE TABLE " + staging() + " AS SELECT * FROM " + table + " WHERE 1 = 0");
                statement.execute("ALTER TABLE " + staging() + " ADD COLUMN " + ATTEMPT + " VARCHAR(64)");
            }
            return true;
        } catch (SQLException e) {
            throw DatabaseAccess.failed("'" + table + "' could not be prepared for the write", e);
        }
    }

    private boolean isThere(Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet _ = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    private boolean hasRows(Statement statement) throws SQLException {
        statement.setMaxRows(1);
        try (ResultSet rows = statement.executeQuery("SELECT 1 FROM " + table)) {
            return rows.next();
        } finally {
            statement.setMaxRows(0);
        }
    }

    /// Moves the rows of these attempts to the table, all or none.
    ///
    /// @return an error if the outcome is unknown: then the staging table must be kept
    /// @throws MillraceException if the commit failed and the table is unchanged
    public Optional<MillraceException> commit(List<Fragment> fragments, boolean overwrite) {
        if (direct) {
            return Optional.empty();
        }
        Map<List<String>, List<String>> attempts = new LinkedHashMap<>();
        WrittenFile smallest = null;
        for (Fragment fragment : fragments) {
            for (WrittenFile file : fragment.files()) {
                List<String> parts = List.of(file.path().split(SEPARATOR, -1));
                attempts.computeIfAbsent(parts.subList(1, parts.size()), _ -> new ArrayList<>())
                        .add(parts.getFirst());
                smallest = file.rows() > 0 && (smallest == null || file.rows() < smallest.rows()) ? file : smallest;
            }
        }
        String marker = smallest == null ? null : smallest.path().split(SEPARATOR, 2)[0];
        boolean asked = false;
        boolean answered = false;
        try (OpenConnection open = DatabaseAccess.open(connections)) {
            Connection connection = open.connection();
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                if (overwrite) {
                    statement.executeUpdate("DELETE FROM " + table);
                }
                for (Map.Entry<List<String>, List<String>> group : attempts.entrySet()) {
                    move(connection, group.getKey(), group.getValue());
                }
                if (marker != null) {
                    unmark(connection, marker);
                }
                asked = true;
                connection.commit();
                answered = true;
            } catch (SQLException e) {
                rollback(connection, e);
                throw e;
            }
        } catch (SQLException e) {
            if (!answered) {
                Outcome outcome = asked ? outcome(marker, e) : Outcome.NOT_COMMITTED;
                switch (outcome) {
                    case COMMITTED ->
                        LOG.log(System.Logger.Level.WARNING, "the answer to a commit was lost", SecretText.hide(e));
                    case NOT_COMMITTED ->
                        throw DatabaseAccess.failed(
                                "The rows could not be moved to '" + table + "'; it is as it was", e);
                    case UNKNOWN -> {
                        return Optional.of(unknown(marker, fragments, e));
                    }
                }
            }
        }
        abort();
        return Optional.empty();
    }

    private enum Outcome {
        COMMITTED,
        NOT_COMMITTED,
        UNKNOWN
    }

    private static void rollback(Connection connection, SQLException cause) {
        try {
            connection.rollback();
        } catch (SQLException second) {
            FailureChain.add(cause, second);
        }
    }

    /// Deletes the rows of one attempt from the staging table, in the transaction that moves all rows: if they are
    /// gone, that transaction was committed.
    private int unmark(Connection connection, String marker) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("DELETE FROM " + staging() + " WHERE " + ATTEMPT + " = ?")) {
            statement.setString(1, marker);
            return statement.executeUpdate();
        }
    }

    /// The outcome of a commit that got no response. Deleting the marker waits for a transaction that has deleted it
    /// and has not ended yet, so the answer is final.
    private Outcome outcome(@Nullable String marker, SQLException failure) {
        if (marker != null) {
            try (OpenConnection open = DatabaseAccess.open(connections)) {
                open.connection().setAutoCommit(false);
                int left = unmark(open.connection(), marker);
                open.connection().rollback();
                return left == 0 ? Outcome.COMMITTED : Outcome.NOT_COMMITTED;
            } catch (SQLException | MillraceException e) {
                FailureChain.add(failure, e);
            }
        }
        return DatabaseAccess.isRefusal(failure) ? Outcome.NOT_COMMITTED : Outcome.UNKNOWN;
    }

    private MillraceException unknown(@Nullable String marker, List<Fragment> fragments, SQLException e) {
        long rows = fragments.stream().mapToLong(Fragment::rows).sum();
        String look = marker == null
                ? " Count the rows of '" + table
                        + "' before writing again; if it has none, it was. Then drop the table " + staging() + "."
                : " Look before writing again: if SELECT COUNT(*) FROM " + staging() + " WHERE " + ATTEMPT + " = '"
                        + marker + "' gives 0, the " + rows + " rows are in '" + table
                        + "', otherwise they are not. Then drop the table " + staging() + ", which stays until then.";
        return new MillraceException(
                Culprit.RESOURCES,
                "Nobody knows whether the write to '" + table + "' was committed: the database did not answer to the"
                        + " commit (" + e.getMessage() + ")." + look,
                e);
    }

    private void move(Connection connection, List<String> columns, List<String> attempts) throws SQLException {
        List<String> quoted = new ArrayList<>();
        for (String column : columns) {
            quoted.add(DatabaseAccess.quote(connection, column));
        }
        String names = String.join(", ", quoted);
        for (int from = 0; from < attempts.size(); from += ATTEMPTS_AT_ONCE) {
            List<String> some = attempts.subList(from, Math.min(attempts.size(), from + ATTEMPTS_AT_ONCE));
            String marks = String.join(", ", Collections.nCopies(some.size(), "?"));
            try (PreparedStatement statement = connection.prepareStatement("INSERT INTO " + table + " (" + names
                    + ") SELECT " + names + " FROM " + staging() + " WHERE " + ATTEMPT + " IN (" + marks + ")")) {
                for (int i = 0; i < some.size(); i++) {
                    statement.setString(i + 1, some.get(i));
                }
                statement.executeUpdate();
            }
        }
    }

    /// Drops the staging table. If it cannot be dropped, that is only logged: the rows are written.
    public void abort() {
        if (direct) {
            return;
        }
        try (OpenConnection open = DatabaseAccess.open(connections);
                Statement statement = open.connection().createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + staging());
        } catch (SQLException | MillraceException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the table " + staging() + " could not be dropped",
                    SecretText.hide(e));
        }
    }
}
