package dev.millrace.jdbc;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.List;

/// Helpers shared by reading from and writing to databases.
final class DatabaseAccess {
    /// Classes of SQLSTATE that are transient: connections, transaction conflicts, resources, operator intervention.
    private static final List<String> PASSING = List.of("08", "40", "53", "57");
    /// Classes of SQLSTATE with which a database rejects a statement: bad data, violated constraints, a rolled-back
    /// transaction.
    private static final List<String> REFUSING = List.of("22", "23", "25", "27", "40", "42", "44");
    /// An alias that is unlikely to occur in a query.
    static final String ALIAS = "millrace_rows";

    private DatabaseAccess() {}

    public static String requireQuery(String sql) {
        String trimmed = sql.strip();
        while (trimmed.endsWith(";")) {
            trimmed = trimmed.substring(0, trimmed.length() - 1).strip();
        }
        if (trimmed.isEmpty()) {
            throw MillraceException.user("The query is empty.");
        }
        return trimmed;
    }

    static OpenConnection open(Connections connections) {
        try {
            return OpenConnection.of(connections);
        } catch (SQLException e) {
            boolean driverless = e.getMessage() != null && e.getMessage().contains("No suitable driver");
            if (isPassing(e) && !driverless) {
                throw passing("The database could not be reached", e);
            }
            String hint = driverless ? ". Add the database's JDBC driver to the class path." : "";
            throw new MillraceException(Culprit.USER, "The database could not be reached: " + e.getMessage() + hint, e);
        }
    }

    /// The failure of a statement: transient ones are retried, all others are errors in the SQL or its data.
    static MillraceException failed(String what, SQLException e) {
        return isPassing(e) ? passing(what, e) : new MillraceException(Culprit.USER, what + ": " + messages(e), e);
    }

    /// Drivers keep the cause of a batch's failure in the next exception.
    private static String messages(SQLException e) {
        SQLException next = e.getNextException();
        return next == null || next.equals(e)
                ? String.valueOf(e.getMessage())
                : e.getMessage() + "; " + next.getMessage();
    }

    private static MillraceException passing(String what, SQLException e) {
        return new MillraceException(Culprit.RESOURCES, what + ": " + messages(e), new IOException(e.getMessage(), e));
    }

    private static boolean isPassing(SQLException e) {
        if (e instanceof SQLNonTransientConnectionException) {
            return e.getSQLState() != null && e.getSQLState().startsWith("08");
        }
        return e instanceof SQLTransientException
                || e instanceof SQLRecoverableException
                || e.getSQLState() != null && PASSING.stream().anyMatch(e.getSQLState()::startsWith);
    }

    /// True if the database has confirmed that the statement had no effect. A broken connection confirms nothing.
    static boolean isRefusal(SQLException e) {
        String state = e.getSQLState();
        return state != null && !state.equals("40003") && REFUSING.stream().anyMatch(state::startsWith);
    }

    /// `name` as a quoted identifier in the dialect of the database.
    static String quote(Connection connection, String name) throws SQLException {
        String mark = connection.getMetaData().getIdentifierQuoteString();
        if (mark == null || mark.isBlank()) {
            return name;
        }
        return mark + name.replace(mark, mark + mark) + mark;
    }
}
