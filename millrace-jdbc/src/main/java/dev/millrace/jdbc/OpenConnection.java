package dev.millrace.jdbc;

import dev.millrace.internal.buffer.ResourceScope;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// A connection that is safe to open and close while other tasks do the same.
///
/// An in-process database (DuckDB) is closed with its last connection, and a connection that is opened at that moment
/// finds the database file still in use. So no connection is opened while a connection to such a database is being
/// closed.
final class OpenConnection implements AutoCloseable {
    private static final String WITHIN_THIS_PROCESS = "jdbc:duckdb:";
    /// Read lock: connections are opened. Write lock: a connection is closed, possibly together with its database.
    private static final ReadWriteLock OPENING = new ReentrantReadWriteLock();

    private final Connection connection;
    private final boolean within;

    private OpenConnection(Connection connection, boolean within) {
        this.connection = connection;
        this.within = within;
    }

    static OpenConnection of(Connections connections) throws SQLException {
        OPENING.readLock().lock();
        try (ResourceScope scope = new ResourceScope()) {
            Connection connection = scope.add(connections.open());
            return scope.keep(new OpenConnection(connection, isWithin(connection)));
        } finally {
            OPENING.readLock().unlock();
        }
    }

    private static boolean isWithin(Connection connection) throws SQLException {
        DatabaseMetaData about = connection.getMetaData();
        String url = about == null ? null : about.getURL();
        return url != null && url.startsWith(WITHIN_THIS_PROCESS);
    }

    /// True if the database runs in this process and is closed with its last connection.
    public boolean isWithinThisProcess() {
        return within;
    }

    public Connection connection() {
        return connection;
    }

    @Override
    public void close() throws SQLException {
        if (!within) {
            connection.close();
            return;
        }
        OPENING.writeLock().lock();
        try {
            connection.close();
        } finally {
            OPENING.writeLock().unlock();
        }
    }
}
