package dev.millrace.jdbc;

import java.io.Serializable;
import java.sql.Connection;
import java.sql.SQLException;

/// Opens connections to one database; each task opens, and closes, its own.
@FunctionalInterface
public interface Connections extends Serializable {
    Connection open() throws SQLException;
}
