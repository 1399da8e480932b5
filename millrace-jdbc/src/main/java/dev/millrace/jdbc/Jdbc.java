package dev.millrace.jdbc;

import dev.millrace.internal.wording.SecretText;
import dev.millrace.sink.WriteMode;
import java.sql.DriverManager;

/// A database: the entry point for reading queries and writing tables.
public final class Jdbc {
    private final Connections connections;
    private final String name;

    private Jdbc(Connections connections, String name) {
        this.connections = connections;
        this.name = name;
    }

    /// A database by its JDBC URL; connections are opened when they are needed.
    ///
    /// @param url in the form that the driver expects: "jdbc:postgresql://host/db"
    public static Jdbc connect(String url) {
        return new Jdbc(() -> DriverManager.getConnection(url), SecretText.databaseName(url));
    }

    /// A database by its JDBC URL, with user and password; either may be null.
    public static Jdbc connect(String url, String user, String password) {
        return new Jdbc(() -> DriverManager.getConnection(url, user, password), SecretText.databaseName(url));
    }

    /// A database reached by connections that the program opens itself. The function is sent to workers, so what it
    /// captures must be serialisable.
    public static Jdbc connect(Connections connections) {
        return new Jdbc(connections, "database");
    }

    /// The rows of a query.
    public JdbcQuery query(String sql) {
        return new JdbcQuery(connections, name, sql, null, JdbcQuery.DEFAULT_FETCH);
    }

    /// A table to write to.
    public JdbcTable table(String table) {
        return new JdbcTable(connections, name, table, WriteMode.APPEND, false, null, JdbcTable.DEFAULT_BATCH);
    }
}
