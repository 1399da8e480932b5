package dev.millrace.jdbc;

import dev.millrace.internal.serial.Confidential;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/// Connections that may hold a password.
///
/// @param database its address, without secrets
record ConfidentialConnections(Connections connections, String database) implements Connections, Confidential {
    @Override
    public Connection open() throws SQLException {
        return connections.open();
    }

    @Override
    public Optional<String> confidence() {
        return Optional.of(
                "the plan reads the database " + database + ", and its connections, which may hold a password,"
                        + " are written to no file. Read the database in the program that loads the plan, or write its rows to"
                        + " files and read these.");
    }
}
