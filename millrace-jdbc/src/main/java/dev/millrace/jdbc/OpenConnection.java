package dev.millrace.jdbc;

import dev.millrace.internal.buffer.ResourceScope;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// A connection that tasks beside this one do not get in the way of.
///
/// A database within this process (DuckDB) ends with its last connection, and one that is opened at this moment finds
/// its file in use by what is ending. So no connection is opened while one of such a database is closed.
final class OpenConnection implements AutoCloseable {
    private static final String WITHIN_THIS_PROCESS = "jdbc:duckdb:";
    /// Read: connections are opened. Write: one is closed whose database may end with it.
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

    /// True if the database lives in this process, and no longer than its connections.
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
