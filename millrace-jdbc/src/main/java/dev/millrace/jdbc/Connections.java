package dev.millrace.jdbc;

import java.io.Serializable;
import java.sql.Connection;
import java.sql.SQLException;

/// Opens connections to one database; each task opens, and closes, its own.
@FunctionalInterface
public interface Connections extends Serializable {
    /// Opens a new connection, which the caller closes. Called by all tasks, concurrently.
    Connection open() throws SQLException;
}
